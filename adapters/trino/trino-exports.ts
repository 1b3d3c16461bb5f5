import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type EngineColumn,
  type ExportRequest,
  type ExportState,
  type QueryEngine,
  type QueryEngineError,
  type StoredFile,
} from '../../domain/ports/query-engine';
import { findWantedColumn } from '../../domain/sql/wanted-columns';
import { writeEmptyParquet } from '../duckdb/duckdb-exports';
import { sqlName, sqlString } from '../duckdb/sql-text';
import { ExportTables } from './export-tables';
import { type StatementOptions, type TrinoClient } from './trino-client';
import { type ExportedColumn, exportedColumn } from './trino-types';

export interface TrinoExportSettings {
  /** Catalog and schema of the tables that exports create, or whose catalog has the function `unload`. */
  readonly catalog: string;
  readonly schema: string;
  readonly method: 'ctas' | 'unload';
  /** Whether exports run as the owner of their mapping. */
  readonly impersonation: boolean;
  /** Schema of unqualified names. */
  readonly defaultSchema: string | null;
  readonly defaultCatalog: string | null;
}

type Describe = (
  sql: string,
  options: Partial<StatementOptions>,
) => Promise<Either<QueryEngineError, readonly EngineColumn[]>>;

/** Approximate maximum size of a file. */
const FILE_SIZE = '256MB';

interface ExportedQuery {
  readonly columns: readonly NamedColumn[];
  /** Aliases for all columns of the query, which may be unnamed. */
  readonly aliases: readonly string[];
}

interface NamedColumn extends ExportedColumn {
  readonly name: string;
  readonly source: string;
}

/** Exports that Trino writes to the object store directly, without passing data through the worker. */
export class TrinoExports {
  readonly #tables: ExportTables;

  constructor(
    private readonly client: TrinoClient,
    private readonly settings: TrinoExportSettings,
    private readonly describe: Describe,
  ) {
    this.#tables = new ExportTables(client, settings);
  }

  async submit(request: ExportRequest): Promise<Either<QueryEngineError, ExportState>> {
    const { method, catalog, impersonation } = this.settings;
    if (impersonation && request.owner == null) {
      const message = 'the export job does not name the owner of its mapping, the user of ROWGRAPH_TRINO_IMPERSONATION: an earlier version planned it; create the instance again'; // prettier-ignore
      return left({ kind: 'query_failed', message, canRetry: false });
    }
    const columns = await this.#columns(request);
    if (isLeft(columns)) return columns;
    const connector = method === 'unload' ? right('hive') : await this.#tables.connector();
    if (isLeft(connector)) return connector;
    const query = selectOf(request, columns.right);
    const { url } = request.destination;
    const statement =
      method === 'unload' ? unloadStatement(catalog, query, url) : this.#tables.create(connector.right, url, query);
    const session = {
      [`${catalog}.target_max_file_size`]: FILE_SIZE,
      ...(connector.right === 'hive' ? { [`${catalog}.timestamp_precision`]: 'MICROSECONDS' } : {}),
    };
    const page = await this.client.submit(statement, { ...this.#options(request), session });
    if (isLeft(page)) return page;
    const { queryId, nextUri } = page.right;
    return nextUri === null
      ? this.#finish(request, queryId, page.right.updateCount)
      : right({ state: 'running', queryId, nextUri, ownedByWorker: false });
  }

  async poll(address: string, request: ExportRequest): Promise<Either<QueryEngineError, ExportState>> {
    const { user = null } = this.#options(request);
    const page = await this.client.next(address, user);
    if (isLeft(page)) {
      if (page.left.kind === 'unavailable') return page;
      // A query whose later pages another process requested cannot be polled, and must not continue to write.
      if (page.left.kind === 'unknown_query') await this.client.cancel(address, user);
      await this.#drop(request);
      return page;
    }
    const { queryId, nextUri, updateCount } = page.right;
    if (nextUri !== null) return right({ state: 'running', queryId, nextUri, ownedByWorker: false });
    return this.#finish(request, queryId, updateCount);
  }

  cancel(address: string): ReturnType<QueryEngine['cancelExport']> {
    return this.client.cancel(address);
  }

  /** Drops leftover tables of exports that started before a time; returns their number. */
  removeLeftovers(before: Date): Promise<Either<QueryEngineError, number>> {
    return this.settings.method === 'unload' ? Promise.resolve(right(0)) : this.#tables.dropOlder(before);
  }

  async #columns(request: ExportRequest): Promise<Either<QueryEngineError, ExportedQuery>> {
    const described = await this.describe(request.sql, this.#options(request));
    if (isLeft(described)) return described;
    const columns: NamedColumn[] = [];
    for (const name of request.columns) {
      const found = findWantedColumn(name, described.right);
      const exported = isLeft(found) ? found : exportedColumn(found.right.column);
      if (isLeft(exported)) return left({ kind: 'invalid_sql', message: exported.left, position: null });
      if (!isLeft(found)) columns.push({ ...exported.right, name, source: `q.c${found.right.index}` });
    }
    return right({ columns, aliases: described.right.map((_, index) => `c${index}`) });
  }

  async #finish(
    request: ExportRequest,
    queryId: string,
    rows: number | null,
  ): Promise<Either<QueryEngineError, ExportState>> {
    const [stored] = await Promise.all([request.destination.storedFiles(), this.#drop(request)]);
    if (isLeft(stored)) return left({ kind: 'query_failed', message: stored.left, canRetry: true });
    const counted = stored.right.reduce((sum, file) => sum + file.rows, 0);
    if (rows !== null && counted !== rows) {
      const message = `Trino wrote ${rows} rows, but the files in the object store have ${counted}`;
      return left({ kind: 'query_failed', message, canRetry: true });
    }
    if (stored.right.length > 0) return right({ state: 'finished', queryId, storedFiles: stored.right });
    const empty = await this.#storeEmpty(request);
    return isLeft(empty) ? empty : right({ state: 'finished', queryId, storedFiles: [empty.right] });
  }

  async #drop({ destination }: ExportRequest): Promise<void> {
    if (this.settings.method === 'ctas') await this.#tables.drop(destination.url);
  }

  /** Trino writes no file for no rows. */
  async #storeEmpty(request: ExportRequest): Promise<Either<QueryEngineError, StoredFile>> {
    const columns = await this.#columns(request);
    if (isLeft(columns)) return columns;
    const path = join(request.scratchDirectory, 'empty.parquet');
    await writeEmptyParquet(
      path,
      columns.right.columns.map(({ name, duckdbType }) => ({ name, type: duckdbType })),
    );
    return request.destination.put('part-0.parquet', path);
  }

  #options({ catalog, owner = null, tags = [] }: ExportRequest): Partial<StatementOptions> {
    const { impersonation, defaultCatalog, defaultSchema } = this.settings;
    const user = impersonation ? owner : null;
    return { catalog: catalog ?? defaultCatalog, schema: defaultSchema, user, tags };
  }
}

const selectOf = ({ sql }: ExportRequest, { columns, aliases }: ExportedQuery): string => {
  const list = columns.map(({ name, source, expression }) => `${expression(source)} AS ${sqlName(name)}`);
  return `SELECT ${list.join(', ')} FROM (\n${sql}\n) AS q (${aliases.join(', ')})`;
};

const unloadStatement = (catalog: string, query: string, url: string): string =>
  `SELECT * FROM TABLE(${sqlName(catalog)}.system.unload(
    input => TABLE(${query}), location => ${sqlString(url)}, format => 'PARQUET'))`;
