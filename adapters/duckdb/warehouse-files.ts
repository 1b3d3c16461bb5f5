import { type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../filesystem/durable-write';
import { type CsvFile } from './csv/csv-layout';

/** The content of a warehouse folder at one time. */
export interface WarehouseFiles {
  readonly databases: readonly DatabaseFile[];
  readonly tables: readonly TableFile[];
  /** Changes whenever a file is added, removed or rewritten. */
  readonly fingerprint: string;
}

/** `<catalog>.duckdb` */
export interface DatabaseFile {
  readonly catalog: string;
  readonly path: string;
}

/** `<catalog>/<schema>/<table>.parquet`, `<table>.csv`, or a folder `<table>` of `<key>=<value>/…/*.parquet`. */
export interface TableFile {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  readonly format: 'parquet' | 'csv' | 'hive';
  /** The file or the folder. */
  readonly path: string;
  /** The files to read: the file, or the Parquet files below the folder. */
  readonly files: readonly string[];
}

/** A path of a CSV file with what its ending says. */
export const csvFileOf = (path: string): CsvFile => ({ path, compression: 'none' });

/** The CSV files of a warehouse. */
export const csvFiles = ({ tables }: WarehouseFiles): readonly CsvFile[] =>
  tables.filter(({ format }) => format === 'csv').map(({ path }) => csvFileOf(path));

/**
 * Scans a warehouse folder. If a database file and a folder have the same name, the database file is used.
 * Rejects when the folder cannot be read.
 */
export const scanWarehouse = async (folder: string): Promise<WarehouseFiles> => {
  const seen: string[] = [];
  const note = async (path: string): Promise<void> => {
    const found = await statIfExists(path);
    seen.push(`${path} ${found?.mtimeMs} ${found?.size} ${found?.ino}`);
  };

  const { files, folders } = await contents(folder);
  const databases = withExtension(files, '.duckdb').map((catalog) => ({
    catalog,
    path: join(folder, `${catalog}.duckdb`),
  }));
  for (const { path } of databases) {
    await note(path);
    // The log of what is not in the file yet, which a killed writer leaves behind.
    await note(`${path}.wal`);
  }

  const tables: TableFile[] = [];
  for (const catalog of folders.filter((name) => !databases.some((database) => database.catalog === name))) {
    for (const schema of (await contents(join(folder, catalog))).folders) {
      for (const table of await tablesIn(join(folder, catalog, schema))) tables.push({ catalog, schema, ...table });
    }
  }
  for (const path of tables.flatMap(({ files }) => files)) await note(path);
  return { databases, tables, fingerprint: seen.join('\n') };
};

const tablesIn = async (folder: string): Promise<readonly Omit<TableFile, 'catalog' | 'schema'>[]> => {
  const { files, folders } = await contents(folder);
  const single = (['parquet', 'csv'] as const).flatMap((format) =>
    withExtension(files, `.${format}`).map((table) => {
      const path = join(folder, `${table}.${format}`);
      return { table, format, path, files: [path] };
    }),
  );
  const partitioned = folders.map(async (table) => {
    const path = join(folder, table);
    return { table, format: 'hive' as const, path, files: await partitionFiles(path) };
  });
  return [...single, ...(await Promise.all(partitioned)).filter((table) => table.files.length > 0)];
};

/**
 * The Parquet files in the folders `<key>=<value>` below a folder, at any depth. By convention those that begin with _
 * or . are not part of the data.
 */
const partitionFiles = async (folder: string): Promise<readonly string[]> => {
  const partitions = (await contents(folder)).folders.filter((name) => /^[^=]+=/.test(name));
  const found = partitions.map(async (name) => {
    const partition = join(folder, name);
    const files = withExtension((await contents(partition)).files, '.parquet').filter((file) => !/^[._]/.test(file));
    return [...files.map((file) => join(partition, `${file}.parquet`)), ...(await partitionFiles(partition))];
  });
  return (await Promise.all(found)).flat();
};

const contents = async (
  folder: string,
): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] }> => {
  const files: string[] = [];
  const folders: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const found = await statIfExists(join(folder, name));
    if (found?.isFile()) files.push(name);
    if (found?.isDirectory()) folders.push(name);
  }
  return { files, folders };
};

/** Files may be replaced during the scan, and links may be broken or circular. */
const statIfExists = async (path: string): Promise<Stats | null> => {
  try {
    return await stat(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ELOOP')) return null;
    throw error;
  }
};

const withExtension = (files: readonly string[], extension: string): readonly string[] =>
  files
    .filter((name) => name.endsWith(extension) && name !== extension)
    .map((name) => name.slice(0, -extension.length));
