import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, invalidField } from '../../../../domain/kernel/errors';
import { MAX_EDGES, MAX_NODES } from '../../../../domain/mapping';
import { refuseForbidden } from '../../../../domain/schema-cache';
import { typeWarnings } from '../../../../domain/sql-tools';
import { inspectQuery, parseQueries } from '../../../../queries/inspect-query';
import { type CachedPlace, readLastRefresh, schemaCache } from '../../../../queries/schema-cache';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';
import { ifCached } from '../schema/handlers';
import { type queryEngineEndpoints } from './endpoints';

/** Timeout for all queries of one request. */
const PARSE_MS = 60_000;

export const queryEngineHandlers = ({
  db,
  schema: { allowList, engine },
}: PublicDependencies): PublicHandlers<typeof queryEngineEndpoints> => {
  const cache = schemaCache(db, allowList);
  /** Replies with what is cached of a place that users may browse. */
  const browse = async <P extends CachedPlace, A>(place: P, read: (place: P) => Promise<A>) => {
    const reply = async (cached_at: string) => right({ body: { ...place, ...(await read(place)), cached_at } });
    return refuseForbidden(allowList, place.catalog, place.schema) ?? ifCached(cache, place, reply);
  };

  return {
    browseCatalogs: async () => {
      const { items } = await cache.listCatalogs();
      const readable = items.filter(({ problem, schema_count }) => problem === null || schema_count > 0);
      const body = { catalogs: readable.map((row) => row.catalog_name), cached_at: await readLastRefresh(db) };
      return right({ body });
    },

    browseSchemas: ({ query: { catalog } }) =>
      browse({ catalog }, async (place) => {
        const { items } = await cache.listSchemas(place);
        return { schemas: items.map((row) => row.schema_name) };
      }),

    browseTables: ({ query: { catalog, schema } }) =>
      browse({ catalog, schema }, async (place) => {
        const { items } = await cache.listTables(place);
        return { tables: items.map((row) => row.table_name) };
      }),

    browseColumns: ({ query: { catalog, schema, table } }) =>
      browse({ catalog, schema, table }, async (place) => {
        const { items } = await cache.listColumns(place);
        const columns = items.map((row) => ({ name: row.column_name, type: row.data_type, nullable: row.is_nullable }));
        return { columns };
      }),

    parseSql: async ({ body: { node_queries = [], edge_queries = [] } }) => {
      const refusal = refuseCounts(node_queries, edge_queries);
      if (refusal !== null) return refusal;
      const signal = AbortSignal.timeout(PARSE_MS);
      const suggested = await parseQueries({ engine, allowList }, { node_queries, edge_queries }, signal);
      return isLeft(suggested) ? suggested : right({ body: suggested.right });
    },

    validateSql: async ({ body: { sql } }) => {
      const inspected = await inspectQuery({ engine, allowList }, sql);
      if (isLeft(inspected)) return inspected;
      if (inspected.right.isValid) {
        const { columns } = inspected.right;
        const named = columns.map(({ name, type }) => ({ name, type }));
        return right({ body: { valid: true, columns: named, warnings: columns.flatMap(typeWarnings) } });
      }
      const { error, position } = inspected.right;
      return right({ body: { valid: false, error, position } });
    },
  };
};

const refuseCounts = (
  nodes: readonly string[],
  edges: readonly string[],
): Either<DomainError<'VALIDATION_FAILED'>, never> | null => {
  if (nodes.length + edges.length === 0) return left(invalidField('node_queries', 'or edge_queries must have a query'));
  for (const [field, { length }, most] of [
    ['node_queries', nodes, MAX_NODES],
    ['edge_queries', edges, MAX_EDGES],
  ] as const) {
    if (length > most) return left(invalidField(field, `must have at most ${most} queries, not ${length}`));
  }
  return null;
};
