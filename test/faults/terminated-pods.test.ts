import { ask, createInstance, createMapping, deleteInstance, findInstance, untilRunning } from '../support/instances';
import { bySize } from '../support/proof-size';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';

jest.setTimeout(10 * TIMEOUT_MS);

const INSTANCES = bySize({ sample: 8, full: 20 });
const AT_ONCE = 4;

let system: RunningSystem;
beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse);
  await system
    .as('olivia')
    .call('setConcurrencyConfig', { body: { per_analyst: INSTANCES, cluster_total: INSTANCES } });
});
afterAll(() => system.close());

const podOf = (id: number): number | undefined =>
  system.processes('pod').find(({ command }) => command.endsWith(`instance-${id}`))?.pid;

it(`${INSTANCES} instances run again after their pods were terminated one after the other`, async () => {
  const ada = system.as('ada');
  const mapping = await createMapping(ada, townMapping);
  const ids: number[] = [];
  while (ids.length < INSTANCES) {
    const some = await Promise.all(Array.from({ length: AT_ONCE }, () => createInstance(ada, mapping)));
    await Promise.all(some.map((id) => untilRunning(ada, id)));
    ids.push(...some);
  }
  const pods = new Map(ids.map((id) => [id, podOf(id)]));
  for (const [id, pid] of pods) {
    if (pid === undefined) throw new Error(`Instance ${id} has no pod.`);
    process.kill(pid, 'SIGTERM');
    await waitFor(
      `the pod of instance ${id} is replaced`,
      () => podOf(id) !== undefined && podOf(id) !== pid,
      TIMEOUT_MS,
    );
  }
  for (const id of ids) {
    const { instance_url, pod_name } = await untilRunning(ada, id);
    expect(pod_name).toMatch(/-2$/);
    await waitFor(
      `instance ${id} answers`,
      async () =>
        JSON.stringify(await ask(ada, instance_url, 'MATCH (p:Person) RETURN count(*)').catch(() => null)) ===
        '[[100]]',
      TIMEOUT_MS,
    );
  }
  expect(system.processes('pod')).toHaveLength(INSTANCES);
});

it('a deletion that is requested while a pod is stopping is completed', async () => {
  const ada = system.as('ada');
  const { data } = await ada.call('listInstances', { query: { limit: 1 } });
  const [{ id } = { id: 0 }] = data;
  process.kill(podOf(id) ?? 0, 'SIGTERM');
  await deleteInstance(ada, id);
  await waitFor(
    `instance ${id} is deleted`,
    async () => (await findInstance(ada, id).catch(() => null)) === null,
    TIMEOUT_MS,
  );
  expect(podOf(id)).toBeUndefined();
});
