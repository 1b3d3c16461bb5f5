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

describe('an invalid body', () => {
  it('lists all errors of its shape, and errors of rules only when its shape is valid', async () => {
    const body = {
      description: 7,
      node_definitions: [
        { ...withoutSql, label: 'Person' },
        { ...person, label: 'Robot', sql: 'DROP TABLE x' },
        'a node',
      ],
      edge_definitions: [{ ...knows, from_node: 'Nobody' }],
      ttl: 'P9000D',
      inactivity_timeout: 'soon',
    };
    expect(await faults('POST', '/api/mappings', body)).toEqual([
      ...['description', 'inactivity_timeout', 'name', 'node_definitions.0.sql', 'node_definitions.2'],
    ]);
    const shaped = {
      name: 'Town',
      ttl: 'P9000D',
      inactivity_timeout: 'P8000D',
      edge_definitions: body.edge_definitions,
    };
    const node_definitions = [person, { ...person, label: 'Robot', sql: 'DROP TABLE x' }];
    expect(await faults('POST', '/api/mappings', { ...shaped, node_definitions })).toEqual([
      ...['edge_definitions.0.from_node', 'inactivity_timeout', 'node_definitions.1.sql', 'ttl'],
    ]);
  });

  it('a new version lists all errors of its definitions', async () => {
    const id = await createMapping(ada, townMapping);
    const node_definitions = [{ ...person, sql: 'DROP TABLE x' }];
    expect(await faults('PUT', `/api/mappings/${id}`, { name: 7, node_definitions })).toEqual(['name']);
    expect(await faults('PUT', `/api/mappings/${id}`, { node_definitions })).toEqual([
      'change_description',
      'node_definitions.0.sql',
    ]);
  });

  it('an instance or a lifetime lists all errors of the lifetime', async () => {
    const mapping = await createMapping(ada, townMapping);
    const lifetime = { ttl: 'P8D', inactivity_timeout: 'P9D' };
    const body = { mapping_id: mapping, name: 'Town', wrapper_type: 'graphdb_a', ...lifetime };
    expect(await faults('POST', '/api/instances', { ...body, wrapper_type: 'graphdb_c' })).toEqual(['wrapper_type']);
    expect(await faults('POST', '/api/instances', body)).toEqual(['inactivity_timeout', 'ttl']);
    const id = await createInstance(ada, mapping);
    const path = `/api/instances/${id}/lifecycle`;
    expect(await faults('PUT', path, { ttl: 7, inactivity_timeout: 'P9D' })).toEqual(['ttl']);
    expect(await faults('PUT', path, lifetime)).toEqual(['inactivity_timeout', 'ttl']);
    const both = { ttl: 'P9000D', inactivity_timeout: 'P9000D' };
    expect(await faults('PUT', `/api/mappings/${mapping}/lifecycle`, both)).toEqual(['inactivity_timeout', 'ttl']);
  });

  it('the configured lifetimes list all errors', async () => {
    const body = { mapping: { default_ttl: 'P999D' }, instance: { max_ttl: 'PT1H' } };
    const { details } = await api.as('olivia').refused('PUT', '/api/config/lifecycle', { body });
    expect(details['errors']).toMatchObject([{ field: 'mapping.default_ttl' }, { field: 'instance.max_ttl' }]);
  });
});
