import { type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessErrno } from '../filesystem/durable-write';
import { type CsvFile } from './csv/csv-layout';
import { descriptionPath } from './csv/decide-described-file';
import {
  DATABASE,
  isDataFile,
  isMarker,
  nameBefore,
  TABLE_ENDINGS,
  TABLE_FORMATS,
  type TableFormat,
  tableOfFile,
} from './file-endings';

/** The content of a warehouse folder at one time. */
export interface WarehouseFiles {
  readonly databases: readonly DatabaseFile[];
  readonly tables: readonly TableFile[];
  /** Files and folders with data that are not tables. */
  readonly skipped: readonly SkippedFile[];
  /** Changes whenever a file is added, removed or rewritten. */
  readonly fingerprint: string;
}

/** `<catalog>.duckdb` */
export interface DatabaseFile {
  readonly catalog: string;
  readonly path: string;
}

/** `<catalog>/<schema>/<table>.parquet`, `<table>.csv`, or a folder `<table>` of such files or `<key>=<value>/…/`. */
export interface TableFile {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  /** `hive`: the folders have the values of partition keys. */
  readonly format: TableFormat | 'hive';
  /** The file or the folder. */
  readonly path: string;
  /** The files to read: the file, or those below the folder. */
  readonly files: readonly string[];
  /** Changes whenever one of them is added, removed or rewritten. */
  readonly version: string;
}

export interface SkippedFile {
  /** The catalog that it would belong to. */
  readonly catalog: string;
  readonly path: string;
  /** What to do about it. */
  readonly reason: string;
}

/** The files of a table with what the ending says that all of them have. */
export const csvFileOf = ({ path, files }: Pick<TableFile, 'path' | 'files'>): CsvFile => {
  const [first = path] = files;
  return {
    path,
    parts: files,
    compression: compressionOf(first),
    ...(nameBefore(first, TABLE_ENDINGS.tsv) === null ? {} : { delimiter: '\t' }),
  };
};

const compressionOf = (path: string): CsvFile['compression'] =>
  /\.gz$/i.test(path) ? 'gzip' : /\.zst$/i.test(path) ? 'zstd' : 'none';

/** The files of a warehouse that have text and are not left out. */
export const csvFiles = ({ tables }: WarehouseFiles, leftOut: readonly string[]): readonly CsvFile[] =>
  tables.filter(({ format, path }) => (format === 'csv' || format === 'tsv') && !leftOut.includes(path)).map(csvFileOf);

/**
 * Scans a warehouse folder. If several files have the same name, the first is used, and a database file before a folder.
 * Rejects when the folder cannot be read.
 */
export const scanWarehouse = async (folder: string): Promise<WarehouseFiles> => {
  const seen: string[] = [];
  const skipped: SkippedFile[] = [];
  const skip = (catalog: string, path: string, reason: string): void => void skipped.push({ catalog, path, reason });

  const { files, folders } = await contents(folder);
  const databases = new Map<string, DatabaseFile>();
  for (const file of [...files].sort((one, other) => Number(isNamedDuckdb(other)) - Number(isNamedDuckdb(one)))) {
    const path = join(folder, file);
    const catalog = nameBefore(file, DATABASE);
    const same = databases.get(catalog?.toLowerCase() ?? '');
    if (catalog === null) skip(file, path, 'a table needs two folders: <catalog>/<schema>/<table>');
    else if (same !== undefined) skip(catalog, path, sameName(same));
    else databases.set(catalog.toLowerCase(), { catalog, path });
  }
  for (const { path } of databases.values()) {
    // The second is the log of what is not in the file yet, which a killed writer leaves behind.
    seen.push(await versionOf([path, `${path}.wal`]));
  }

  const tables = new Map<string, TableFile>();
  for (const catalog of folders) {
    const path = join(folder, catalog);
    const database = databases.get(catalog.toLowerCase());
    if (database !== undefined) {
      skip(catalog, path, sameName(database));
      continue;
    }
    const { files: stray, folders: schemas } = await contents(path);
    for (const file of stray) skip(catalog, join(path, file), 'a table needs a schema: <catalog>/<schema>/<table>');
    for (const schema of schemas) {
      for (const table of await tablesIn(join(path, schema), (at, reason) => skip(catalog, at, reason))) {
        const key = JSON.stringify([catalog, schema, table.table]).toLowerCase();
        const same = tables.get(key);
        if (same !== undefined) skip(catalog, table.path, sameName(same));
        else tables.set(key, { catalog, schema, ...table, version: await versionOf(table.files) });
      }
    }
  }
  const all = [...tables.values()];
  const fingerprint = [...seen, ...all.map(({ version }) => version), ...skipped.map(({ path }) => path)].join('\n');
  return { databases: [...databases.values()], tables: all, skipped, fingerprint };
};

/** Whether a file of a table has been added to, rewritten or removed since the scan. */
export const hasChanged = async ({ files, version }: TableFile): Promise<boolean> =>
  (await versionOf(files)) !== version;

const versionOf = async (paths: readonly string[]): Promise<string> => {
  const versions: string[] = [];
  for (const path of paths) {
    const found = await statIfExists(path);
    versions.push(`${path} ${found?.mtimeMs} ${found?.size} ${found?.ino}`);
  }
  return versions.join('\n');
};

/** Other programs use the other endings of databases as well. */
const isNamedDuckdb = (file: string): boolean => /\.duckdb$/i.test(file);

const UNKNOWN_FORMAT =
  'its format is unknown (end its name with its format, such as .parquet; convert others to Parquet or CSV; a description is named like people.csv.yaml)';
const sameName = ({ path }: { readonly path: string }): string => `${path} has this name already (rename one)`;

type Skip = (path: string, reason: string) => void;

type FoundTable = Omit<TableFile, 'catalog' | 'schema' | 'version'>;

const tablesIn = async (folder: string, skip: Skip): Promise<readonly FoundTable[]> => {
  const { files, folders } = await contents(folder);
  const tables: FoundTable[] = [];
  for (const file of files) {
    const path = join(folder, file);
    const named = tableOfFile(file);
    if (named === null) skip(path, UNKNOWN_FORMAT);
    else tables.push({ ...named, path, files: [path] });
  }
  // If several files have the same name, Parquet is used.
  tables.sort((one, other) => Number(other.format === 'parquet') - Number(one.format === 'parquet'));
  for (const table of folders) {
    const path = join(folder, table);
    const parts = await partFiles(path, skip);
    const format = TABLE_FORMATS.find((one) => parts.some((part) => part.format === one));
    const compression = compressionOf(parts.find((part) => part.format === format)?.path ?? '');
    const files: string[] = [];
    for (const part of parts) {
      const isLikeOthers = part.format === format && compressionOf(part.path) === compression;
      if (isLikeOthers) files.push(part.path);
      else skip(part.path, 'a folder of a table can have files of one format only');
    }
    const isHive = files.some((file) => file.slice(path.length).includes('='));
    if (format === undefined) continue;
    if (isHive && format !== 'parquet') skip(path, 'partitions must be Parquet files (convert them)');
    else tables.push({ table, format: isHive ? 'hive' : format, path, files });
  }
  return tables;
};

interface PartFile {
  readonly path: string;
  readonly format: TableFormat;
}

/** The files in a folder and in the folders `<key>=<value>` below it, at any depth. */
const partFiles = async (folder: string, skip: Skip): Promise<readonly PartFile[]> => {
  const { files, folders, markers } = await contents(folder);
  const log = markers.find((name) => TRANSACTION_LOGS.includes(name));
  if (log !== undefined) {
    skip(folder, `by its ${log} some of its files are deleted (export the table to Parquet)`);
    return [];
  }
  const parts: PartFile[] = [];
  for (const file of files) {
    const path = join(folder, file);
    const named = tableOfFile(file);
    if (named === null) skip(path, UNKNOWN_FORMAT);
    else parts.push({ path, format: named.format });
  }
  for (const name of folders) {
    const path = join(folder, name);
    if (/^[^=]+=/.test(name)) parts.push(...(await partFiles(path, skip)));
    else skip(path, 'a folder below a table needs a name such as <key>=<value>');
  }
  return parts;
};

/** Folders of Delta and Hudi that say which of the files beside them are part of the table. */
const TRANSACTION_LOGS: readonly string[] = ['_delta_log', '.hoodie'];

interface Contents {
  /** Files with data. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** By convention names that begin with _ or . are not part of the data. */
  readonly markers: readonly string[];
}

const contents = async (folder: string): Promise<Contents> => {
  const files: string[] = [];
  const folders: string[] = [];
  const markers: string[] = [];
  const names = (await readdir(folder)).sort();
  for (const name of names) {
    if (isMarker(name)) {
      markers.push(name);
      continue;
    }
    const found = await statIfExists(join(folder, name));
    if (found?.isFile() && (isDataFile(name) || isLostDescription(name, names))) files.push(name);
    if (found?.isDirectory()) folders.push(name);
  }
  return { files, folders, markers };
};

/** A description without its file is misnamed, and would be missed silently. */
const isLostDescription = (name: string, names: readonly string[]): boolean =>
  /\.ya?ml$/i.test(name) && !names.some((other) => name === descriptionPath(other));

/** Files may be replaced during the scan, and links may be broken or circular. */
const statIfExists = (path: string): Promise<Stats | null> => unlessErrno(stat(path), 'ENOENT', 'ELOOP');
