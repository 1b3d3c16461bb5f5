import { useAnswer } from './use-answer';

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
  useAnswer(['found-tables', q], (api, signal) => api.searchSchemaTables({ query: { q, limit: 100 }, signal }), {
    keepPrevious: true,
  });

/** Columns whose name starts with a text. */
export const useFoundColumns = (q: string) =>
  useAnswer(['found-columns', q], (api, signal) => api.searchSchemaColumns({ query: { q, limit: 100 }, signal }), {
    keepPrevious: true,
  });
