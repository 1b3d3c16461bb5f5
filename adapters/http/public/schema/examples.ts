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
  addSample: [
    { summary: 'A graph to try', as: 'anna', status: 200 },
    { summary: 'Not for analysts', as: 'ada', status: 403 },
  ],
  getSchemaStats: [
    { summary: 'How much is cached', as: 'anna', status: 200 },
    { summary: 'Not for analysts', as: 'ada', status: 403 },
  ],
};
