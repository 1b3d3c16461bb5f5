import { type OperationExamples } from '../../kit';

export const queryEngineExamples: OperationExamples = {
  browseCatalogs: [
    {
      summary: 'What queries may read',
      as: 'ada',
      status: 200,
      answer: { catalogs: ['town'], cached_at: '2026-11-21T19:13:53.960Z' },
    },
  ],
  browseSchemas: [
    {
      summary: 'The schemas of a catalog',
      as: 'ada',
      query: { catalog: 'town' },
      status: 200,
      answer: { catalog: 'town', schemas: ['main'], cached_at: '2026-11-21T19:13:53.762Z' },
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
        cached_at: '2026-11-21T19:13:53.762Z',
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
        cached_at: '2026-11-21T19:13:53.762Z',
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
  parseSql: [
    {
      summary: 'Definitions for two queries',
      as: 'ada',
      body: {
        node_queries: ['SELECT id, name, age FROM people'],
        edge_queries: ['-- name: KNOWS\nSELECT a, b, since FROM friends'],
      },
      status: 200,
      answer: {
        node_definitions: [
          {
            label: 'people',
            sql: 'SELECT id, name, age FROM people',
            primary_key: { name: 'id', type: 'INT64' },
            properties: [
              { name: 'name', type: 'STRING' },
              { name: 'age', type: 'INT64' },
            ],
            inferred: { label: true, primary_key: true },
          },
        ],
        edge_definitions: [
          {
            type: 'KNOWS',
            sql: '-- name: KNOWS\nSELECT a, b, since FROM friends',
            from_key: 'a',
            to_key: 'b',
            from_node: null,
            to_node: null,
            properties: [{ name: 'since', type: 'DATE' }],
            inferred: { type: false, from_key: true, to_key: true },
            warnings: ['from_node and to_node must be set by hand to the labels of the nodes the keys refer to'],
          },
        ],
        warnings: [],
      },
    },
  ],
  validateSql: [
    {
      summary: 'A query that is right',
      as: 'ada',
      body: { sql: 'SELECT id, name FROM people' },
      status: 200,
      answer: {
        valid: true,
        columns: [
          { name: 'id', type: 'bigint' },
          { name: 'name', type: 'varchar' },
        ],
      },
    },
    {
      summary: 'A query that is not right',
      as: 'ada',
      body: { sql: 'SELECT id, nam FROM people' },
      status: 200,
      answer: {
        valid: false,
        error: 'Referenced column "nam" not found in FROM clause!\nCandidate bindings: "name"',
        position: { line: 1, column: 12 },
      },
    },
  ],
};
