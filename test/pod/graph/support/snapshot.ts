import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { isLeft, left } from 'fp-ts/Either';
import { type InstanceMapping } from '../../../../adapters/contracts/graph-pod/instance-mapping';
import { FilesystemObjectStore } from '../../../../adapters/filesystem/filesystem-object-store';
import { type CallFailure } from '../../../../pod/control-plane/internal-api';
import { type ListFiles } from '../../../../pod/graph/loading/fetch-files';
import { findSnapshotFiles } from '../../../../queries/snapshot-files';

/** A folder that acts as object store, with definitions that DuckDB exported. */
export interface Snapshot {
  readonly root: string;
  readonly storagePath: string;
  /** Lists files as the control plane does. */
  readonly listFiles: ListFiles;
  /** Exports a query as one attempt of a definition: `nodes/Person`. */
  readonly export: (definition: string, sql: string, options?: ExportOptions) => Promise<string>;
  readonly remove: () => Promise<void>;
}

export interface ExportOptions {
  readonly attempt?: number;
  readonly manifest?: boolean;
}

const STORAGE_PATH = 'ada/1/v1/7/';

export const createSnapshot = async (): Promise<Snapshot> => {
  const root = await mkdtemp(join(tmpdir(), 'rowgraph-snapshot-'));
  const folder = join(root, 'ada', '1', 'v1', '7');
  return {
    root,
    storagePath: STORAGE_PATH,
    listFiles: async ({ type, name }, after) => {
      const page = await findSnapshotFiles(new FilesystemObjectStore(root), `${STORAGE_PATH}${type}s/${name}/`, after);
      const refused = ({ message }: { readonly message: string }): CallFailure => ({
        kind: 'refused',
        status: 409,
        text: message,
        reason: message,
        message,
      });
      return isLeft(page) ? left(refused(page.left)) : page;
    },
    export: async (definition, sql, { attempt = 1, manifest = true } = {}) => {
      const directory = join(folder, definition, `attempt-${attempt}`);
      await mkdir(directory, { recursive: true });
      const file = join(directory, 'part-0.parquet');
      const rows = await writeParquet(sql, file);
      if (manifest) {
        const bytes = (await stat(file)).size;
        const sha256 = createHash('sha256')
          .update(await readFile(file))
          .digest('hex');
        const text = JSON.stringify({ files: [{ file: 'part-0.parquet', rows, bytes, sha256 }], rows });
        await writeFile(join(directory, 'manifest.json'), text);
      }
      return directory;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
};

/** Opening one takes three times as long as writing a small file. */
let database: Promise<DuckDBInstance> | undefined;

/** Writes the rows of a query to a Parquet file and returns their number. */
export const writeParquet = async (sql: string, file: string): Promise<number> => {
  database ??= DuckDBInstance.create(':memory:');
  const connection = await (await database).connect();
  await connection.run(`COPY (${sql}) TO '${file}' (FORMAT parquet)`);
  const counted = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM read_parquet('${file}')`);
  connection.closeSync();
  return Number(counted.getRowsJS()[0]?.[0]);
};

type Definitions = Pick<InstanceMapping, 'node_definitions' | 'edge_definitions'>;

export const mappingOf = (snapshot: Snapshot, definitions: Definitions): InstanceMapping => ({
  snapshot_id: 7,
  mapping_id: 1,
  mapping_version: 1,
  storage_path: snapshot.storagePath,
  ...definitions,
});
