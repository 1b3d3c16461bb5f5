import { type ExampleRequests } from '../../kit';

export const queryEngineExamples: ExampleRequests = {
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
};
