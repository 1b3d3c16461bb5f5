import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { parquetRowCounts } from '../../adapters/duckdb/parquet-row-counts';
import { type ObjectStore, type ObjectStoreError } from '../../domain/ports/object-store';

/** What an attempt has put into the object store. */
export interface StoredExport {
  readonly rows: number;
  /** Of the Parquet files, without the manifest. */
  readonly bytes: number;
}

/**
 * Brings the files of a finished export into the folder (ends in `/`) as `part-N.parquet` and writes the manifest that
 * makes them valid, last. Without local files the engine has written there itself: then those files are listed.
 */
export const storeExport = async (
  store: ObjectStore,
  folder: string,
  localFiles: readonly string[],
  scratchDirectory: string,
): Promise<Either<string, StoredExport>> => {
  const files =
    localFiles.length > 0
      ? right(localFiles.map((path, index) => ({ name: `part-${index}.parquet`, path })))
      : await fetchWritten(store, folder, scratchDirectory);
  if (isLeft(files)) return files;
  const counts = await parquetRowCounts(files.right.map((file) => file.path));
  if (isLeft(counts)) return left(`the rows of the exported files could not be counted: ${counts.left}`);

  const entries = [];
  for (const [index, { name, path }] of files.right.entries()) {
    entries.push({
      file: name,
      rows: counts.right[index] ?? 0,
      bytes: (await stat(path)).size,
      sha256: await sha256(path),
    });
    if (localFiles.length === 0) continue;
    const stored = await store.putFile(folder + name, path);
    if (isLeft(stored)) return left(storageReason(stored.left));
  }
  const rows = entries.reduce((sum, entry) => sum + entry.rows, 0);
  const manifest = await store.putText(`${folder}manifest.json`, JSON.stringify({ files: entries, rows }));
  if (isLeft(manifest)) return left(storageReason(manifest.left));
  return right({ rows, bytes: entries.reduce((sum, entry) => sum + entry.bytes, 0) });
};

const fetchWritten = async (
  store: ObjectStore,
  folder: string,
  scratchDirectory: string,
): Promise<Either<string, readonly { name: string; path: string }[]>> => {
  const listed = await store.list(folder);
  if (isLeft(listed)) return left(storageReason(listed.left));
  const files: { name: string; path: string }[] = [];
  for (const { key } of listed.right) {
    // Engines choose the names of their files; by convention those that begin with _ or . contain no data.
    if (/^[._]/.test(basename(key)) || key.endsWith('.json')) continue;
    const fetched = await store.fetchFile(key, scratchDirectory);
    if (isLeft(fetched)) return left(storageReason(fetched.left));
    files.push({ name: key.slice(folder.length), path: fetched.right });
  }
  return files.length > 0 ? right(files) : left(`the query engine reported success but wrote no files to ${folder}`);
};

const sha256 = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

const storageReason = (error: ObjectStoreError): string =>
  error.kind === 'not_found'
    ? `the stored file ${error.key} has vanished`
    : `the object store failed at ${error.key}: ${error.reason}`;
