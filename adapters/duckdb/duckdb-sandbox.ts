import './exact-texts';
import { type DuckDBConnection, DuckDBInstance, version } from '@duckdb/node-api';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { patternOf, readTyped } from './csv/csv-layout';
import { type LayoutsByPath } from './csv/csv-layouts';
import { isFatalError, readFailure } from './duckdb-error';
import { type OpeningFiles } from './opening-files';
import { type ParquetChecks, readParquet } from './read-parquet';
import { sqlName, sqlString } from './sql-text';
import { csvFileOf, type DatabaseFile, type TableFile, type WarehouseFiles } from './warehouse-files';

/** The folders and limits of a DuckDB for users' SQL. */
export interface SandboxSettings {
  /** The only folder its SQL can write to. */
  readonly exportDirectory: string;
  /** The folder of spill files. */
  readonly spillDirectory: string;
  readonly memoryLimitMb: number;
  readonly threads: number;
  readonly opening: OpeningFiles;
}

/** A DuckDB that can access only the warehouse (read-only) and one export folder. */
export interface Sandbox {
  readonly instance: DuckDBInstance;
  readonly catalogs: readonly string[];
  /** Files that could not be opened. */
  readonly problems: readonly WarehouseProblem[];
}

export interface WarehouseProblem {
  /** The catalog the file belongs to. */
  readonly catalog: string;
  /** The table that the file would be; null for a whole catalog. */
  readonly table: string | null;
  /** One sentence. */
  readonly message: string;
}

/**
 * Opens a sandbox over the files of the warehouse now. All files are attached first; then access to files, extensions
 * and settings is disabled permanently, so new files need a new sandbox.
 */
export const openSandbox = async (
  files: WarehouseFiles,
  layouts: LayoutsByPath,
  leftOut: readonly string[],
  parquetChecks: ParquetChecks,
  settings: SandboxSettings,
): Promise<Sandbox> => {
  const all: readonly (DatabaseFile & { readonly table?: string })[] = [...files.databases, ...files.tables];
  const damaging: DamagingFile[] = all
    .filter(({ path }) => leftOut.includes(path))
    .map(({ catalog, path, table = null }) => ({ catalog, path, table, message: endedProcess(path) }));
  for (;;) {
    const isLeftOut = ({ path }: { readonly path: string }): boolean => damaging.some((file) => file.path === path);
    const databases = files.databases.filter((file) => !isLeftOut(file));
    const tables = files.tables.filter((file) => !isLeftOut(file));
    const opened = await openOver({ ...files, databases, tables }, layouts, parquetChecks, settings);
    if (!('damaging' in opened)) return { ...opened, problems: [...damaging, ...opened.problems] };
    damaging.push(opened.damaging);
  }
};

/** A file that makes DuckDB fail internally, after which it cannot read other files. */
interface DamagingFile extends WarehouseProblem {
  readonly path: string;
}

/**
 * Optimizers of DuckDB 1.5.6 that change rows. The first moves the filter of a join below ORDER BY with LIMIT, depending on
 * which thread is first; the second loses the order of nulls where a correlated subquery has ORDER BY and LIMIT 1.
 */
const WRONG_OPTIMIZERS = ['join_filter_pushdown', 'top_n_window_elimination'];

const openOver = async (
  files: WarehouseFiles,
  layouts: LayoutsByPath,
  parquetChecks: ParquetChecks,
  settings: SandboxSettings,
): Promise<Sandbox | { readonly damaging: DamagingFile }> => {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(settings.threads),
    memory_limit: `${settings.memoryLimitMb}MB`,
    temp_directory: settings.spillDirectory,
    preserve_insertion_order: 'false',
    errors_as_json: 'true',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
  });
  const connection = await instance.connect();
  // DuckDB starts in the zone of the machine, in which casts of times would depend on it.
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  await connection.run(`SET GLOBAL disabled_optimizers = '${WRONG_OPTIMIZERS.join()}'`);
  const attached = await attachAll(connection, files, layouts, parquetChecks, settings.opening);
  if ('damaging' in attached) {
    connection.closeSync();
    instance.closeSync();
    return attached;
  }
  const paths = files.tables.flatMap((table) => table.files);
  const allowed = new Set([...paths, ...paths.map(patternOf)]);
  await connection.run(`SET allowed_paths = [${[...allowed].map(sqlString).join(', ')}]`);
  await connection.run(`SET allowed_directories = [${sqlString(settings.exportDirectory)}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  connection.closeSync();
  return { instance, ...attached };
};

const attachAll = async (
  connection: DuckDBConnection,
  files: WarehouseFiles,
  layouts: LayoutsByPath,
  parquetChecks: ParquetChecks,
  opening: OpeningFiles,
): Promise<Pick<Sandbox, 'catalogs' | 'problems'> | { readonly damaging: DamagingFile }> => {
  const catalogs = new Set<string>();
  const problems: WarehouseProblem[] = [];
  const damaging: DamagingFile[] = [];
  const attempt = async (
    { catalog, path, table }: DatabaseFile & { readonly table: string | null },
    work: () => Promise<unknown>,
  ): Promise<boolean> => {
    try {
      await opening.during(path, work);
      return true;
    } catch (error) {
      const failure = readFailure(error);
      const message = `the warehouse file ${path} could not be opened: ${failure.message.trim()}${remedyOf(failure.message)}`;
      if (isFatalError(failure)) damaging.push({ catalog, table, path, message });
      else problems.push({ catalog, table, message });
      return false;
    }
  };

  for (const file of files.databases) {
    const { catalog, path } = file;
    const attach = `ATTACH ${sqlString(path)} AS ${sqlName(catalog)} (READ_ONLY, TYPE duckdb)`;
    if (await attempt({ ...file, table: null }, () => connection.run(attach))) catalogs.add(catalog);
    if (damaging[0] !== undefined) return { damaging: damaging[0] };
  }
  for (const file of files.tables) {
    const { catalog, schema, table } = file;
    if (!catalogs.has(catalog)) {
      const attach = `ATTACH ':memory:' AS ${sqlName(catalog)}`;
      if (!(await attempt(file, () => connection.run(attach)))) continue;
      catalogs.add(catalog);
    }
    const folder = `${sqlName(catalog)}.${sqlName(schema)}`;
    await attempt(file, () => connection.run(`CREATE SCHEMA IF NOT EXISTS ${folder}`));
    await attempt(file, async () => {
      const rows = await rowsOf(connection, file, layouts, parquetChecks);
      if (isLeft(rows)) problems.push({ catalog, table, message: rows.left });
      else await connection.run(`CREATE VIEW ${folder}.${sqlName(table)} AS ${rows.right}`);
    });
    if (damaging[0] !== undefined) return { damaging: damaging[0] };
  }
  return { catalogs: [...catalogs].sort(), problems };
};

const endedProcess = (path: string): string =>
  `the warehouse file ${path} ended the query engine when it was opened, for its size or because it is damaged, and is left out; divide or replace it (a Parquet file can have larger row groups, a database needs CHECKPOINT), and refresh the catalogs`;

/** What to do about a database file of a later version of DuckDB. */
const remedyOf = (message: string): string => {
  if (!/read a database file with version number|storage version/i.test(message)) return '';
  const copy = `ATTACH 'copy.duckdb' AS copy (STORAGE_VERSION '${version()}'); COPY FROM DATABASE … TO copy`;
  return `; copy it with the version of DuckDB that wrote it: ${copy}`;
};

/** The query of a table's rows. Left: why the table would not have its rows or columns as they are. */
const rowsOf = async (
  connection: DuckDBConnection,
  file: TableFile,
  layouts: LayoutsByPath,
  parquetChecks: ParquetChecks,
): Promise<Either<string, string>> => {
  const layout = layouts.get(file.path);
  if (layout === undefined) return readParquet(connection, file, parquetChecks);
  return isLeft(layout) ? layout : right(readTyped(csvFileOf(file), layout.right));
};
