import { type OperationExamples } from '../../kit';
import { KNOWS, PERSON } from './sample-definitions';

export const mappingExamples: OperationExamples = {
  listMappings: [
    {
      summary: 'The mappings of ada whose name or description speaks of a town',
      as: 'ada',
      query: { owner: 'ada', search: 'town', sort_by: 'name', sort_order: 'asc', limit: 20 },
      status: 200,
      answer: [
        {
          id: 1,
          owner_username: 'ada',
          name: 'Town',
          description: 'Who knows whom in town',
          current_version: 2,
          ttl: null,
          inactivity_timeout: 'P30D',
          created_at: '2026-11-21T18:46:29.589Z',
          updated_at: '2026-11-21T18:46:29.679Z',
          snapshot_count: 7,
        },
      ],
      page: { total: 1, offset: 0, limit: 20 },
    },
    {
      summary: 'A page can have 100 items at most',
      as: 'ada',
      query: { limit: 500 },
      status: 400,
      answer: {
        code: 'VALIDATION_FAILED',
        message: 'limit must be an integer from 1 to 100.',
        details: { field: 'limit', errors: [{ field: 'limit', message: 'must be an integer from 1 to 100' }] },
      },
    },
  ],
  createMapping: [
    {
      summary: 'People and who knows whom',
      as: 'ada',
      body: {
        name: 'Town',
        description: 'Who knows whom in town',
        node_definitions: [PERSON],
        edge_definitions: [KNOWS],
        ttl: 'P90D',
        inactivity_timeout: 'P30D',
      },
      status: 201,
      answer: {
        id: 3,
        owner_username: 'ada',
        name: 'Town',
        current_version: 1,
        created_at: '2026-11-21T18:46:36.387Z',
      },
    },
    {
      summary: 'An edge to a node that is not defined',
      as: 'ada',
      body: { name: 'Town', node_definitions: [PERSON], edge_definitions: [{ ...KNOWS, to_node: 'Dog' }] },
      status: 400,
      answer: {
        code: 'VALIDATION_FAILED',
        message: 'The mapping is not valid: edge_definitions.0.to_node names no node label of this mapping: Dog.',
        details: {
          field: 'edge_definitions.0.to_node',
          errors: [{ field: 'edge_definitions.0.to_node', message: 'names no node label of this mapping: Dog' }],
        },
      },
    },
    {
      summary: 'SQL that reads a file',
      as: 'ada',
      body: { name: 'Files', node_definitions: [{ ...PERSON, sql: "SELECT * FROM read_csv('/etc/passwd')" }] },
      status: 400,
      answer: {
        code: 'VALIDATION_FAILED',
        message:
          'The mapping is not valid: node_definitions.0.sql is not one read-only query: the function read_csv is not admitted in FROM; admitted are range, generate_series, unnest, sequence (line 1, column 15).',
        details: {
          field: 'node_definitions.0.sql',
          errors: [
            {
              field: 'node_definitions.0.sql',
              message:
                'is not one read-only query: the function read_csv is not admitted in FROM; admitted are range, generate_series, unnest, sequence (line 1, column 15)',
            },
          ],
        },
      },
    },
  ],
  getMapping: [
    {
      summary: 'A mapping with its current version',
      as: 'bob',
      params: { id: 1 },
      status: 200,
      answer: {
        id: 1,
        owner_username: 'ada',
        name: 'Town',
        description: 'Who knows whom in town',
        current_version: 2,
        ttl: null,
        inactivity_timeout: 'P30D',
        created_at: '2026-11-21T18:46:29.589Z',
        updated_at: '2026-11-21T18:46:29.679Z',
        node_definitions: [PERSON],
        edge_definitions: [KNOWS],
        version: {
          mapping_id: 1,
          version: 2,
          change_description: 'Adds who knows whom',
          node_definitions: [PERSON],
          edge_definitions: [KNOWS],
          created_at: '2026-11-21T18:46:29.679Z',
          created_by: 'ada',
          created_by_name: 'ada of the town',
        },
      },
    },
    {
      summary: 'There is no such mapping',
      as: 'bob',
      params: { id: 404 },
      status: 404,
      answer: {
        code: 'RESOURCE_NOT_FOUND',
        message: 'There is no mapping 404. It may have been deleted; list what exists.',
        details: { mapping_id: 404 },
      },
    },
  ],
  updateMapping: [
    {
      summary: 'A new version of the nodes; the edges are carried over',
      as: 'ada',
      params: { id: 1 },
      body: {
        change_description: 'Only adults',
        node_definitions: [{ ...PERSON, sql: 'SELECT id, name, age FROM people WHERE age >= 18' }],
      },
      status: 200,
      answer: { id: 1, current_version: 3, updated_at: '2026-11-21T18:46:35.359Z' },
    },
    {
      summary: 'Definitions without change_description',
      as: 'ada',
      params: { id: 1 },
      body: { node_definitions: [PERSON] },
      status: 400,
      answer: {
        code: 'VALIDATION_FAILED',
        message: 'change_description is required when definitions change.',
        details: {
          field: 'change_description',
          errors: [{ field: 'change_description', message: 'is required when definitions change' }],
        },
      },
    },
    {
      summary: 'The mapping belongs to somebody else',
      as: 'bob',
      params: { id: 1 },
      body: { name: 'Town of bob' },
      status: 403,
      answer: {
        code: 'PERMISSION_DENIED',
        message: 'Mapping 1 belongs to ada; only the owner, an admin or ops may change it. Copy it instead.',
        details: { owner_username: 'ada', your_role: 'analyst' },
      },
    },
  ],
  copyMapping: [
    {
      summary: 'A mapping of your own from that of a colleague',
      as: 'bob',
      params: { id: 1 },
      body: { name: 'Town of bob' },
      status: 201,
      answer: {
        id: 6,
        owner_username: 'bob',
        name: 'Town of bob',
        current_version: 1,
        created_at: '2026-11-21T18:46:36.504Z',
      },
    },
  ],
  setMappingLifecycle: [
    {
      summary: 'A year at most, a month without use',
      as: 'ada',
      params: { id: 1 },
      body: { ttl: 'P365D', inactivity_timeout: 'P30D' },
      status: 200,
      answer: { id: 1, ttl: 'P365D', inactivity_timeout: 'P30D', updated_at: '2026-11-21T18:46:35.444Z' },
    },
    {
      summary: 'Longer than the configuration allows',
      as: 'ada',
      params: { id: 1 },
      body: { ttl: 'P366D' },
      status: 400,
      answer: {
        code: 'VALIDATION_FAILED',
        message: 'ttl must be at most P365D.',
        details: {
          field: 'ttl',
          errors: [{ field: 'ttl', message: 'must be at most P365D' }],
          requested: 'P366D',
          max_allowed: 'P365D',
        },
      },
    },
  ],
  deleteMapping: [
    { summary: 'A mapping without snapshots', as: 'ada', params: { id: 2 }, status: 200, answer: { deleted: true } },
    {
      summary: 'A mapping that has snapshots',
      as: 'ada',
      params: { id: 1 },
      status: 409,
      answer: {
        code: 'RESOURCE_HAS_DEPENDENCIES',
        message: 'Mapping 1 still has 8 snapshots; it can be deleted once they have expired or been deleted.',
        details: { mapping_id: 1, snapshot_count: 8 },
      },
    },
  ],
};
