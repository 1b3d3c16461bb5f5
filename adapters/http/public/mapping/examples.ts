import { type ExampleRequests } from '../../kit';

/** Definitions shared by several examples. */
export const PERSON = {
  label: 'Person',
  sql: 'SELECT id, name, age FROM people',
  primary_key: { name: 'id', type: 'INT64' },
  properties: [
    { name: 'name', type: 'STRING' },
    { name: 'age', type: 'INT64' },
  ],
};

export const KNOWS = {
  type: 'KNOWS',
  sql: 'SELECT a, b, since FROM friends',
  from_key: 'a',
  to_key: 'b',
  from_node: 'Person',
  to_node: 'Person',
  properties: [{ name: 'since', type: 'DATE' }],
};

export const mappingExamples: ExampleRequests = {
  listMappings: [
    {
      summary: 'The mappings of ada whose name or description speaks of a town',
      as: 'ada',
      query: { owner: 'ada', search: 'town', sort_by: 'name', sort_order: 'asc', limit: 20 },
      status: 200,
    },
    { summary: 'A page can have 100 items at most', as: 'ada', query: { limit: 500 }, status: 400 },
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
    },
    {
      summary: 'An edge to a node that is not defined',
      as: 'ada',
      body: { name: 'Town', node_definitions: [PERSON], edge_definitions: [{ ...KNOWS, to_node: 'Dog' }] },
      status: 400,
    },
    {
      summary: 'SQL that reads a file',
      as: 'ada',
      body: { name: 'Files', node_definitions: [{ ...PERSON, sql: "SELECT * FROM read_csv('/etc/passwd')" }] },
      status: 400,
    },
  ],
  getMapping: [
    { summary: 'A mapping with its current version', as: 'bob', params: { id: 1 }, status: 200 },
    { summary: 'Unknown mapping', as: 'bob', params: { id: 404 }, status: 404 },
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
    },
    {
      summary: 'Definitions without change_description',
      as: 'ada',
      params: { id: 1 },
      body: { node_definitions: [PERSON] },
      status: 400,
    },
    {
      summary: 'The mapping belongs to another user',
      as: 'bob',
      params: { id: 1 },
      body: { name: 'Town of bob' },
      status: 403,
    },
  ],
  copyMapping: [
    {
      summary: 'A mapping of your own from that of a colleague',
      as: 'bob',
      params: { id: 1 },
      body: { name: 'Town of bob' },
      status: 201,
    },
  ],
  setMappingLifecycle: [
    {
      summary: 'A year at most, a month without use',
      as: 'ada',
      params: { id: 1 },
      body: { ttl: 'P365D', inactivity_timeout: 'P30D' },
      status: 200,
    },
    {
      summary: 'Longer than the configuration allows',
      as: 'ada',
      params: { id: 1 },
      body: { ttl: 'P366D' },
      status: 400,
    },
  ],
  deleteMapping: [
    { summary: 'A mapping without snapshots', as: 'ada', params: { id: 2 }, status: 200 },
    { summary: 'A mapping that has snapshots', as: 'ada', params: { id: 1 }, status: 409 },
  ],
  listMappingVersions: [{ summary: 'The versions, newest first', as: 'ada', params: { id: 1 }, status: 200 }],
  getMappingVersion: [
    { summary: 'The first version', as: 'ada', params: { id: 1, v: 1 }, status: 200 },
    { summary: 'Unknown version', as: 'ada', params: { id: 1, v: 9 }, status: 404 },
  ],
  diffMappingVersions: [
    { summary: 'The second version added an edge', as: 'ada', params: { id: 1, v1: 1, v2: 2 }, status: 200 },
  ],
  getMappingTree: [
    {
      summary: 'What has become of each version',
      as: 'ada',
      params: { id: 1 },
      query: { include_instances: true, status: 'ready' },
      status: 200,
    },
  ],
  listMappingInstances: [
    { summary: 'Two of the instances of all versions', as: 'ada', params: { id: 1 }, query: { limit: 2 }, status: 200 },
  ],
  listMappingSnapshots: [
    { summary: 'The latest snapshot', as: 'ada', params: { id: 1 }, query: { limit: 1 }, status: 200 },
  ],
};
