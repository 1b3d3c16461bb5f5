import { type ApiClient } from '../support/api-client';
import { untilAtRest } from '../support/at-rest';
import {
  ask,
  createInstance,
  createMapping,
  deleteInstance,
  findInstance,
  type InstanceDetail,
  untilRunning,
  untilSettled,
} from '../support/instances';
import { type Moment, MOMENTS, untilMoment } from '../support/moments';
import { isFullProof } from '../support/proof-size';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { crowdOf, fillWarehouse } from '../support/sample-mappings';
import { type Part } from '../support/system-processes';
import { waitFor } from '../support/wait-for';

jest.setTimeout(4 * TIMEOUT_MS);

let system: RunningSystem;
let ada: ApiClient;
let mapping: number;
/** Runs throughout, beside the instances whose parts are killed. */
let bystander: InstanceDetail & { readonly instance_url: string };

/** Enough for a load that can be interrupted. */
const PEOPLE = 10_000;
const COUNT = 'MATCH (p:Person) RETURN count(*)';
const answers = (url: string): Promise<void> =>
  waitFor(
    `${url} answers`,
    async () => JSON.stringify(await ask(ada, url, COUNT).catch(() => null)) === `[[${PEOPLE}]]`,
    TIMEOUT_MS,
  );

beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse);
  ada = system.as('ada');
  mapping = await createMapping(ada, crowdOf(PEOPLE));
  bystander = await untilRunning(ada, await createInstance(ada, mapping, 'bystander'));
});
afterAll(() => system.close());

/** Kills a part at a given moment of a new instance's life, and restarts the control plane if that was killed. */
const killWhen = async (part: Part, moment: Moment): Promise<number> => {
  // The database of graphdb_a runs in the process of the pod.
  const id = await createInstance(ada, mapping, 'instance', part === 'engine' ? 'graphdb_b' : 'graphdb_a');
  if (moment !== 'was just requested') await untilMoment(ada, id, moment);
  await system.kill(part);
  if (part === 'control plane') await system.start();
  return id;
};

const podOf = (id: number): number | undefined =>
  system.processes('pod').find(({ command }) => command.endsWith(`instance-${id}`))?.pid;
const killPodOf = async (id: number): Promise<void> => {
  const pod = podOf(id);
  if (pod === undefined) throw new Error(`Instance ${id} has no pod.`);
  process.kill(pod, 'SIGKILL');
  await waitFor(`the pod of instance ${id} has ended`, () => podOf(id) !== pod);
};

/** Checks that the bystander is unchanged, and that nothing is left of the other instance after its deletion. */
const nothingElseHappened = async (id: number): Promise<void> => {
  expect((await ada.call('getMapping', { id: mapping })).data.id).toBe(mapping);
  const { status, instance_url } = await untilSettled(ada, bystander.id);
  expect({ status, instance_url }).toEqual({ status: 'running', instance_url: bystander.instance_url });
  await answers(bystander.instance_url);
  await untilAtRest(system);
  await deleteInstance(ada, id);
  await untilAtRest(system);
};

/** Each moment is tried with one of the two parts, and in full proofs with both. */
const everySecond = (first: number) => MOMENTS.filter((_, index) => isFullProof || index % 2 === first);

describe.each<[Part, readonly Moment[]]>([
  ['control plane', everySecond(0)],
  ['postgres', everySecond(1)],
  ['export worker', ['was just requested', 'is being exported']],
])('when the %s is killed', (part, moments) => {
  it.each(moments)('an instance that %s still starts', async (moment) => {
    const id = await killWhen(part, moment);
    const { instance_url } = await untilRunning(ada, id);
    await answers(instance_url);
    await nothingElseHappened(id);
  });
});

it('requests get a 503 while PostgreSQL is down, and succeed when it is up again', async () => {
  const seen = new Set<string>();
  const look = async (path: string): Promise<number> => {
    const { status, body } = await ada.send('GET', path);
    const code = (body as { error?: { code: string } }).error?.code ?? '';
    seen.add(`${status} ${code}`.trim());
    return status;
  };
  const killed = system.kill('postgres');
  await waitFor('the API rejects a request', async () => (await look('/api/mappings')) !== 200);
  await killed;
  await waitFor(
    'everything answers again',
    async () => [await look('/api/mappings'), await look(`/api/instances/${bystander.id}`)].every((s) => s === 200),
    TIMEOUT_MS,
  );
  expect([...seen].sort()).toEqual(['200', '503 SERVICE_UNAVAILABLE']);
  await untilAtRest(system);
});

describe('when a pod is killed', () => {
  it.each<Moment>(['is being loaded', 'has just come up'])(
    'an instance that %s is restarted under its address',
    async (moment) => {
      const id = await createInstance(ada, mapping);
      await untilMoment(ada, id, moment);
      const { instance_url: address } = await findInstance(ada, id);
      await killPodOf(id);
      await waitFor('the pod is replaced', () => podOf(id) !== undefined, TIMEOUT_MS);
      const { instance_url, pod_name } = await untilRunning(ada, id);
      expect({ instance_url, pod_name }).toEqual({
        instance_url: address,
        pod_name: expect.stringMatching(/-2$/) as string,
      });
      await answers(instance_url);
      await nothingElseHappened(id);
    },
  );

  it('an instance whose second pod ends in the same way while it loads the snapshot fails with a reason', async () => {
    const id = await createInstance(ada, mapping);
    for (const pod of ['first', 'second']) {
      // Not once it loads: it may have loaded all by then.
      await waitFor(`the ${pod} pod runs`, () => podOf(id) !== undefined, TIMEOUT_MS);
      await killPodOf(id);
    }
    const { status, error_code, error_message, instance_url } = await untilSettled(ada, id);
    expect({ status, error_code, instance_url }).toEqual({
      status: 'failed',
      error_code: 'UNEXPECTED_TERMINATION',
      instance_url: null,
    });
    expect(error_message).toContain('in the same way twice while it loaded the snapshot (signal SIGKILL');
    await nothingElseHappened(id);
  });
});

describe('when the graph databases are killed', () => {
  it('an instance that is being loaded starts, or fails with a reason', async () => {
    const id = await killWhen('engine', 'is being loaded');
    const { status, instance_url, error_code } = await untilSettled(ada, id);
    if (status === 'running') await answers(instance_url ?? '');
    else expect(error_code).toMatch(/^GRAPHDB_B_(DATABASE_ERROR|SCHEMA_CREATE_ERROR)$/);
    await nothingElseHappened(id);
  });

  it('running instances keep their data', async () => {
    const id = await killWhen('engine', 'has just come up');
    const { instance_url } = await untilRunning(ada, id);
    await answers(instance_url);
    await nothingElseHappened(id);
  });
});

describe('when everything is killed at once', () => {
  it('running instances return at their addresses, and work in progress continues', async () => {
    const id = await createInstance(ada, mapping);
    await untilMoment(ada, id, 'is being exported');
    await system.killEverything();
    expect(system.processes()).toEqual([]);
    await system.start();
    const { instance_url } = await untilRunning(ada, id);
    await answers(instance_url);
    await nothingElseHappened(id);
  });
});
