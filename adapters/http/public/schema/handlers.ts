import { type Either, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../../../domain/kernel/errors';
import {
  listCachedCatalogs,
  listCachedColumns,
  listCachedSchemas,
  listCachedTables,
} from '../../../../queries/schema-cache';
import { readSchemaStats, searchColumns, searchTables } from '../../../../queries/schema-search';
import { type Handlers } from '../../kit';
import { type Caller, type PublicDependencies } from '../public-dependencies';
import { SEARCH_LIMIT, type schemaEndpoints } from './endpoints';

export const schemaHandlers = ({
  db,
  schema: { allowList, refresh },
}: PublicDependencies): Handlers<typeof schemaEndpoints, Caller> => ({
  listSchemaCatalogs: async () => right({ body: await listCachedCatalogs(db, allowList) }),

  listCatalogSchemas: async ({ params }) => {
    const found = await listCachedSchemas(db, allowList, params.catalog);
    return found === null ? notCached('catalog', params) : right({ body: found.schemas });
  },

  listSchemaTables: async ({ params }) => {
    const tables = await listCachedTables(db, allowList, params.catalog, params.schema);
    return tables === null ? notCached('schema', params) : right({ body: tables });
  },

  listTableColumns: async ({ params }) => {
    const columns = await listCachedColumns(db, allowList, [params.catalog, params.schema, params.table]);
    return columns === null ? notCached('table', params) : right({ body: columns });
  },

  searchSchemaTables: async ({ query: { q, limit = SEARCH_LIMIT } }) =>
    right({ body: await searchTables(db, allowList, q, limit) }),

  searchSchemaColumns: async ({ query: { q, limit = SEARCH_LIMIT } }) =>
    right({ body: await searchColumns(db, allowList, q, limit) }),

  refreshSchemaCache: () => Promise.resolve(right({ body: { status: refresh() } })),

  getSchemaStats: async () => right({ body: await readSchemaStats(db, allowList) }),
});

/** `place` names what was looked for, from the catalog down. */
export const notCached = (
  kind: 'catalog' | 'schema' | 'table',
  place: Readonly<Record<string, string>>,
): Either<DomainError<'RESOURCE_NOT_FOUND'>, never> => {
  const name = Object.values(place).join('.');
  const message = `The ${kind} ${name} is not in the schema cache. Names are case-sensitive; list what is there, or ask an admin to refresh the cache.`;
  return left(domainError('RESOURCE_NOT_FOUND', message, place));
};
