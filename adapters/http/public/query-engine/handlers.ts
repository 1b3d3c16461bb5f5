import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, invalidField } from '../../../../domain/kernel/errors';
import { MAX_EDGES, MAX_NODES } from '../../../../domain/mapping';
import { refuseForbidden } from '../../../../domain/schema-cache';
import { typeWarnings } from '../../../../domain/sql-tools';
import { inspectQuery, parseQueries } from '../../../../queries/inspect-query';
import { readLastRefresh, schemaCache } from '../../../../queries/schema-cache';
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
  return {
    browseCatalogs: async () => {
      const { items } = await cache.listCatalogs();
      const readable = items.filter(({ problem, schema_count }) => problem === null || schema_count > 0);
      const body = { catalogs: readable.map((row) => row.catalog_name), cached_at: await readLastRefresh(db) };
      return right({ body });
    },

    browseSchemas: async ({ query: { catalog } }) => {
      const refusal = refuseForbidden(allowList, catalog);
      if (refusal !== null) return refusal;
      return ifCached(cache, { catalog }, async (cached_at) => {
        const { items } = await cache.listSchemas({ catalog });
        return right({ body: { catalog, schemas: items.map((row) => row.schema_name), cached_at } });
      });
    },

    browseTables: async ({ query: { catalog, schema } }) => {
      const refusal = refuseForbidden(allowList, catalog, schema);
      if (refusal !== null) return refusal;
      return ifCached(cache, { catalog, schema }, async (cached_at) => {
        const { items } = await cache.listTables({ catalog, schema });
        return right({ body: { catalog, schema, tables: items.map((row) => row.table_name), cached_at } });
      });
    },

    browseColumns: async ({ query: { catalog, schema, table } }) => {
      const refusal = refuseForbidden(allowList, catalog, schema);
      if (refusal !== null) return refusal;
      return ifCached(cache, { catalog, schema, table }, async (cached_at) => {
        const { items } = await cache.listColumns({ catalog, schema, table });
        const columns = items.map((row) => ({ name: row.column_name, type: row.data_type, nullable: row.is_nullable }));
        return right({ body: { catalog, schema, table, columns, cached_at } });
      });
    },

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
