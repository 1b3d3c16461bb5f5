import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../../../domain/kernel/errors';
import { refusalOfEngine } from '../../../../domain/sql/check-query';
import { type ListQuery, pageOfRows } from '../../../../queries/kit/list';
import {
  listCachedCatalogs,
  listCachedColumns,
  listCachedSchemas,
  listCachedTables,
  readSchemaStats,
  searchColumns,
  searchTables,
} from '../../../../queries/schema-cache';
import { replyPage } from '../codecs';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';
import { SAMPLED_ROWS, type schemaEndpoints, SEARCH_LIMIT } from './endpoints';

export const schemaHandlers = ({
  db,
  ports,
  schema: { allowList, engine, refresh, sample },
}: PublicDependencies): PublicHandlers<typeof schemaEndpoints> => ({
  listSchemaCatalogs: async ({ query }) =>
    pageOf(await listCachedCatalogs(db, allowList), query, (row) => row.catalog_name),

  listCatalogSchemas: async ({ params, query }) => {
    const found = await listCachedSchemas(db, allowList, params.catalog);
    return found === null ? notCached('catalog', params) : pageOf(found.schemas, query, (row) => row.schema_name);
  },

  listSchemaTables: async ({ params, query }) => {
    const tables = await listCachedTables(db, allowList, params.catalog, params.schema);
    return tables === null ? notCached('schema', params) : pageOf(tables, query, (row) => row.table_name);
  },

  listTableColumns: async ({ params, query }) => {
    const columns = await listCachedColumns(db, allowList, [params.catalog, params.schema, params.table]);
    return columns === null ? notCached('table', params) : pageOf(columns, query, (row) => row.column_name);
  },

  sampleTableRows: async ({ params, query: { limit = SAMPLED_ROWS }, identity }) => {
    const path = [params.catalog, params.schema, params.table] as const;
    if ((await listCachedColumns(db, allowList, path)) === null) return notCached('table', params);
    const rows = await engine.sampleRows(path, limit, identity.username);
    if (isLeft(rows)) return left(refusalOfEngine(rows.left, 'The rows could not be read'));
    return right({ body: rows.right });
  },

  searchSchemaTables: ({ query }) =>
    replyPage({ limit: SEARCH_LIMIT, ...query }, (page) => searchTables(db, allowList, query.q, page)),

  searchSchemaColumns: ({ query }) =>
    replyPage({ limit: SEARCH_LIMIT, ...query }, (page) => searchColumns(db, allowList, query.q, page)),

  refreshSchemaCache: () => {
    const requested_at = ports.clock.now().toISOString();
    return Promise.resolve(right({ body: { status: refresh(), requested_at } }));
  },

  addSample: async () => {
    if (sample === null) {
      const message = 'The warehouse is not of this system: add tables there, and define a mapping of them.';
      return left(domainError('INVALID_STATE', message));
    }
    await sample.write();
    refresh();
    return right({ body: sample.mapping });
  },

  getSchemaStats: async () => right({ body: await readSchemaStats(db, allowList) }),
});

/** A page of cached entries; the search matches their names. */
const pageOf = <R extends object>(
  rows: readonly R[],
  query: ListQuery & Parameters<typeof replyPage>[0],
  nameOf: (row: R) => string,
) => replyPage(query, (page) => Promise.resolve(pageOfRows(rows, query, page, { searched: (row) => [nameOf(row)] })));

/** `place` is the path of what was not found, from the catalog down. */
export const notCached = (
  kind: 'catalog' | 'schema' | 'table',
  place: Readonly<Record<string, string>>,
): Either<DomainError<'RESOURCE_NOT_FOUND'>, never> => {
  const name = Object.values(place).join('.');
  const message = `The ${kind} ${name} is not in the schema cache. Names are case-sensitive; list what is there, or ask an admin to refresh the cache.`;
  return left(domainError('RESOURCE_NOT_FOUND', message, place));
};
