import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What a warehouse folder holds at one moment. */
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
 * Looks through a warehouse folder. Where a database file and a folder share a name, the database file counts.
 * Rejects when the folder cannot be read.
 */
export const scanWarehouse = async (folder: string): Promise<WarehouseFiles> => {
  const seen: string[] = [];
  const note = async (path: string): Promise<void> => {
    const { mtimeMs, size, ino } = await stat(path);
    seen.push(`${path} ${mtimeMs} ${size} ${ino}`);
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
    const found = await stat(join(folder, name));
    if (found.isFile()) files.push(name);
    if (found.isDirectory()) folders.push(name);
  }
  return { files, folders };
};

const withExtension = (files: readonly string[], extension: string): readonly string[] =>
  files
    .filter((name) => name.endsWith(extension) && name !== extension)
    .map((name) => name.slice(0, -extension.length));
