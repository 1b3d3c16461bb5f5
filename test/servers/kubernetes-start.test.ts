import { loadavg } from 'node:os';
import { bankMapping } from '../../adapters/sample/bank-mapping';
import { buildDemoWarehouse } from '../../adapters/sample/build-demo-warehouse';
import { type ApiClient } from '../support/api-client';
import { ask, createInstance, createMapping, deleteInstance, findProgress, untilRunning } from '../support/instances';
import { bySize } from '../support/proof-size';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { startSystemsOnKubernetes, type SystemsOnKubernetes } from './support/kubernetes/systems-on-kubernetes';

jest.setTimeout(10 * TIMEOUT_MS);

const RUNS = bySize({ sample: 1, full: 10 });

/** A measurement: times are printed with the load of the machine, beside those of local processes, not asserted. */
describeWithKubernetes('the demo bank on Kubernetes', () => {
  let systems: SystemsOnKubernetes;
  let local: RunningSystem;
  const mappings = new Map<ApiClient, number>();
  let clients: Readonly<Record<'Kubernetes' | 'local processes', ApiClient>>;
  beforeAll(async () => {
    systems = await startSystemsOnKubernetes({}, buildDemoWarehouse);
    await systems.addKubelet();
    local = await startRunningSystem(buildDemoWarehouse);
    clients = { Kubernetes: systems.first.as('ada'), 'local processes': local.as('ada') };
    for (const client of Object.values(clients)) mappings.set(client, await createMapping(client, bankMapping));
  });
  afterAll(async () => {
    await local.close();
    await systems.close();
  });

  const secondsToRunning = async (ada: ApiClient, kind: 'graphdb_a' | 'graphdb_b'): Promise<number> => {
    const id = await createInstance(ada, mappings.get(ada) ?? 0, 'bank', kind);
    const { created_at, instance_url } = await untilRunning(ada, id);
    const progress = await findProgress(ada, id);
    const readyAt = 'ready_at' in progress ? (progress.ready_at ?? '') : '';
    const count = 'MATCH (a:Account) RETURN count(*) > 1000';
    expect(await ask(ada, new URL(instance_url).pathname, count)).toEqual([[true]]);
    await deleteInstance(ada, id);
    return (Date.parse(readyAt) - Date.parse(created_at)) / 1000;
  };

  it.each(['graphdb_a', 'graphdb_b'] as const)('starts and answers on %s', async (kind) => {
    const seconds = { Kubernetes: [] as number[], 'local processes': [] as number[] };
    const load = loadavg()[0]?.toFixed(1);
    for (let run = 0; run < RUNS; run += 1)
      for (const where of ['Kubernetes', 'local processes'] as const)
        seconds[where].push(await secondsToRunning(clients[where], kind));
    for (const [where, times] of Object.entries(seconds)) {
      expect(times.every((value) => value > 0)).toBe(true);
      const median = [...times].sort((a, b) => a - b)[Math.floor(RUNS / 2)];
      console.info(
        `${kind} on ${where}, request to running: median ${median} s of ${times.join(', ')}; load ${load} to ${loadavg()[0]?.toFixed(1)}`,
      );
    }
  });
});
