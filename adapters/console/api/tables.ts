import { useQuery } from '@tanstack/react-query';
import { type ApiClient } from '../../client/web';
import { need } from './failure';
import { useSession } from './session-context';
import { type Table, type TableName } from './table';

/** Names of all tables the caller may read. */
export const useTableNames = () => {
  const { api } = useSession();
  return useQuery({ queryKey: ['tables'], queryFn: () => tableNames(api) });
};

const tableNames = async (api: ApiClient): Promise<readonly TableName[]> => {
  const catalogs = need(await api.listSchemaCatalogs({ query: { limit: 100 } }), ({ data }) => data);
  const found = await Promise.all(
    catalogs.map(async ({ catalog_name: catalog }) => {
      const schemas = need(
        await api.listCatalogSchemas({ params: { catalog }, query: { limit: 100 } }),
        ({ data }) => data,
      );
      return Promise.all(schemas.map(({ schema_name: schema }) => tablesOf(api, catalog, schema)));
    }),
  );
  return found.flat(2);
};

const tablesOf = async (api: ApiClient, catalog: string, schema: string): Promise<readonly TableName[]> =>
  need(await api.listSchemaTables({ params: { catalog, schema }, query: { limit: 100 } }), ({ data }) =>
    data.map(({ table_name: table }) => ({ catalog, schema, table })),
  );

/** The chosen tables with their columns. */
export const useTables = (names: readonly TableName[]) => {
  const { api } = useSession();
  return useQuery({
    queryKey: ['columns', names],
    queryFn: () => Promise.all(names.map((name) => withColumns(api, name))),
    enabled: names.length > 0,
    placeholderData: (before) => before,
  });
};

const withColumns = async (api: ApiClient, name: TableName): Promise<Table> => ({
  ...name,
  columns: need(await api.listTableColumns({ params: { ...name }, query: { limit: 100 } }), ({ data }) =>
    data.map((column) => ({ name: column.column_name, type: column.data_type, isNullable: column.is_nullable })),
  ),
});

/** Some rows of a table, values as text. */
export const useSampleRows = (name: TableName) => {
  const { api } = useSession();
  const { catalog, schema, table } = name;
  return useQuery({
    queryKey: ['sample-rows', catalog, schema, table],
    staleTime: Infinity,
    queryFn: async ({ signal }) =>
      need(
        await api.sampleTableRows({ params: { catalog, schema, table }, query: { limit: 3 }, signal }),
        ({ data }) => data,
      ),
  });
};

/** Definitions for queries, with the types the query engine finds. */
export const describeQueries = async (
  api: ApiClient,
  node_queries: readonly string[],
  edge_queries: readonly string[],
) => need(await api.parseSql({ body: { node_queries, edge_queries } }), ({ data }) => data);
