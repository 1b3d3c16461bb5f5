import { type OperationExamples } from '../../kit';

export const schemaExamples: OperationExamples = {
  listSchemaCatalogs: [
    {
      summary: 'Every catalog there is',
      as: 'ada',
      status: 200,
      answer: [{ catalog_name: 'town', schema_count: 1, cached_at: '2026-11-21T19:00:30.701Z' }],
    },
  ],
  listCatalogSchemas: [
    {
      summary: 'The schemas of a catalog',
      as: 'ada',
      params: { catalog: 'town' },
      status: 200,
      answer: [{ catalog_name: 'town', cached_at: '2026-11-21T19:00:30.701Z', schema_name: 'main', table_count: 4 }],
    },
    {
      summary: 'There is no such catalog',
      as: 'ada',
      params: { catalog: 'country' },
      status: 404,
      answer: {
        code: 'RESOURCE_NOT_FOUND',
        message:
          'The catalog country is not in the schema cache. Names are case-sensitive; list what is there, or ask an admin to refresh the cache.',
        details: { catalog: 'country' },
      },
    },
  ],
  listSchemaTables: [
    {
      summary: 'The tables of a schema',
      as: 'ada',
      params: { catalog: 'town', schema: 'main' },
      status: 200,
      answer: [
        {
          catalog_name: 'town',
          schema_name: 'main',
          table_name: 'contacts',
          table_type: 'TABLE',
          column_count: 2,
          cached_at: '2026-11-21T19:00:30.701Z',
        },
        {
          catalog_name: 'town',
          schema_name: 'main',
          table_name: 'crowd',
          table_type: 'TABLE',
          column_count: 2,
          cached_at: '2026-11-21T19:00:30.701Z',
        },
        {
          catalog_name: 'town',
          schema_name: 'main',
          table_name: 'friends',
          table_type: 'TABLE',
          column_count: 3,
          cached_at: '2026-11-21T19:00:30.701Z',
        },
        {
          catalog_name: 'town',
          schema_name: 'main',
          table_name: 'people',
          table_type: 'TABLE',
          column_count: 3,
          cached_at: '2026-11-21T19:00:30.701Z',
        },
      ],
    },
  ],
  listTableColumns: [
    {
      summary: 'The columns of a table',
      as: 'ada',
      params: { catalog: 'town', schema: 'main', table: 'friends' },
      status: 200,
      answer: [
        {
          catalog_name: 'town',
          schema_name: 'main',
          table_name: 'friends',
          column_name: 'a',
          data_type: 'bigint',
          is_nullable: true,
          ordinal_position: 1,
          column_default: null,
          cached_at: '2026-11-21T19:00:30.701Z',
        },
        {
          catalog_name: 'town',
          schema_name: 'main',
          table_name: 'friends',
          column_name: 'b',
          data_type: 'bigint',
          is_nullable: true,
          ordinal_position: 2,
          column_default: null,
          cached_at: '2026-11-21T19:00:30.701Z',
        },
        {
          catalog_name: 'town',
          schema_name: 'main',
          table_name: 'friends',
          column_name: 'since',
          data_type: 'date',
          is_nullable: true,
          ordinal_position: 3,
          column_default: null,
          cached_at: '2026-11-21T19:00:30.701Z',
        },
      ],
    },
  ],
  searchSchemaTables: [
    {
      summary: 'Tables whose names begin with fr',
      as: 'ada',
      query: { q: 'FR' },
      status: 200,
      answer: [
        {
          catalog_name: 'town',
          schema_name: 'main',
          table_name: 'friends',
          table_type: 'TABLE',
          column_count: 3,
          cached_at: '2026-11-21T19:00:30.701Z',
        },
      ],
    },
  ],
  searchSchemaColumns: [
    {
      summary: 'Columns whose names begin with na',
      as: 'ada',
      query: { q: 'na', limit: 1 },
      status: 200,
      answer: [
        {
          catalog_name: 'town',
          schema_name: 'main',
          table_name: 'crowd',
          column_name: 'name',
          data_type: 'varchar',
          is_nullable: true,
          ordinal_position: 2,
          column_default: null,
          cached_at: '2026-11-21T19:00:30.701Z',
        },
      ],
    },
  ],
  refreshSchemaCache: [
    { summary: 'After a change in the warehouse', as: 'anna', status: 200, answer: { status: 'started' } },
  ],
  getSchemaStats: [
    {
      summary: 'How much is cached',
      as: 'anna',
      status: 200,
      answer: {
        total_catalogs: 1,
        total_schemas: 1,
        total_tables: 4,
        total_columns: 10,
        last_refresh: '2026-11-21T19:00:30.765Z',
        index_size_bytes: 122880,
      },
    },
    {
      summary: 'Not for analysts',
      as: 'ada',
      status: 403,
      answer: {
        code: 'FORBIDDEN',
        message: 'This needs the role admin; yours is analyst.',
        details: { required_role: 'admin', your_role: 'analyst' },
      },
    },
  ],
};
