import { createPostgresIdGenerator } from '../../adapters/postgres/postgres-id-generator';
import { systemClock } from '../../adapters/system/system-clock';
import { capacityCommands } from '../../commands/capacity/reserve-slot';
import { requestContext } from '../../commands/kit/command-context';
import { type Answer, type ApiClient } from '../support/api-client';
import { expectRight } from '../support/given-when-then';
import { type InProcessApi, startInProcessApi } from '../support/in-process-api';
import { createMapping } from '../support/instances';
import { withLogOf } from '../support/log-of';
import { bySize } from '../support/proof-size';
import { person, townMapping } from '../support/sample-mappings';

const ROUNDS = bySize({ sample: 2, full: 100 });
const VERSIONS = bySize({ sample: 8, full: 100 });

const AT_ONCE = 200;
const ANALYSTS = Array.from({ length: AT_ONCE / 5 }, (_, index) => `analyst-${index}`);

jest.setTimeout(600_000);

let api: InProcessApi;
let beforeFirst: Answer;
let bootstraps: readonly Answer[];
let ops: ApiClient;
beforeAll(async () => {
  api = await startInProcessApi();
  beforeFirst = await api.as('ada').send('GET', '/api/mappings');
  const founders = Array.from({ length: 100 }, (_, index) => `founder-${index}`);
  bootstraps = await Promise.all(
    founders.map((username) => api.as(null).send('POST', '/api/users/bootstrap', { body: { username } })),
  );
  ops = api.as(founders[bootstraps.findIndex(({ status }) => status === 201)] ?? 'unknown');
  for (const username of ANALYSTS) await ops.call('createUser', { body: { username } });
});
afterAll(() => api.close());

/** Releases slots within the limits, as the system does when instances end. */
const freePlaces = (instanceIds: readonly number[]): Promise<void> =>
  withLogOf(api, async (store, pool) => {
    const ids = createPostgresIdGenerator(pool);
    const change = capacityCommands({ store, ids, clock: systemClock });
    const actor = { username: 'test', role: 'system' } as const;
    const freed = instanceIds.map((instanceId) =>
      change({ type: 'ReleaseSlot', instanceId }, requestContext(ids, actor, ids.uuid())),
    );
    (await Promise.all(freed)).forEach(expectRight);
  });

const isRefused = ({ status, body }: Answer, details: object): void => {
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { error: { code: 'CONCURRENCY_LIMIT_EXCEEDED', details } },
  });
};

/**
 * All users request an instance of a new mapping at the same time; releases the slots after the answers were checked.
 */
const rush = async (askers: readonly string[], expected: number, details: object): Promise<void> => {
  const mapping_id = await createMapping(ops, townMapping);
  const body = { mapping_id, name: 'rush', wrapper_type: 'graphdb_a' };
  const answers = await Promise.all(askers.map((asker) => api.as(asker).send('POST', '/api/instances', { body })));
  const accepted = answers.filter(({ status }) => status === 201);
  answers.filter(({ status }) => status !== 201).forEach((answer) => isRefused(answer, details));
  expect(accepted).toHaveLength(expected);
  await freePlaces(accepted.map(({ body }) => (body as { readonly data: { readonly id: number } }).data.id));
};

const everybodyFiveTimes = Array.from({ length: 5 }, () => ANALYSTS).flat();
const oneAnalyst = Array.from({ length: AT_ONCE }, () => 'analyst-0');

describe(`${AT_ONCE} concurrent instance requests, ${ROUNDS} times in a row`, () => {
  it('the cluster accepts exactly 50', async () => {
    const details = { current_count: 50, max_allowed: 50, limit_type: 'cluster_total' };
    for (let round = 0; round < ROUNDS; round++) await rush(everybodyFiveTimes, 50, details);
  });

  it('one analyst gets exactly 5', async () => {
    const details = { current_count: 5, max_allowed: 5, limit_type: 'per_analyst' };
    for (let round = 0; round < ROUNDS; round++) await rush(oneAnalyst, 5, details);
  });
});

it('a caller before the first user gets instructions to create one', () => {
  expect(beforeFirst).toMatchObject({
    status: 401,
    body: { error: { details: { reason: 'user_not_provisioned' } } },
  });
  expect(JSON.stringify(beforeFirst.body)).toContain('rowgraph users bootstrap');
});

it('one of 100 concurrent first users is created', async () => {
  expect(bootstraps.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 99 }, () => 409)]);
  const refused = bootstraps.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ error: { code: 'ALREADY_EXISTS' } });
  const { data } = await ops.call('listUsers', { query: { limit: 100 } });
  expect(data.filter(({ role }) => role === 'ops')).toHaveLength(1);
});

it(`no version is lost of two concurrent ones of a mapping, ${VERSIONS} times in a row`, async () => {
  const id = await createMapping(ops, townMapping);
  let latest = 1;
  for (let round = 0; round < VERSIONS; round++) {
    const asked = ['left', 'right'].map((side) => `${side} ${round}`);
    const answers = await Promise.all(
      asked.map((change_description) => {
        const node_definitions = [{ ...person, sql: `SELECT id, name, age FROM people -- ${change_description}` }];
        return ops.send('PUT', `/api/mappings/${id}`, { body: { change_description, node_definitions } });
      }),
    );
    const made = asked.filter((_, index) => answers[index]?.status === 200);
    const lost = answers.filter(({ status }) => status !== 200);
    lost.forEach(({ body }) => expect(body).toMatchObject({ error: { code: 'CONFLICT' } }));
    latest += made.length;
    const { data, meta } = await ops.call('listMappingVersions', { id, query: { limit: 2 } });
    expect({ round, total: meta.total }).toEqual({ round, total: latest });
    expect(data.map(({ change_description }) => change_description)).toEqual(expect.arrayContaining(made));
  }
});
