import { left, right } from 'fp-ts/Either';
import { type Job } from '../../../commands/jobs/job';
import { reconciliationJob } from '../../../commands/jobs/reconciliation';
import { type PodRuntime } from '../../../domain/ports/pod-runtime';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';
import { scheduledRun } from '../../support/scheduled-run';

let system: InMemorySystem;
let stop: (() => Promise<void>) | null;
let job: Job;
let findings: string[];
let details: object[];
let inReadModel: number[];

const jobOn = (podRuntime: PodRuntime): Job =>
  reconciliationJob({
    ...system.ports,
    podRuntime,
    directory: { unsettled: () => Promise.resolve(inReadModel), memoryUse: () => Promise.resolve([]) },
    onFinding: (finding, found) => {
      findings.push(finding);
      details.push(found);
    },
  });
const run = (triggeredBy: string | null = null, signal = new AbortController().signal) =>
  job.run({ ...scheduledRun(signal), triggeredBy });
const done = async () => expectRight(await run());

beforeEach(async () => {
  system = createInMemorySystem();
  findings = [];
  details = [];
  inReadModel = [1];
  job = jobOn(system.pods);
  await system.createMapping();
  expectRight(await system.requestInstance());
  stop = system.start();
});
afterEach(() => stop?.());

const strayPods = (count: number) => {
  for (let id = 50; id < 50 + count; id++) {
    const spec = { instanceId: id, urlSlug: `stray-${id}`, wrapperType: 'graphdb_a', ownerUsername: 'ada' } as const;
    system.pods.running.set(spec.urlSlug, {
      ...spec,
      life: 1,
      memoryBytes: 1,
      cpuCores: 1,
      snapshotBytes: 1,
      instanceUrl: 'http://graphs/x',
    });
  }
};

describe('the reconciliation job', () => {
  it('changes nothing when pods and instances match', async () => {
    await system.runFirstInstance();
    system.advanceClock(600);
    expect(await done()).toEqual({
      pods_deleted: 0,
      lost_pods_recorded: 0,
      instances_deleted: 0,
      instances_failed: 0,
      slots_released: 0,
      commands_stuck: 0,
    });
    expect(findings).toEqual([]);
  });

  it('deletes orphaned pods', async () => {
    strayPods(2);
    expect(await done()).toMatchObject({ pods_deleted: 2 });
    expect(system.pods.running.size).toBe(0);
    expect(findings).toHaveLength(2);
    expect(JSON.stringify(details)).not.toContain('stray-');
  });

  it('deletes none of very many until ops triggers it', async () => {
    strayPods(6);
    const refusal = expectLeft(await run());
    expect(refusal).toMatchObject({ code: 'INVALID_STATE', details: { orphaned_pods: 6, pods: 6 } });
    expect(system.pods.running.size).toBe(6);
    expect(expectRight(await run('olivia'))).toMatchObject({ pods_deleted: 6 });
    expect(system.pods.running.size).toBe(0);
  });

  it('restarts a running instance whose pod has disappeared', async () => {
    await system.runFirstInstance();
    system.advanceClock(1);
    system.pods.running.clear();
    expect(await done()).toMatchObject({ lost_pods_recorded: 1 });
    expect((await system.instance())?.status).toBe('starting');
    await system.settled();
    expect([...system.pods.running.values()]).toMatchObject([{ life: 2 }]);
    expect((await system.slots()).size).toBe(1);
  });

  it('does not treat a failed pod list as an empty one', async () => {
    await system.runFirstInstance();
    system.advanceClock(600);
    const reason = 'the cluster does not answer';
    job = jobOn(
      Object.assign(Object.create(system.pods) as PodRuntime, {
        listPods: () => Promise.resolve(left({ kind: 'unavailable', reason })),
      }),
    );
    expect(expectLeft(await run())).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining(reason) as string,
    });
    expect((await system.instance())?.status).toBe('running');
  });

  it('skips instances whose pods an external runner runs', async () => {
    await system.runFirstInstance();
    system.advanceClock(600);
    system.pods.running.clear();
    job = jobOn(Object.assign(Object.create(system.pods) as PodRuntime, { managesPods: false }));
    expect(await done()).toMatchObject({ lost_pods_recorded: 0 });
    expect((await system.instance())?.status).toBe('running');
  });

  it('frees slots without an instance', async () => {
    const reserve = {
      type: 'ReserveSlot',
      instanceId: 9,
      ownerUsername: 'bob',
      limits: { perAnalyst: 5, clusterTotal: 50 },
    } as const;
    expectRight(await system.ports.changeCapacity(reserve, system.context('bob')));
    await stop?.();
    stop = null;
    expect(await done()).toMatchObject({ slots_released: 0 });
    system.advanceClock(301);
    expect(await done()).toMatchObject({ slots_released: 1 });
    expect([...(await system.slots()).keys()]).toEqual([1]);
    expect(await done()).toMatchObject({ slots_released: 0 });
  });

  it('completes a deletion that its process has lost', async () => {
    await system.runFirstInstance();
    await stop?.();
    stop = null;
    await system.requestDeletion();
    system.pods.running.clear();
    system.advanceClock(1);
    expect(await done()).toMatchObject({ instances_deleted: 1 });
    expect((await system.instance())?.status).toBe('deleted');
    expect((await system.slots()).size).toBe(0);
  });

  it('fails an instance that has exceeded all deadlines', async () => {
    await system.settled();
    await stop?.();
    stop = null;
    system.advanceClock(2 * 3600 + 299);
    expect(await done()).toMatchObject({ instances_failed: 0 });
    system.advanceClock(2);
    expect(await done()).toMatchObject({ instances_failed: 1 });
    expect((await system.instance())?.status).toBe('failed');
  });

  it('continues after a pod that cannot be deleted, and reports it at the end', async () => {
    strayPods(2);
    let calls = 0;
    system.pods.beforeCall = () => Promise.resolve(++calls === 1 ? { kind: 'unavailable', reason: 'busy' } : null);
    expect(expectLeft(await run()).message).toContain('busy');
    expect(system.pods.running.size).toBe(1);
  });

  it('changes nothing after it was aborted', async () => {
    strayPods(2);
    const over = new AbortController();
    over.abort();
    expect(await run(null, over.signal)).toEqual(right(expect.objectContaining({ pods_deleted: 0 })));
    expect(system.pods.running.size).toBe(2);
  });
});
