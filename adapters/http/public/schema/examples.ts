import { type ExampleRequests } from '../../kit';

export const schemaExamples: ExampleRequests = {
  listSchemaCatalogs: [{ summary: 'Every catalog there is', as: 'ada', status: 200 }],
  listCatalogSchemas: [
    { summary: 'The schemas of a catalog', as: 'ada', params: { catalog: 'town' }, status: 200 },
    { summary: 'Unknown catalog', as: 'ada', params: { catalog: 'country' }, status: 404 },
  ],
  listSchemaTables: [
    { summary: 'The tables of a schema', as: 'ada', params: { catalog: 'town', schema: 'main' }, status: 200 },
  ],
  listTableColumns: [
    {
      summary: 'The columns of a table',
      as: 'ada',
      params: { catalog: 'town', schema: 'main', table: 'friends' },
      status: 200,
    },
  ],
  sampleTableRows: [
    {
      summary: 'Two people',
      as: 'ada',
      params: { catalog: 'town', schema: 'main', table: 'people' },
      query: { limit: 2 },
      status: 200,
    },
  ],
  searchSchemaTables: [{ summary: 'Tables whose names begin with fr', as: 'ada', query: { q: 'FR' }, status: 200 }],
  searchSchemaColumns: [
    { summary: 'Columns whose names begin with na', as: 'ada', query: { q: 'na', limit: 1 }, status: 200 },
  ],
  refreshSchemaCache: [{ summary: 'After a change in the warehouse', as: 'anna', status: 200 }],
  browseCatalogs: [{ summary: 'What queries may read', as: 'ada', status: 200 }],
  browseSchemas: [
    { summary: 'The schemas of a catalog', as: 'ada', query: { catalog: 'town' }, status: 200 },
    { summary: 'Unknown catalog', as: 'ada', query: { catalog: 'country' }, status: 404 },
  ],
  browseTables: [
    { summary: 'The tables of a schema', as: 'ada', query: { catalog: 'town', schema: 'main' }, status: 200 },
  ],
  browseColumns: [
    {
      summary: 'The columns of a table',
      as: 'ada',
      query: { catalog: 'town', schema: 'main', table: 'people' },
      status: 200,
    },
    { summary: 'No table is named', as: 'ada', query: { catalog: 'town', schema: 'main' }, status: 400 },
  ],
  parseSql: [
    {
      summary: 'Definitions for two queries',
      as: 'ada',
      body: {
        node_queries: ['SELECT id, name, age FROM people'],
        edge_queries: ['-- name: KNOWS\nSELECT a, b, since FROM friends'],
      },
      status: 200,
    },
  ],
  validateSql: [
    { summary: 'A valid query', as: 'ada', body: { sql: 'SELECT id, name FROM people' }, status: 200 },
    { summary: 'An invalid query', as: 'ada', body: { sql: 'SELECT id, nam FROM people' }, status: 200 },
  ],
  // The last two: with a second catalog, queries name the catalog of each table.
  addSample: [
    { summary: 'A graph to try', as: 'anna', status: 200 },
    { summary: 'Not for analysts', as: 'ada', status: 403 },
  ],
  getSchemaStats: [
    { summary: 'How much is cached', as: 'anna', status: 200 },
    { summary: 'Not for analysts', as: 'ada', status: 403 },
  ],
};
