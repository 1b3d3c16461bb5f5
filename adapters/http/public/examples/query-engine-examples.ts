import { type OperationExamples } from '../../kit';

export const queryEngineExamples: OperationExamples = {
  browseCatalogs: [
    {
      summary: 'What queries may read',
      as: 'ada',
      status: 200,
      answer: { catalogs: ['town'], cached_at: '2026-11-21T19:00:30.765Z' },
    },
  ],
  browseSchemas: [
    {
      summary: 'The schemas of a catalog',
      as: 'ada',
      query: { catalog: 'town' },
      status: 200,
      answer: { catalog: 'town', schemas: ['main'], cached_at: '2026-11-21T19:00:30.701Z' },
    },
    {
      summary: 'There is no such catalog',
      as: 'ada',
      query: { catalog: 'country' },
      status: 404,
      answer: {
        code: 'RESOURCE_NOT_FOUND',
        message:
          'The catalog country is not in the schema cache. Names are case-sensitive; list what is there, or ask an admin to refresh the cache.',
        details: { catalog: 'country' },
      },
    },
  ],
  browseTables: [
    {
      summary: 'The tables of a schema',
      as: 'ada',
      query: { catalog: 'town', schema: 'main' },
      status: 200,
      answer: {
        catalog: 'town',
        schema: 'main',
        tables: ['contacts', 'crowd', 'friends', 'people'],
        cached_at: '2026-11-21T19:00:30.701Z',
      },
    },
  ],
  browseColumns: [
    {
      summary: 'The columns of a table',
      as: 'ada',
      query: { catalog: 'town', schema: 'main', table: 'people' },
      status: 200,
      answer: {
        catalog: 'town',
        schema: 'main',
        table: 'people',
        columns: [
          { name: 'id', type: 'bigint', nullable: true },
          { name: 'name', type: 'varchar', nullable: true },
          { name: 'age', type: 'bigint', nullable: true },
        ],
        cached_at: '2026-11-21T19:00:30.701Z',
      },
    },
    {
      summary: 'No table is named',
      as: 'ada',
      query: { catalog: 'town', schema: 'main' },
      status: 400,
      answer: {
        code: 'VALIDATION_FAILED',
        message: 'table is required.',
        details: { field: 'table', errors: [{ field: 'table', message: 'is required' }] },
      },
    },
  ],
};
