import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  type EngineColumn,
  type QueryEngineError,
  type SampledRow,
  type SharedQueryEngine,
} from '../../domain/ports/query-engine';
import { sqlName } from '../duckdb/sql-text';
import { createTrinoCatalogs, plainType } from './trino-catalogs';
import { type StatementOptions, TrinoClient, type TrinoClientSettings } from './trino-client';
import { TrinoExports, type TrinoExportSettings } from './trino-exports';
import { exportedColumn } from './trino-types';

export type TrinoSettings = TrinoClientSettings & TrinoExportSettings;

const describedColumn = (column: EngineColumn): EngineColumn => {
  const exported = exportedColumn(column);
  return isLeft(exported) ? { ...column, refusal: exported.left } : column;
};

const NamesAndTypes = t.readonlyArray(t.tuple([t.string, t.string]));
const DESCRIBE_MS = 30_000;
const VALIDATE = 'EXPLAIN (TYPE VALIDATE)\n';

/** A Trino server as the query engine. It connects at the first call. */
export const createTrinoQueryEngine = (settings: TrinoSettings): SharedQueryEngine => {
  const client = new TrinoClient(settings);
  const defaults = { catalog: settings.defaultCatalog, schema: settings.defaultSchema };

  /** Neither statement executes the query. */
  const describe = async (
    sql: string,
    options: Partial<StatementOptions>,
  ): Promise<Either<QueryEngineError, readonly EngineColumn[]>> => {
    const timeout = AbortSignal.timeout(DESCRIBE_MS);
    // Only a query can stand in parentheses.
    const prepared = { q: `SELECT * FROM (\n${sql}\n) AS q` };
    const output = await client.run('DESCRIBE OUTPUT q', { ...options, prepared }, timeout);
    if (isLeft(output)) {
      if (output.left.kind === 'unavailable') return output;
      // For the unwrapped text Trino reports the exact error and its position.
      const valid = await client.run(VALIDATE + sql, options, timeout);
      if (isLeft(valid)) return left(inUsersText(valid.left));
      if (output.left.kind !== 'invalid_sql') return output;
      return left({
        ...output.left,
        message: `only a query that reads is allowed: ${output.left.message}`,
        position: null,
      });
    }
    // The first column is the name, the fifth the type.
    const rows = NamesAndTypes.decode(output.right.rows.map((row) => [row[0], row[4]]));
    if (isLeft(rows)) {
      return left({ kind: 'query_failed', message: 'DESCRIBE OUTPUT has an unknown form', canRetry: false });
    }
    return right(rows.right.map(([name, type]) => describedColumn({ name, type: plainType(type) })));
  };

  const exports = new TrinoExports(client, settings, describe);
  return {
    ...createTrinoCatalogs(client, defaults),
    describe: (sql, catalog = null) => describe(sql, { ...defaults, catalog: catalog ?? defaults.catalog }),
    refresh: () => Promise.resolve(right(undefined)),
    ping: async () => {
      const answer = await client.run('SELECT 1');
      return isLeft(answer) ? answer : right(undefined);
    },
    sampleRows: async (path, limit, user) => {
      const sql = `SELECT * FROM ${path.map(sqlName).join('.')} LIMIT ${limit}`;
      const options = settings.impersonation ? { user } : {};
      const answer = await client.run(sql, options, AbortSignal.timeout(DESCRIBE_MS));
      return isLeft(answer) ? answer : right(answer.right.rows.map((row) => sampledRow(answer.right.columns, row)));
    },
    submitExport: (request) => exports.submit(request),
    pollExport: (nextUri, request) => exports.poll(nextUri, request),
    cancelExport: (nextUri) => exports.cancel(nextUri),
    removeLeftovers: (before) => exports.removeLeftovers(before),
  };
};

/** In characters, as DuckDB counts them. */
const MAX_SAMPLED = 500;

const sampledRow = (columns: readonly { readonly name: string }[], row: readonly unknown[]): SampledRow =>
  Object.fromEntries(columns.map(({ name }, index) => [name, sampledText(row[index])]));

const sampledText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  // JSON has no bigint, NaN and Infinity; nested values stay as they arrived, without these.
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  const text = typeof value === 'string' || isNumber ? value.toString() : JSON.stringify(value);
  return [...text.slice(0, 2 * MAX_SAMPLED)].slice(0, MAX_SAMPLED).join('');
};

/** The position in the original text: the sent statement begins one line earlier. */
const inUsersText = (error: QueryEngineError): QueryEngineError => {
  if (error.kind !== 'invalid_sql' || error.position === null) return error;
  const { line, column } = error.position;
  return { ...error, position: line < 2 ? null : { line: line - 1, column } };
};
