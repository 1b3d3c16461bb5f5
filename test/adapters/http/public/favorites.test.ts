import { type ApiClient } from '../../../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../../../support/in-process-api';
import { createMapping } from '../../../support/instances';
import { townMapping } from '../../../support/sample-mappings';

let api: InProcessApi;
let ada: ApiClient;
let bob: ApiClient;
let mapping: number;
beforeAll(async () => {
  api = await startInhabitedApi();
  ada = api.as('ada');
  bob = api.as('bob');
  mapping = await createMapping(ada, townMapping);
});
afterAll(() => api.close());

const markOf = (id: number) => ({ resource_type: 'mapping', resource_id: id });
const namesOf = async (client: ApiClient) => (await client.call('listFavorites')).data.map((item) => item.resource_id);

describe('favorites', () => {
  it('belong to each user, and refer to resources of any owner', async () => {
    const { data } = await bob.call('addFavorite', { body: markOf(mapping) });
    expect(data).toEqual({ ...markOf(mapping), created_at: expect.any(String) as string });
    const { data: favorites, meta } = await bob.call('listFavorites', { query: { resource_type: 'mapping' } });
    expect(favorites).toEqual([{ ...data, resource_name: 'Town', resource_owner: 'ada', resource_exists: true }]);
    expect(meta).toMatchObject({ total: 1, offset: 0, limit: 50 });
    expect((await bob.call('listFavorites', { query: { resource_type: 'instance' } })).data).toEqual([]);
    expect(await namesOf(ada)).toEqual([]);
  });

  it('are added once and removed once', async () => {
    const path = `/api/favorites/mapping/${mapping}`;
    await ada.call('addFavorite', { body: markOf(mapping) });
    expect(await ada.refused('POST', '/api/favorites', { body: markOf(mapping) })).toMatchObject({
      status: 409,
      code: 'ALREADY_EXISTS',
      details: markOf(mapping),
    });
    expect(await ada.send('DELETE', path)).toMatchObject({ status: 200, body: { data: { deleted: true } } });
    expect(await ada.refused('DELETE', path)).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
    expect(await namesOf(ada)).toEqual([]);
  });

  it('require an existing resource', async () => {
    for (const resource_type of ['mapping', 'snapshot', 'instance']) {
      expect(await ada.refused('POST', '/api/favorites', { body: { resource_type, resource_id: 999 } })).toMatchObject({
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
        details: { resource_type, resource_id: 999 },
      });
    }
    for (const path of ['mapping/01', 'mapping/x', 'dog/1', 'mapping/999']) {
      expect(await ada.refused('DELETE', `/api/favorites/${path}`)).toMatchObject({ status: 404 });
    }
  });

  it.each([
    ['resource_type', { resource_type: 'dog', resource_id: 1 }],
    ['resource_id', { resource_type: 'mapping', resource_id: '1' }],
    ['resource_id', { resource_type: 'mapping' }],
  ])('favorites with an invalid %s are rejected', async (field, body) => {
    expect(await ada.refused('POST', '/api/favorites', { body })).toMatchObject({ status: 400, details: { field } });
  });

  it.each(['resource_type=dog', 'limit=101', 'offset=-1'])('are not listed by %s', async (query) => {
    expect(await ada.refused('GET', `/api/favorites?${query}`)).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
    });
  });

  it('end for all users when the resource is deleted', async () => {
    const id = await createMapping(ada, townMapping);
    for (const client of [ada, bob]) await client.call('addFavorite', { body: markOf(id) });
    expect(await namesOf(bob)).toContain(id);
    await ada.call('deleteMapping', { id });
    for (const client of [ada, bob]) expect(await namesOf(client)).not.toContain(id);
    expect(await bob.refused('DELETE', `/api/favorites/mapping/${id}`)).toMatchObject({ status: 404 });
  });

  it('cannot be added in maintenance mode', async () => {
    const ops = api.as('olivia');
    await ops.call('setMaintenanceConfig', { body: { enabled: true } });
    expect(await ada.refused('POST', '/api/favorites', { body: markOf(999) })).toMatchObject({ status: 503 });
    expect(await ada.refused('POST', '/api/favorites', { body: {} })).toMatchObject({ status: 400 });
    await bob.send('DELETE', `/api/favorites/mapping/${mapping}`);
    expect(await namesOf(bob)).toEqual([]);
    await ops.call('setMaintenanceConfig', { body: { enabled: false } });
  });
});
