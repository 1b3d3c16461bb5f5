import { type ApiClient } from '../../../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../../../support/in-process-api';
import { createInstance, createMapping } from '../../../support/instances';
import { knows, person, townMapping } from '../../../support/sample-mappings';

let api: InProcessApi;
let ada: ApiClient;
beforeAll(async () => {
  api = await startInhabitedApi();
  ada = api.as('ada');
});
afterAll(() => api.close());

const { sql: _sql, ...withoutSql } = person;

/** The fields with faults, in alphabetical order. */
const faults = async (method: string, path: string, body: object): Promise<readonly string[]> => {
  const { status, details } = await ada.refused(method, path, { body });
  expect(status).toBe(400);
  return (details['errors'] as readonly { readonly field: string }[]).map(({ field }) => field).sort();
};

describe('all faults of one body are told at once:', () => {
  it('of shape, definitions and lifetimes of a new mapping', async () => {
    const body = {
      description: 7,
      node_definitions: [{ ...withoutSql, label: '1st' }, { ...person, label: 'Robot', sql: 'DROP TABLE x' }, 'a node'],
      edge_definitions: [{ ...knows, type: 'likes', from_node: 'Nobody' }],
      ttl: 'P9000D',
      inactivity_timeout: 'soon',
    };
    expect(await faults('POST', '/api/mappings', body)).toEqual([
      ...['description', 'edge_definitions.0.type', 'inactivity_timeout', 'name'],
      ...['node_definitions.0.label', 'node_definitions.0.sql', 'node_definitions.1.sql', 'node_definitions.2', 'ttl'],
    ]);
    // With all labels known, edges are held against them; lifetimes against the maximum and each other.
    const named = { ...body, name: 'Town', node_definitions: body.node_definitions.slice(0, 2) };
    expect(await faults('POST', '/api/mappings', { ...named, inactivity_timeout: 'P8000D' })).toEqual([
      ...['description', 'edge_definitions.0.from_node', 'edge_definitions.0.to_node', 'edge_definitions.0.type'],
      ...['inactivity_timeout', 'node_definitions.0.label', 'node_definitions.0.sql', 'node_definitions.1.sql', 'ttl'],
    ]);
  });

  it('of definitions and lifetimes whose shape is right', async () => {
    const body = { ...townMapping, edge_definitions: [{ ...knows, to_node: 'Nobody' }], ttl: 'P9000D' };
    expect(await faults('POST', '/api/mappings', body)).toEqual(['edge_definitions.0.to_node', 'ttl']);
  });

  it('of a new version', async () => {
    const id = await createMapping(ada, townMapping);
    const node_definitions = [{ ...person, sql: 'DROP TABLE x' }];
    expect(await faults('PUT', `/api/mappings/${id}`, { name: 7, node_definitions })).toEqual([
      'change_description',
      'name',
      'node_definitions.0.sql',
    ]);
    expect(await faults('PUT', `/api/mappings/${id}`, { node_definitions })).toEqual([
      'change_description',
      'node_definitions.0.sql',
    ]);
  });

  it('of a new instance and of a lifetime that changes', async () => {
    const mapping = await createMapping(ada, townMapping);
    const body = { mapping_id: mapping, wrapper_type: 'graphdb_c', ttl: 'P8D', inactivity_timeout: 'P9D' };
    expect(await faults('POST', '/api/instances', body)).toEqual(['inactivity_timeout', 'name', 'ttl', 'wrapper_type']);
    const id = await createInstance(ada, mapping);
    const change = { ttl: 7, inactivity_timeout: 'P9D' };
    expect(await faults('PUT', `/api/instances/${id}/lifecycle`, change)).toEqual(['inactivity_timeout', 'ttl']);
    const both = { ttl: 'P9000D', inactivity_timeout: 'P9000D' };
    expect(await faults('PUT', `/api/mappings/${mapping}/lifecycle`, both)).toEqual(['inactivity_timeout', 'ttl']);
  });

  it('of the configured life spans', async () => {
    const body = { mapping: { default_ttl: 'P999D' }, instance: { max_ttl: 'PT1H' } };
    const { details } = await api.as('olivia').refused('PUT', '/api/config/lifecycle', { body });
    expect(details['errors']).toMatchObject([{ field: 'mapping.default_ttl' }, { field: 'instance.max_ttl' }]);
  });
});
