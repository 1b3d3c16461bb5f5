import { reconciliationJob } from '../../../commands/jobs/reconciliation';
import { openStandInPods, podSpec, type StandInPods } from '../../adapters/local-process/stand-in-pods';
import { expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';
import { scheduledRun } from '../../support/scheduled-run';
import { waitFor } from '../../support/wait-for';

let system: InMemorySystem;
let pods: StandInPods;
let stop: () => Promise<void>;

beforeEach(async () => {
  system = createInMemorySystem();
  pods = await openStandInPods();
  await system.createMapping();
  expectRight(await system.requestInstance());
  stop = system.start();
  await system.runFirstInstance();
});
afterEach(async () => {
  await stop();
  await pods.close();
});

/** Every pod started before this run, regardless of the clock of the test. */
const reconcileNow = async () => {
  system.advanceClock((Date.now() - system.clock.now().getTime()) / 1000 + 1);
  const job = reconciliationJob({
    ...system.ports,
    podRuntime: pods.runtime,
    directory: { unsettled: () => Promise.resolve([1]), memoryUse: () => Promise.resolve([]) },
    onFinding: () => undefined,
  });
  return expectRight(await job.run(scheduledRun()));
};

describe('reconciliation over real processes', () => {
  it('ends the process of an orphaned pod and keeps the pod of an instance', async () => {
    const own = podSpec({ instanceId: 1, urlSlug: (await system.instance())?.urlSlug ?? '' });
    const stray = podSpec({ instanceId: 99 });
    for (const spec of [own, stray]) await pods.start(spec);
    expect(await reconcileNow()).toMatchObject({ pods_deleted: 1, lost_pods_recorded: 0 });
    await waitFor('the orphaned pod ends', () => pods.programsOf(stray.instanceId).length === 0);
    expect(pods.programsOf(own.instanceId)).toHaveLength(1);
    expect((await system.instance())?.status).toBe('running');
  });

  it('records a killed pod whose exit was not reported', async () => {
    const spec = podSpec({ instanceId: 1, urlSlug: (await system.instance())?.urlSlug ?? '' });
    await pods.start(spec);
    const [pid = 0] = pods.programsOf(spec.instanceId);
    process.kill(pid, 'SIGKILL');
    await waitFor('all pods have ended', async () =>
      expectRight(await pods.runtime.listPods()).every(({ phase }) => phase === 'ended'),
    );
    expect(await reconcileNow()).toMatchObject({ lost_pods_recorded: 1 });
    expect((await system.instance())?.status).toBe('failed');
  });
});
