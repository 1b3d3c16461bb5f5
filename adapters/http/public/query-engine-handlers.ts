import { right } from 'fp-ts/Either';
import { refuseForbidden } from '../../../domain/schema-cache';
import {
  listCachedCatalogs,
  listCachedColumns,
  listCachedSchemas,
  listCachedTables,
  readLastRefresh,
} from '../../../queries/schema-cache';
import { type Handlers } from '../kit';
import { type Caller, type PublicDependencies } from './public-dependencies';
import { type queryEngineEndpoints } from './query-engine-endpoints';
import { notCached } from './schema-handlers';

export const queryEngineHandlers = ({
  db,
  schema: { allowList },
}: PublicDependencies): Handlers<typeof queryEngineEndpoints, Caller> => ({
  browseCatalogs: async () => {
    const catalogs = await listCachedCatalogs(db, allowList);
    const body = { catalogs: catalogs.map((row) => row.catalog_name), cached_at: await readLastRefresh(db) };
    return right({ body });
  },

  browseSchemas: async ({ query: { catalog } }) => {
    const refusal = refuseForbidden(allowList, catalog);
    if (refusal !== null) return refusal;
    const found = await listCachedSchemas(db, allowList, catalog);
    if (found === null) return notCached('catalog', { catalog });
    const { schemas, cached_at } = found;
    return right({ body: { catalog, schemas: schemas.map((row) => row.schema_name), cached_at } });
  },

  browseTables: async ({ query: { catalog, schema } }) => {
    const refusal = refuseForbidden(allowList, catalog, schema);
    if (refusal !== null) return refusal;
    const tables = await listCachedTables(db, allowList, catalog, schema);
    const [first] = tables ?? [];
    if (tables === null || first === undefined) return notCached('schema', { catalog, schema });
    const names = tables.map((row) => row.table_name);
    return right({ body: { catalog, schema, tables: names, cached_at: first.cached_at } });
  },

  browseColumns: async ({ query: { catalog, schema, table } }) => {
    const refusal = refuseForbidden(allowList, catalog, schema);
    if (refusal !== null) return refusal;
    const rows = await listCachedColumns(db, allowList, [catalog, schema, table]);
    const [first] = rows ?? [];
    if (rows === null || first === undefined) return notCached('table', { catalog, schema, table });
    const columns = rows.map((row) => ({ name: row.column_name, type: row.data_type, nullable: row.is_nullable }));
    return right({ body: { catalog, schema, table, columns, cached_at: first.cached_at } });
  },
});
