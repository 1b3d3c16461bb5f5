import { type Answer, type ApiClient } from '../../../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../../../support/in-process-api';
import { createInstance, createMapping } from '../../../support/instances';
import { townMapping } from '../../../support/sample-mappings';

let api: InProcessApi;
let [olivia, ada, bob]: ApiClient[] = [];
beforeAll(async () => {
  api = await startInhabitedApi();
  [olivia, ada, bob] = ['olivia', 'ada', 'bob'].map((name) => api.as(name));
});
afterAll(() => api.close());

const positionOf = ({ headers }: Answer): string => String(headers['x-event-position']);
const asOf = (client: ApiClient | undefined, path: string, at: string): Promise<Answer> =>
  client!.send('GET', `${path}?as_of=${encodeURIComponent(at)}`);

describe('a detail as of an earlier moment', () => {
  it('is found by a time, inclusive, and is not found before its creation', async () => {
    const before = new Date();
    while (Date.now() <= before.getTime());
    const id = await createMapping(ada!, townMapping);
    const then = new Date();
    while (Date.now() <= then.getTime());
    await ada!.send('PUT', `/api/mappings/${id}`, { body: { name: 'Renamed' } });
    const path = `/api/mappings/${id}`;
    expect((await asOf(bob, path, then.toISOString())).body).toMatchObject({ data: { name: townMapping.name } });
    expect((await asOf(bob, path, before.toISOString())).status).toBe(404);
  });

  it('is refused for the future, for what is not a moment, and for lists', async () => {
    const future = new Date(Date.now() + 60_000).toISOString();
    for (const at of [future, '999999999999', 'yesterday', '-1', '2026-13-01T00:00:00Z']) {
      const path = `/api/users/ada?as_of=${encodeURIComponent(at)}`;
      expect(await olivia!.refused('GET', path)).toMatchObject({ status: 400, details: { field: 'as_of' } });
    }
    expect((await olivia!.refused('GET', '/api/mappings?as_of=1')).status).toBe(400);
  });

  it('shows deleted instances, by the permissions of today', async () => {
    const mapping = await createMapping(ada!, townMapping);
    const id = await createInstance(ada!, mapping);
    const path = `/api/instances/${id}`;
    const open = positionOf(await ada!.send('GET', path));
    expect((await asOf(bob, path, open)).status).toBe(200);
    await ada!.send('PUT', `${path}/access`, { body: { mode: 'owner' } });
    expect((await asOf(bob, path, open)).status).toBe(404);
    await ada!.send('DELETE', path);
    expect((await ada!.send('GET', path)).status).toBe(404);
    expect((await asOf(ada, path, open)).body).toMatchObject({ data: { id, access: { mode: 'everyone' } } });
    expect((await asOf(bob, path, open)).status).toBe(404);
  });
});
