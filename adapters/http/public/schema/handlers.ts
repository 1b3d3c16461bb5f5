import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../../../domain/kernel/errors';
import { type AllowList } from '../../../../domain/schema-cache';
import { refusalOfEngine } from '../../../../domain/sql/check-query';
import { type ReadDatabase } from '../../../../queries/kit/database';
import {
  type CachedPlace,
  findCachedAt,
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
  listSchemaCatalogs: ({ query }) => replyPage(query, (page) => listCachedCatalogs(db, allowList, query, page)),

  listCatalogSchemas: ({ params, query }) =>
    ifCached(db, allowList, params, () =>
      replyPage(query, (page) => listCachedSchemas(db, allowList, params, query, page)),
    ),

  listSchemaTables: ({ params, query }) =>
    ifCached(db, allowList, params, () =>
      replyPage(query, (page) => listCachedTables(db, allowList, params, query, page)),
    ),

  listTableColumns: ({ params, query }) =>
    ifCached(db, allowList, params, () =>
      replyPage(query, (page) => listCachedColumns(db, allowList, params, query, page)),
    ),

  sampleTableRows: ({ params, query: { limit = SAMPLED_ROWS }, identity }) =>
    ifCached(db, allowList, params, async () => {
      const path = [params.catalog, params.schema, params.table] as const;
      const rows = await engine.sampleRows(path, limit, identity.username);
      if (isLeft(rows)) return left(refusalOfEngine(rows.left, 'The rows could not be read'));
      return right({ body: rows.right });
    }),

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

/** Calls `reply` with the age of what is cached of a place; the error for a place that is not cached. */
export const ifCached = async <F, A>(
  db: ReadDatabase,
  allowList: AllowList,
  place: CachedPlace,
  reply: (cachedAt: string) => Promise<Either<F, A>>,
): Promise<Either<F | DomainError<'RESOURCE_NOT_FOUND'>, A>> => {
  const cachedAt = await findCachedAt(db, allowList, place);
  if (cachedAt !== null) return reply(cachedAt);
  const name = Object.values(place).join('.');
  const message = `The ${Object.keys(place).at(-1)} ${name} is not in the schema cache. Names are case-sensitive; list what is there, or ask an admin to refresh the cache.`;
  return left(domainError('RESOURCE_NOT_FOUND', message, { ...place }));
};
