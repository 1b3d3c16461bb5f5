import { type Answer, type ApiClient } from '../../../support/api-client';
import { Choice } from '../../../support/choice';
import { type InProcessApi, startInhabitedApi } from '../../../support/in-process-api';
import { createInstance, createMapping } from '../../../support/instances';
import { bySize } from '../../../support/proof-size';
import { person, townMapping } from '../../../support/sample-mappings';

const MOMENTS = bySize({ sample: 12, middle: 60, full: 200 });

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

/** The comparable part of an answer: its data, or the code of its error. The age of an instance depends on the clock. */
const contentOf = ({ status, body }: Answer): unknown => {
  const { data, error } = body as { readonly data?: object; readonly error?: { readonly code: string } };
  return JSON.parse(
    JSON.stringify({ status, data, code: error?.code }, (key, value: unknown) =>
      key === 'elapsed_seconds' ? undefined : value,
    ),
  );
};

/** The position of the last event, which the error for a later one names. */
const endOfLog = async (): Promise<string> => {
  const { body } = await asOf(olivia, '/api/favorites', String(2n ** 62n));
  return /the end of the log, (\d+)/.exec(JSON.stringify(body))?.[1] ?? '';
};

describe('a detail as of an earlier moment', () => {
  it('equals the answer that was given then, for random lives', async () => {
    const choice = new Choice(7);
    const mappings: number[] = [];
    let instances = 0;
    const steps: readonly (() => Promise<unknown>)[] = [
      async () => mappings.push(await createMapping(ada!, townMapping)),
      async () => {
        // The mapping may be deleted, and the limit be reached.
        const body = { mapping_id: choice.of(mappings), name: 'instance', wrapper_type: 'graphdb_a' };
        const { status } = await ada!.send('POST', '/api/instances', { body });
        if (status === 201) instances += 1;
      },
      () => ada!.send('PUT', `/api/mappings/${choice.of(mappings)}`, { body: { name: `Town ${choice.below(99)}` } }),
      () =>
        ada!.send('PUT', `/api/mappings/${choice.of(mappings)}`, {
          body: { change_description: 'more', node_definitions: [person], edge_definitions: [] },
        }),
      () => ada!.send('PUT', `/api/instances/${1 + choice.below(4)}`, { body: { name: `Graph ${choice.below(99)}` } }),
      () => ada!.send('PUT', `/api/instances/${1 + choice.below(4)}/lifecycle`, { body: { ttl: 'P2D' } }),
      () => ada!.send('DELETE', `/api/instances/${1 + choice.below(4)}`),
      () => ada!.send('DELETE', `/api/mappings/${choice.of(mappings)}`),
      () =>
        olivia!.send('POST', '/api/favorites', {
          body: { resource_type: choice.of(['mapping', 'instance']), resource_id: 1 + choice.below(3) },
        }),
      () => olivia!.send('DELETE', `/api/favorites/mapping/${1 + choice.below(3)}`),
      () => olivia!.send('PUT', '/api/users/bob', { body: { display_name: `Bob ${choice.below(99)}` } }),
      () =>
        olivia!.send('PUT', '/api/config/concurrency', {
          body: { per_analyst: 3 + choice.below(9), cluster_total: 50 },
        }),
      () => olivia!.send('PUT', '/api/config/export', { body: { max_duration_seconds: 60 + choice.below(99) } }),
    ];
    const paths = (): readonly string[] => [
      ...['/api/users/bob', '/api/favorites', '/api/config/concurrency', '/api/config/export', '/api/config/lifecycle'],
      '/api/config/maintenance',
      ...[1, 2, 3].map((id) => `/api/mappings/${id}`),
      ...Array.from({ length: Math.min(4, instances) }, (_, index) => [
        `/api/instances/${index + 1}`,
        `/api/snapshots/${index + 1}`,
      ]).flat(),
    ];
    const recorded: { readonly at: string; readonly answers: readonly (readonly [string, unknown])[] }[] = [];
    await steps[0]!();
    await steps[1]!();
    while (recorded.length < MOMENTS) {
      await choice.of(steps)();
      // The processes continue after an answer: a moment is recorded when the answers show all of the log.
      for (;;) {
        const at = await endOfLog();
        const read = await Promise.all(paths().map((path) => olivia!.send('GET', path)));
        if (read.some((answer) => positionOf(answer) !== at) || (await endOfLog()) !== at) continue;
        recorded.push({ at, answers: paths().map((path, index) => [path, contentOf(read[index]!)]) });
        break;
      }
    }
    for (const { at, answers } of recorded) {
      for (const [path, content] of answers) {
        const answer = await asOf(olivia, path, at);
        expect({ at, path, content: contentOf(answer) }).toEqual({ at, path, content });
        if (answer.status === 200) expect(Number(answer.headers['x-as-of-position'])).toBeLessThanOrEqual(Number(at));
      }
    }
  }, 600_000);

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
