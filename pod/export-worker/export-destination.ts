import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { addressIn, type ObjectStore, type ObjectStoreError } from '../../domain/ports/object-store';
import { type ExportDestination, type QueryEngineError, type StoredFile } from '../../domain/ports/query-engine';
import { type WorkerJob } from '../../queries/views/export-job';
import { type Manifest } from '../../queries/views/snapshot';

const RANGE_BYTES = 8 * 1024 * 1024;

/** The folder of this attempt's files; it becomes valid with its manifest. */
export const attemptFolder = (job: WorkerJob): string => `${job.storage_path}attempt-${job.attempt}/`;

/** A folder (ends in `/`) of the object store as the destination of an export. */
export const exportDestination = (store: ObjectStore, folder: string): ExportDestination => ({
  url: addressIn(store, folder),
  put: async (name, localPath) => {
    const { size: bytes } = await stat(localPath);
    const file = await measureFile(name, bytes, async (start, end) => right(await localRange(localPath, start, end)));
    if (isLeft(file)) return left(failedQuery(file.left));
    const stored = await store.putFile(folder + name, localPath);
    return isLeft(stored) ? left(storageFailure(stored.left)) : file;
  },
  storedFiles: async () => {
    const listed = await store.list(folder);
    if (isLeft(listed)) return left(storageReason(listed.left));
    const files: StoredFile[] = [];
    for (const { key, sizeBytes: bytes } of listed.right) {
      const name = key.slice(folder.length);
      if (!isData(name)) continue;
      const file = await measureFile(name, bytes, async (start, end) => {
        const read = await store.getRange(key, start, end);
        return isLeft(read) ? left(storageReason(read.left)) : read;
      });
      if (isLeft(file)) return file;
      files.push(file.right);
    }
    return right(files);
  },
});

/** Engines choose the names of their files; by convention files that begin with _ or . do not contain data. */
const isData = (name: string): boolean =>
  !/^[._]/.test(basename(name)) && !name.endsWith('.json') && !name.startsWith('metadata/');

/** Writes the manifest that makes the files of an attempt valid. Left: the error. */
export const writeManifest = async (
  store: ObjectStore,
  folder: string,
  files: readonly StoredFile[],
): Promise<Either<QueryEngineError, { readonly rows: number; readonly bytes: number }>> => {
  if (files.length === 0) return left(failedQuery(`the query engine reported success but wrote no files to ${folder}`));
  const entries = files.map(({ name, rows, bytes, sha256 }) => ({ file: name, rows, bytes, sha256 }));
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const content: Manifest = { files: entries, rows };
  const manifest = await store.putText(`${folder}manifest.json`, JSON.stringify(content));
  if (isLeft(manifest)) return left(storageFailure(manifest.left));
  return right({ rows, bytes: files.reduce((sum, file) => sum + file.bytes, 0) });
};

/** The rows of a file, from its footer, and its hash, for which it is read once as a whole. */
const measureFile = async (name: string, bytes: number, readRange: ReadRange): Promise<Either<string, StoredFile>> => {
  const rows = await parquetRows(bytes, readRange);
  if (isLeft(rows)) return left(`the rows of the exported file ${name} could not be counted: ${rows.left}`);
  const hash = createHash('sha256');
  for (let start = 0; start < bytes; start += RANGE_BYTES) {
    const range = await readRange(start, Math.min(start + RANGE_BYTES, bytes));
    if (isLeft(range)) return range;
    hash.update(range.right);
  }
  return right({ name, bytes, rows: rows.right, sha256: hash.digest('hex') });
};

const localRange = async (path: string, start: number, end: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { start, end: end - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const storageFailure = (error: ObjectStoreError): QueryEngineError =>
  error.kind === 'disk_full' ? { kind: 'disk_full', message: storageReason(error) } : failedQuery(storageReason(error));

const failedQuery = (message: string): QueryEngineError => ({ kind: 'query_failed', message, canRetry: true });

const storageReason = (error: ObjectStoreError): string =>
  error.kind === 'not_found'
    ? `the stored file ${error.key} has vanished`
    : `the object store failed at ${error.key}: ${error.reason}`;

/** Bytes from `start` (inclusive) to `end` (exclusive) of a file; left: the error. */
type ReadRange = (start: number, end: number) => Promise<Either<string, Uint8Array>>;

class UnreadRange extends Error {}

/** The number of rows of a Parquet file, from its footer only. Left if it is not a Parquet file. */
const parquetRows = async (bytes: number, readRange: ReadRange): Promise<Either<string, number>> => {
  // An ES module: loaded when it is needed.
  const { parquetMetadataAsync } = await import('hyparquet');
  const slice = async (start: number, end = bytes): Promise<ArrayBuffer> => {
    const read = await readRange(start, end);
    if (isLeft(read)) throw new UnreadRange(read.left);
    return new Uint8Array(read.right).buffer;
  };
  try {
    return right(Number((await parquetMetadataAsync({ byteLength: bytes, slice })).num_rows));
  } catch (error) {
    if (error instanceof UnreadRange) return left(error.message);
    return left(`not a readable Parquet file: ${error instanceof Error ? error.message : String(error)}`);
  }
};
