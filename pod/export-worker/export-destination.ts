import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { parquetRowCounts } from '../../adapters/duckdb/parquet-row-counts';
import { type ObjectStore, type ObjectStoreError } from '../../domain/ports/object-store';
import { type ExportDestination, type StoredFile } from '../../domain/ports/query-engine';
import { type WorkerJob } from '../../queries/views/export-job';

/** The folder of this attempt's files; it becomes valid with its manifest. */
export const attemptFolder = (job: WorkerJob): string => `${job.storage_path}attempt-${job.attempt}/`;

/** A folder (ends in `/`) of the object store as the destination of an export. */
export const exportDestination = (store: ObjectStore, folder: string, scratchDirectory: string): ExportDestination => ({
  url: folder,
  put: async (name, localPath) => {
    const counts = await rowCounts([localPath]);
    if (isLeft(counts)) return counts;
    const sha256 = await sha256Of(localPath);
    const stored = await store.putFile(folder + name, localPath);
    if (isLeft(stored)) return left(storageReason(stored.left));
    return right({ name, bytes: stored.right.sizeBytes, rows: counts.right[0] ?? 0, sha256 });
  },
  storedFiles: async () => {
    const listed = await store.list(folder);
    if (isLeft(listed)) return left(storageReason(listed.left));
    const files: Omit<StoredFile, 'rows'>[] = [];
    const paths: string[] = [];
    for (const { key, sizeBytes } of listed.right.filter((object) => isData(object.key.slice(folder.length)))) {
      const fetched = await store.fetchFile(key, scratchDirectory);
      if (isLeft(fetched)) return left(storageReason(fetched.left));
      files.push({ name: key.slice(folder.length), bytes: sizeBytes, sha256: await sha256Of(fetched.right) });
      paths.push(fetched.right);
    }
    const counts = await rowCounts(paths);
    return isLeft(counts) ? counts : right(files.map((file, index) => ({ ...file, rows: counts.right[index] ?? 0 })));
  },
});

/** Engines choose the names of their files; by convention those that begin with _ or . contain no data. */
const isData = (name: string): boolean =>
  !/^[._]/.test(basename(name)) && !name.endsWith('.json') && !name.startsWith('metadata/');

/** Writes the manifest that makes the files of an attempt valid. Left: why not. */
export const writeManifest = async (
  store: ObjectStore,
  folder: string,
  files: readonly StoredFile[],
): Promise<Either<string, { readonly rows: number; readonly bytes: number }>> => {
  if (files.length === 0) return left(`the query engine reported success but wrote no files to ${folder}`);
  const entries = files.map(({ name, rows, bytes, sha256 }) => ({
    file: name,
    rows,
    bytes,
    ...(sha256 && { sha256 }),
  }));
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const manifest = await store.putText(`${folder}manifest.json`, JSON.stringify({ files: entries, rows }));
  if (isLeft(manifest)) return left(storageReason(manifest.left));
  return right({ rows, bytes: files.reduce((sum, file) => sum + file.bytes, 0) });
};

const rowCounts = async (paths: readonly string[]): Promise<Either<string, readonly number[]>> => {
  const counts = await parquetRowCounts(paths);
  return isLeft(counts) ? left(`the rows of the exported files could not be counted: ${counts.left}`) : counts;
};

const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

const storageReason = (error: ObjectStoreError): string =>
  error.kind === 'not_found'
    ? `the stored file ${error.key} has vanished`
    : `the object store failed at ${error.key}: ${error.reason}`;
