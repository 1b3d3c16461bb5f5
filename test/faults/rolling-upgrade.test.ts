import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LaunchedProcess } from '../../adapters/system/launch-process';
import { ask, createInstance, createMapping, findInstance, untilRunning } from '../support/instances';
import { startPodElsewhere } from '../support/pod-elsewhere';
import { type RunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { startTwoControlPlanes, type TwoControlPlanes } from '../support/two-control-planes';
import { waitFor } from '../support/wait-for';

jest.setTimeout(6 * TIMEOUT_MS);

const NEXT = { NODE_OPTIONS: `--require ${join(__dirname, 'next-version', 'preload.cjs')}` };
const WRITERS = 4;

let both: TwoControlPlanes;
let folder: string;
let pod: LaunchedProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-pod-'));
  both = await startTwoControlPlanes({}, fillWarehouse);
});
afterAll(async () => {
  await pod?.stop(TIMEOUT_MS);
  await both.close();
  await rm(folder, { recursive: true, force: true });
});

/** Creates mappings at the control planes in rotation and reads each at another one, until it is stopped. */
const load = (rotation: ReadonlySet<RunningSystem>) => {
  const created = new Map<number, string>();
  const failures: string[] = [];
  /** The control plane of each pending or planned request. */
  const inUse: RunningSystem[] = [];
  let isOver = false;
  const writer = async (number: number): Promise<void> => {
    for (let n = number; !isOver; n += WRITERS) {
      const planes = [...rotation];
      const [at, other] = [planes[n % planes.length], planes[(n + 1) % planes.length]];
      if (at === undefined || other === undefined) throw new Error('No control plane is in rotation.');
      const name = `Town ${n}`;
      inUse.push(at, other);
      try {
        const { data, headers } = await at.as('ada').call('createMapping', { body: { ...townMapping, name } });
        created.set(data.id, name);
        const seen = { 'X-Min-Position': String(headers['x-event-position']) };
        const read = await at.as('ada').call('getMapping', { id: data.id });
        if (read.data.name !== name) failures.push(`${name} was read as ${read.data.name}`);
        const elsewhere = () => other.as('ada').send('GET', `/api/mappings/${data.id}`, { headers: seen });
        let found = await elsewhere();
        // As clients do: the other one answers so when its read models are two seconds behind.
        while (found.status === 503 && JSON.stringify(found.body).includes('have not reached'))
          found = await elsewhere();
        expect(found).toMatchObject({ status: 200, body: { data: { name } } });
      } catch (error) {
        failures.push(String(error));
      } finally {
        for (const plane of [at, other]) inUse.splice(inUse.indexOf(plane), 1);
      }
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  return {
    created,
    failures,
    isUsing: (plane: RunningSystem): boolean => inUse.includes(plane),
    /** Resolves after this many more mappings have been created. */
    continues: (count = 20): Promise<void> => {
      const goal = created.size + count;
      return waitFor('the load reaches its goal', () => created.size >= goal || failures.length > 0, TIMEOUT_MS);
    },
    stop: (): Promise<unknown> => {
      isOver = true;
      return writing;
    },
  };
};

it('N, N + 1 and N again under load: no request fails, no instance is lost, every read model is correct', async () => {
  const { first, second } = both;
  const ada = first.as('ada');
  const instance = await createInstance(ada, await createMapping(ada, townMapping));
  pod = await startPodElsewhere(first, folder);
  const { instance_url } = await untilRunning(ada, instance);

  const rotation = new Set([first, second]);
  const running = load(rotation);
  const restart = async (plane: RunningSystem, version: Readonly<Record<string, string>>): Promise<void> => {
    rotation.delete(plane);
    await waitFor('the control plane receives no more requests', () => !running.isUsing(plane), TIMEOUT_MS);
    await plane.stop();
    await plane.start(version);
    rotation.add(plane);
    await running.continues();
  };
  await running.continues();
  for (const plane of [second, first]) await restart(plane, NEXT);
  expect(await ask(ada, instance_url, 'MATCH (p:Person) RETURN count(*)')).toEqual([[100]]);
  for (const plane of [first, second]) await restart(plane, {});
  await running.stop();

  expect(running.failures).toEqual([]);
  const expected = [...running.created].map(([id, name]) => ({ id, name })).sort((a, b) => a.id - b.id);
  const mappings = await both.query('SELECT id::int AS id, name FROM mappings ORDER BY id');
  expect(mappings.filter(({ id }) => running.created.has(Number(id)))).toEqual(expected);
  // Meanwhile the next version has filled its own tables and its new read model.
  const notes = await both.query('SELECT mapping_id::int AS id, text AS name FROM read_notes_v1.notes ORDER BY id');
  expect(notes.length).toBeGreaterThan(0);
  expect(expected).toEqual(expect.arrayContaining(notes as typeof expected));
  expect(await both.query('SELECT reader FROM es.parked')).toEqual([]);
  for (const plane of [first, second]) {
    expect((await findInstance(plane.as('ada'), instance)).status).toBe('running');
  }
  expect(await ask(ada, instance_url, 'MATCH (p:Person) RETURN count(*)')).toEqual([[100]]);
});
