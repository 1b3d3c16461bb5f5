import { useQuery } from '@tanstack/react-query';
import { type Either } from 'fp-ts/Either';
import { type ApiClient, type ClientFailure } from '../../client/web';
import { need } from './failure';
import { useSession } from './session';
import { KEEP_PREVIOUS, useAnswer, useData } from './use-answer';

/** A table of the warehouse, with its columns. */
export interface Table {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

export type TableName = Omit<Table, 'columns'>;

/** Names of all tables that the caller may read. */
export const useTableNames = () => {
  const { api } = useSession();
  return useQuery({ queryKey: ['tables'], queryFn: () => tableNames(api) });
};

const PAGE = 100;
type Page<T> = Promise<Either<ClientFailure, { readonly data: readonly T[] }>>;

/** All items of a list of the API, page by page. */
const every = async <T>(list: (query: { readonly limit: number; readonly offset: number }) => Page<T>) => {
  const found: T[] = [];
  for (let size = PAGE; size === PAGE;) {
    const page = await need(list({ limit: PAGE, offset: found.length }));
    found.push(...page);
    size = page.length;
  }
  return found;
};

const tableNames = async (api: ApiClient): Promise<readonly TableName[]> => {
  const catalogs = await every((query) => api.listSchemaCatalogs({ query }));
  const found = await Promise.all(
    catalogs.map(async ({ catalog_name: catalog }) => {
      const schemas = await every((query) => api.listCatalogSchemas({ params: { catalog }, query }));
      return Promise.all(schemas.map(({ schema_name: schema }) => tablesOf(api, catalog, schema)));
    }),
  );
  return found.flat(2);
};

const tablesOf = async (api: ApiClient, catalog: string, schema: string): Promise<readonly TableName[]> => {
  const tables = await every((query) => api.listSchemaTables({ params: { catalog, schema }, query }));
  return tables.map(({ table_name: table }) => ({ catalog, schema, table }));
};

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

const withColumns = async (api: ApiClient, name: TableName): Promise<Table> => {
  const columns = await every((query) => api.listTableColumns({ params: { ...name }, query }));
  return {
    ...name,
    columns: columns.map((one) => ({ name: one.column_name, type: one.data_type, isNullable: one.is_nullable })),
  };
};

/** Sample rows of a table, with values as text. */
export const useSampleRows = ({ catalog, schema, table }: TableName, limit: number) =>
  useData(
    ['sample-rows', catalog, schema, table, limit],
    (api, signal) => api.sampleTableRows({ params: { catalog, schema, table }, query: { limit }, signal }),
    { staleTime: Infinity },
  );

const query = { limit: 100 };

export const useCatalogs = () => useAnswer(['catalogs'], (api, signal) => api.listSchemaCatalogs({ query, signal }));

export const useSchemas = (catalog: string) =>
  useAnswer(['schemas', catalog], (api, signal) => api.listCatalogSchemas({ params: { catalog }, query, signal }));

export const useSchemaTables = (catalog: string, schema: string) =>
  useAnswer(['schema-tables', catalog, schema], (api, signal) =>
    api.listSchemaTables({ params: { catalog, schema }, query, signal }),
  );

/** Tables whose name starts with a text. */
export const useFoundTables = (q: string) =>
  useAnswer(
    ['found-tables', q],
    (api, signal) => api.searchSchemaTables({ query: { q, limit: 100 }, signal }),
    KEEP_PREVIOUS,
  );

/** Columns whose name starts with a text. */
export const useFoundColumns = (q: string) =>
  useAnswer(
    ['found-columns', q],
    (api, signal) => api.searchSchemaColumns({ query: { q, limit: 100 }, signal }),
    KEEP_PREVIOUS,
  );
