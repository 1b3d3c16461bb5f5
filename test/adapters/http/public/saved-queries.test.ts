import { type ApiClient } from '../../../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../../../support/in-process-api';
import { createMapping } from '../../../support/instances';
import { townMapping } from '../../../support/sample-mappings';

let api: InProcessApi;
let ada: ApiClient;
let mapping: number;
beforeAll(async () => {
  api = await startInhabitedApi();
  ada = api.as('ada');
  mapping = await createMapping(ada, townMapping);
});
afterAll(() => api.close());

const path = (name: string): string => `/api/mappings/${mapping}/queries/${encodeURIComponent(name)}`;
const namesOf = async (client: ApiClient) =>
  (await client.call('listSavedQueries', { id: mapping })).data.map(({ name }) => name);

describe('saved queries', () => {
  it('belong to one user and mapping, and are exact', async () => {
    const body = {
      query: 'RETURN $id',
      parameters: '{"id": 9223372036854775807}',
      drawing: '{"pinned":{"a":[1,2]}}',
    };
    const name = 'a/b ?<b>';
    const { body: saved } = await ada.send('PUT', path(name), { body });
    expect(saved).toMatchObject({ data: { mapping_id: mapping, name, ...body } });
    expect((await ada.call('listSavedQueries', { id: mapping })).data).toEqual([
      { mapping_id: mapping, name, ...body, updated_at: expect.any(String) as string },
    ]);
    expect(await namesOf(api.as('bob'))).toEqual([]);
  });

  it('are replaced and deleted by name', async () => {
    for (const query of ['RETURN 1', 'RETURN 2']) await ada.send('PUT', path('One'), { body: { query } });
    const { data } = await ada.call('listSavedQueries', { id: mapping, query: { search: 'one' } });
    expect(data).toMatchObject([{ query: 'RETURN 2', parameters: '{}', drawing: null }]);
    expect(await api.as('bob').refused('DELETE', path('One'))).toMatchObject({ status: 404 });
    await ada.send('DELETE', path('One'));
    expect(await namesOf(ada)).not.toContain('One');
  });

  it('end with their mapping', async () => {
    expect(await ada.refused('PUT', '/api/mappings/999/queries/x', { body: { query: 'RETURN 1' } })).toMatchObject({
      status: 404,
      details: { mapping_id: 999 },
    });
    await ada.call('deleteMapping', { id: mapping });
    expect(await ada.refused('GET', `/api/mappings/${mapping}/queries`)).toMatchObject({ status: 404 });
  });
});
