import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../../../domain/kernel/errors';
import { refusalOfEngine } from '../../../../domain/sql/check-query';
import { type CachedPlace, schemaCache } from '../../../../queries/schema-cache';
import { replyPage } from '../codecs';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';
import { SAMPLED_ROWS, type schemaEndpoints, SEARCH_LIMIT } from './endpoints';

export const schemaHandlers = ({
  db,
  ports,
  schema: { allowList, engine, refresh, sample },
}: PublicDependencies): PublicHandlers<typeof schemaEndpoints> => {
  const cache = schemaCache(db, allowList);
  return {
    listSchemaCatalogs: ({ query }) => replyPage(query, (page) => cache.listCatalogs(query, page)),

    listCatalogSchemas: ({ params, query }) =>
      ifCached(cache, params, () => replyPage(query, (page) => cache.listSchemas(params, query, page))),

    listSchemaTables: ({ params, query }) =>
      ifCached(cache, params, () => replyPage(query, (page) => cache.listTables(params, query, page))),

    listTableColumns: ({ params, query }) =>
      ifCached(cache, params, () => replyPage(query, (page) => cache.listColumns(params, query, page))),

    sampleTableRows: ({ params, query: { limit = SAMPLED_ROWS }, identity }) =>
      ifCached(cache, params, async () => {
        const path = [params.catalog, params.schema, params.table] as const;
        const rows = await engine.sampleRows(path, limit, identity.username);
        if (isLeft(rows)) return left(refusalOfEngine(rows.left, 'The rows could not be read'));
        return right({ body: rows.right });
      }),

    searchSchemaTables: ({ query }) =>
      replyPage({ limit: SEARCH_LIMIT, ...query }, (page) => cache.searchTables(query.q, page)),

    searchSchemaColumns: ({ query }) =>
      replyPage({ limit: SEARCH_LIMIT, ...query }, (page) => cache.searchColumns(query.q, page)),

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

    getSchemaStats: async () => right({ body: await cache.readStats() }),
  };
};

/** Calls `reply` with the age of what is cached of a place; the error for a place that is not cached. */
export const ifCached = async <F, A>(
  cache: ReturnType<typeof schemaCache>,
  place: CachedPlace,
  reply: (cachedAt: string) => Promise<Either<F, A>>,
): Promise<Either<F | DomainError<'RESOURCE_NOT_FOUND'>, A>> => {
  const cachedAt = await cache.findCachedAt(place);
  if (cachedAt !== null) return reply(cachedAt);
  const name = Object.values(place).join('.');
  const message = `The ${Object.keys(place).at(-1)} ${name} is not in the schema cache. Names are case-sensitive; list what is there, or ask an admin to refresh the cache.`;
  return left(domainError('RESOURCE_NOT_FOUND', message, { ...place }));
};
