import { loadavg } from 'node:os';
import { buildDemoWarehouse } from '../../adapters/sample/build-demo-warehouse';
import { bankMapping } from '../../adapters/sample/bank-mapping';
import { ask, createInstance, createMapping, deleteInstance, findProgress, untilRunning } from '../support/instances';
import { bySize } from '../support/proof-size';
import { TIMEOUT_MS } from '../support/running-system';
import { describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { startSystemsOnKubernetes, type SystemsOnKubernetes } from './support/kubernetes/systems-on-kubernetes';

jest.setTimeout(10 * TIMEOUT_MS);

const RUNS = bySize({ sample: 1, middle: 3, full: 10 });

/** A measurement: times are printed with the load of the machine, not asserted. */
describeWithKubernetes('the demo bank on Kubernetes', () => {
  let systems: SystemsOnKubernetes;
  let mapping: number;
  beforeAll(async () => {
    systems = await startSystemsOnKubernetes({}, buildDemoWarehouse);
    await systems.addKubelet();
    mapping = await createMapping(systems.first.as('ada'), bankMapping);
  });
  afterAll(() => systems.close());

  it.each(['graphdb_a', 'graphdb_b'] as const)('starts and answers on %s', async (kind) => {
    const ada = systems.first.as('ada');
    const seconds: number[] = [];
    const load = loadavg()[0]?.toFixed(1);
    for (let run = 0; run < RUNS; run += 1) {
      const id = await createInstance(ada, mapping, `run ${run}`, kind);
      const { created_at, instance_url } = await untilRunning(ada, id);
      const progress = await findProgress(ada, id);
      const readyAt = 'ready_at' in progress ? (progress.ready_at ?? '') : '';
      seconds.push((Date.parse(readyAt) - Date.parse(created_at)) / 1000);
      expect(await ask(ada, new URL(instance_url).pathname, 'MATCH (a:Account) RETURN count(*) > 1000')).toEqual([
        [true],
      ]);
      await deleteInstance(ada, id);
    }
    expect(seconds.every((value) => value > 0)).toBe(true);
    const sorted = [...seconds].sort((a, b) => a - b);
    console.info(
      `${kind}, request to running: median ${sorted[Math.floor(RUNS / 2)]} s of ${seconds.join(', ')}; load ${load} to ${loadavg()[0]?.toFixed(1)}`,
    );
  });
});
