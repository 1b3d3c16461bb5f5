import { type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../filesystem/durable-write';

/** The content of a warehouse folder at one moment. */
export interface WarehouseFiles {
  readonly databases: readonly DatabaseFile[];
  readonly tables: readonly TableFile[];
  /** Changes whenever a file comes, goes or is rewritten. */
  readonly fingerprint: string;
}

/** `<catalog>.duckdb` */
export interface DatabaseFile {
  readonly catalog: string;
  readonly path: string;
}

/** `<catalog>/<schema>/<table>.parquet` */
export interface TableFile {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  readonly path: string;
}

/**
 * Scans a warehouse folder. Where a database file and a folder share a name, the database file counts.
 * Rejects when the folder cannot be read.
 */
export const scanWarehouse = async (folder: string): Promise<WarehouseFiles> => {
  const seen: string[] = [];
  const note = async (path: string): Promise<void> => {
    const found = await statUnlessGone(path);
    seen.push(`${path} ${found?.mtimeMs} ${found?.size} ${found?.ino}`);
  };

  const { files, folders } = await contents(folder);
  const databases = withExtension(files, '.duckdb').map((catalog) => ({
    catalog,
    path: join(folder, `${catalog}.duckdb`),
  }));
  for (const database of databases) await note(database.path);

  const tables: TableFile[] = [];
  for (const catalog of folders.filter((name) => !databases.some((database) => database.catalog === name))) {
    for (const schema of (await contents(join(folder, catalog))).folders) {
      for (const table of withExtension((await contents(join(folder, catalog, schema))).files, '.parquet')) {
        const path = join(folder, catalog, schema, `${table}.parquet`);
        tables.push({ catalog, schema, table, path });
        await note(path);
      }
    }
  }
  return { databases, tables, fingerprint: seen.join('\n') };
};

const contents = async (
  folder: string,
): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] }> => {
  const files: string[] = [];
  const folders: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const found = await statUnlessGone(join(folder, name));
    if (found?.isFile()) files.push(name);
    if (found?.isDirectory()) folders.push(name);
  }
  return { files, folders };
};

/** Files may be replaced during the scan. */
const statUnlessGone = async (path: string): Promise<Stats | null> => {
  try {
    return await stat(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
};

const withExtension = (files: readonly string[], extension: string): readonly string[] =>
  files
    .filter((name) => name.endsWith(extension) && name !== extension)
    .map((name) => name.slice(0, -extension.length));
