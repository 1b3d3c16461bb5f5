import { publicEndpoints } from '../../../../adapters/http/public/public-endpoints';
import { type Answer, type ApiClient } from '../../../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../../../support/in-process-api';
import { createInstance, createMapping, findInstance } from '../../../support/instances';
import { townMapping } from '../../../support/sample-mappings';
import { waitFor } from '../../../support/wait-for';

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

/** Favorites are the detail of a user. */
const LISTS = Object.values(publicEndpoints)
  .filter(({ method, success: { shape } }) => method === 'GET' && (shape === 'list' || shape === 'pages'))
  .map(({ path }) => path)
  .filter((path) => path !== '/favorites');

/** The paths of a new resource of each kind, and of those that exist from the beginning. */
const createOfEachKind = async () => {
  const mapping = await createMapping(ada!, townMapping);
  const instance = await createInstance(ada!, mapping);
  const snapshotOf = async () => (await findInstance(ada!, instance)).snapshot_id;
  await waitFor('a snapshot', async () => (await snapshotOf()) !== null);
  const username = `user-${mapping}`;
  await olivia!.send('POST', '/api/users', { body: { username, role: 'analyst' } });
  return {
    created: [
      `/api/mappings/${mapping}`,
      `/api/instances/${instance}`,
      `/api/snapshots/${await snapshotOf()}`,
      `/api/users/${username}`,
    ],
    always: [
      '/api/favorites',
      ...['concurrency', 'export', 'lifecycle', 'maintenance'].map((name) => `/api/config/${name}`),
    ],
  };
};

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
    const { message } = await bob!.refused('GET', `${path}?as_of=${before.toISOString()}`);
    const [, created = ''] =
      /^The mapping \d+ did not exist yet at this moment; it was created at (\S+) /.exec(message) ?? [];
    expect((await asOf(bob, path, created)).status).toBe(200);
  });

  it('is refused for the future, and for what is not a moment, on every detail', async () => {
    const future = new Date(Date.now() + 60_000).toISOString();
    for (const path of Object.values(await createOfEachKind()).flat()) {
      for (const at of [future, '999999999999', 'yesterday', '-1', '', '2026-13-01T00:00:00Z']) {
        const refused = await olivia!.refused('GET', `${path}?as_of=${encodeURIComponent(at)}`);
        expect({ path, at, ...refused }).toMatchObject({ path, at, status: 400, details: { field: 'as_of' } });
      }
    }
  });

  it('is not found before the creation, and what was always there shows how it began', async () => {
    const before = positionOf(await olivia!.send('GET', '/api/favorites'));
    const { created, always } = await createOfEachKind();
    for (const path of created) {
      expect({ path, status: (await asOf(olivia, path, before)).status }).toEqual({ path, status: 404 });
      const now = await asOf(olivia, path, positionOf(await olivia!.send('GET', path)));
      expect({ path, status: now.status }).toEqual({ path, status: 200 });
    }
    for (const path of always) {
      const { status, headers } = await asOf(olivia, path, '1');
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(['0', '1']).toContain(headers['x-as-of-position']);
    }
  });

  it.each(LISTS)('is refused by the list %s', async (path) => {
    const refused = await olivia!.refused('GET', `/api${path.replaceAll(/\{\w+\}/g, '1')}?as_of=1`);
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('as_of') as string });
  });

  it('shows deleted instances, by the permissions of today', async () => {
    const mapping = await createMapping(ada!, townMapping);
    const id = await createInstance(ada!, mapping);
    const path = `/api/instances/${id}`;
    const open = positionOf(await ada!.send('GET', path));
    expect((await asOf(bob, path, open)).status).toBe(200);
    await ada!.send('PUT', `${path}/access`, { body: { mode: 'owner' } });
    for (const at of [open, '1']) {
      expect((await bob!.refused('GET', `${path}?as_of=${at}`)).message).toContain('it may have been deleted');
    }
    await ada!.send('DELETE', path);
    expect((await ada!.send('GET', path)).status).toBe(404);
    expect((await asOf(ada, path, open)).body).toMatchObject({ data: { id, access: { mode: 'everyone' } } });
    expect((await asOf(bob, path, open)).status).toBe(404);
  });
});
