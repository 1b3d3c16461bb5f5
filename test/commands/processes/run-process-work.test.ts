import { changeExportJob } from '../../../commands/export-job/change-export-job';
import { changeInstance } from '../../../commands/instance/change-instance';
import { observePodEnd, startupReason } from '../../../commands/instance/observe-pod';
import { executeDue } from '../../../commands/processes/run-process-work';
import { type StatusReport } from '../../../domain/instance';
import { START } from '../../../domain/kernel/event';
import { type DueCommand } from '../../../domain/ports/process-work';
import { expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';
import { waitFor } from '../../support/wait-for';

const RUNNING: StatusReport = { status: 'running', instanceUrl: null, nodeCount: 2, edgeCount: 1 };

describe('an instance', () => {
  let system: InMemorySystem;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    system = createInMemorySystem();
    await system.createMapping();
    stop = system.start();
  });
  afterEach(() => stop());

  const worker = () => system.context('w1', 'system');
  const jobs = async () => {
    await system.settled();
    return (await system.snapshot())?.jobs.map(({ jobId }) => jobId) ?? [];
  };
  const claim = async (jobId: number) =>
    expectRight(await changeExportJob(system, jobId, { type: 'ClaimExportJob', workerId: 'w1' }, worker()));
  const completeExport = async () => {
    for (const jobId of await jobs()) {
      await claim(jobId);
      const done = { type: 'ReportCompleted', attempt: 1, rowCount: 2, sizeBytes: 100 } as const;
      expectRight(await changeExportJob(system, jobId, done, worker()));
    }
    await system.settled();
  };
  const report = async (status: StatusReport) =>
    expectRight(await changeInstance(system, 1, { type: 'ReportStatus', life: null, report: status }, worker()));
  const remove = async () => {
    const command = { type: 'RequestDeletion', reason: 'deleted by ada' } as const;
    expectRight(await changeInstance(system, 1, command, system.context()));
    await system.settled();
  };
  const timersLeft = async () => (await system.work.timers()).map(({ timerId }) => timerId);
  const statusOf = async () => (await system.instance())?.status;

  const expectNothingLeft = async () => {
    expect([...system.pods.running]).toEqual([]);
    expect([...(await system.slots())]).toEqual([]);
    // Files of a deleted snapshot are removed again after the last lease expires.
    expect((await timersLeft()).filter((timerId) => timerId !== 'sweep')).toEqual([]);
  };

  it('progresses from its request over its export and its pod to its deletion', async () => {
    expectRight(await system.requestInstance());
    expect(await jobs()).toEqual([1, 2]);
    expect((await system.snapshot())?.status).toBe('pending');
    await completeExport();
    expect((await system.snapshot())?.status).toBe('ready');
    expect(await statusOf()).toBe('starting');
    const slug = (await system.instance())?.urlSlug ?? '';
    expect(system.pods.running.get(slug)).toMatchObject({
      instanceId: 1,
      memoryBytes: 3 * 1024 ** 3,
      cpuCores: 2,
      instanceUrl: `http://graphs/${slug}`,
    });

    await report(RUNNING);
    await system.settled();
    expect(await statusOf()).toBe('running');
    expect(await timersLeft()).toEqual([]);
    expect((await system.slots()).get(1)).toBe('ada');

    await remove();
    expect(await statusOf()).toBe('deleted');
    await expectNothingLeft();
    expect(system.trouble).toEqual([]);
  });

  it('fails when its pod is rejected, and frees its slot', async () => {
    system.pods.beforeCall = (what) =>
      Promise.resolve(what === 'create' ? { kind: 'rejected', reason: 'no such engine here' } : null);
    expectRight(await system.requestInstance());
    await completeExport();
    expect(await statusOf()).toBe('failed');
    expect(await system.typesOf('instance-1')).toContain('InstanceFailed');
    await expectNothingLeft();
  });

  it('waits for an unavailable pod runtime, and starts when it is available again', async () => {
    let away = true;
    system.pods.beforeCall = () => Promise.resolve(away ? { kind: 'unavailable', reason: 'away' } : null);
    expectRight(await system.requestInstance());
    const exported = completeExport();
    await waitFor('the reason is shown', async () => (await startupReason(system.ports, 1)) !== null);
    expect(await startupReason(system.ports, 1)).toBe('The pod of instance 1 could not be started: away.');
    away = false;
    system.advanceClock(1);
    await exported;
    expect(system.pods.running.size).toBe(1);
    expect(system.trouble).toContain('executing CreatePod for process_instance_startup-1');
    expect(await startupReason(system.ports, 1)).toBeNull();
  });

  it('fails with the words of a runtime that has not accepted its pod in time', async () => {
    system.pods.beforeCall = () => Promise.resolve({ kind: 'unavailable', reason: 'exceeded quota: small' });
    expectRight(await system.requestInstance());
    const exported = completeExport();
    await waitFor('the reason is shown', async () => (await startupReason(system.ports, 1)) !== null);
    system.advanceClock(15 * 60);
    await waitFor('the instance has failed', async () => (await statusOf()) === 'failed');
    const events = expectRight(await system.store.readStream('instance-1'));
    expect(events.find(({ type }) => type === 'InstanceFailed')?.data).toMatchObject({
      errorMessage:
        'The pod did not report running within 15 minutes. The pod runtime reports: The pod of instance 1 could not be started: exceeded quota: small.',
    });
    system.pods.beforeCall = () => Promise.resolve(null);
    system.advanceClock(30);
    await exported;
  });

  it('is not deleted before its pod is, however often the runtime rejects that', async () => {
    let refusals = 3;
    system.pods.beforeCall = (what) =>
      Promise.resolve(what === 'delete' && refusals-- > 0 ? { kind: 'rejected', reason: 'not now' } : null);
    expectRight(await system.requestInstance());
    await completeExport();
    const removed = remove();
    await waitFor('the pod is deleted', () => {
      system.advanceClock(1);
      return system.pods.running.size === 0;
    });
    await removed;
    expect(await statusOf()).toBe('deleted');
    expect(system.pods.calls.filter((call) => call === 'delete')).toHaveLength(4);
  });

  it('fails with the reason for which its pod waits when it does not start in time', async () => {
    system.pods.reason = 'no node has 4 GiB of free memory';
    expectRight(await system.requestInstance());
    await completeExport();
    system.advanceClock(15 * 60);
    await waitFor('the instance has failed', async () => (await statusOf()) === 'failed');
    const events = expectRight(await system.store.readStream('instance-1'));
    expect(events.find(({ type }) => type === 'InstanceFailed')?.data).toMatchObject({
      errorCode: 'STARTUP_FAILED',
      errorMessage: `The pod did not report running within 15 minutes. The pod runtime reports: ${system.pods.reason}`,
    });
  });

  it('is not deleted before its last pod has ended, whose deletion is requested again', async () => {
    expectRight(await system.requestInstance());
    await completeExport();
    const { urlSlug = '' } = (await system.instance()) ?? {};
    system.pods.endsAtOnce = false;
    const removed = remove();
    await waitFor('the deletion of the pod is requested', () => system.pods.calls.includes('delete'));
    expect(await statusOf()).toBe('stopping');
    const pod = { podName: '', instanceId: 1, urlSlug, life: 1, phase: 'ended', reason: null } as const;
    const end = { cause: 'stopped', text: 'exit code 0' } as const;
    const observe = () => observePodEnd(system.ports, { ...pod, end }, worker(), new AbortController().signal);
    expectRight(await observe());
    expect(await statusOf()).toBe('stopping');

    await waitFor('the deletion is retried', () => {
      system.advanceClock(1);
      return system.pods.calls.filter((call) => call === 'delete').length > 3;
    });
    system.pods.running.clear();
    expectRight(await observe());
    expect(await statusOf()).toBe('deleted');
    system.advanceClock(30);
    await removed;
    expect(system.trouble).toEqual([]);
    await expectNothingLeft();
  });

  it('has its pod created by the executor that holds the lease, and by no other', async () => {
    const { renewCommand } = system.work;
    let hangs: () => void = () => undefined;
    system.pods.beforeCall = () => new Promise((resolve) => (hangs = () => resolve(null)));
    expectRight(await system.requestInstance());
    const exported = completeExport();
    await waitFor('the pod is requested', () => system.pods.calls.length === 1);
    system.work.renewCommand = () => Promise.resolve(null);
    await waitFor('the lease is lost', () => system.pods.signal?.aborted === true);
    system.work.renewCommand = renewCommand;
    system.pods.beforeCall = () => Promise.resolve(null);
    hangs();
    await waitFor('the command is abandoned', () => system.trouble.length > 0);
    expect(await system.work.openCommands()).toBe(1);

    system.advanceClock(6);
    await exported;
    expect(system.pods.calls).toEqual(['create 1', 'create 1']);
  });

  it('fails with the definition whose export failed', async () => {
    expectRight(await system.requestInstance());
    const [first = 0, second = 0] = await jobs();
    await claim(first);
    await claim(second);
    const failed = { type: 'ReportFailed', attempt: 1, errorMessage: 'table friends does not exist' } as const;
    expectRight(await changeExportJob(system, second, failed, worker()));
    await system.settled();
    expect(await statusOf()).toBe('waiting_for_snapshot');
    const done = { type: 'ReportCompleted', attempt: 1, rowCount: 2, sizeBytes: 100 } as const;
    expectRight(await changeExportJob(system, first, done, worker()));
    await system.settled();
    expect((await system.snapshot())?.status).toBe('failed');
    const events = expectRight(await system.store.readStream('instance-1'));
    expect(events.at(-1)).toMatchObject({
      type: 'InstanceFailed',
      data: { errorCode: 'DATA_LOAD_ERROR', errorMessage: 'edge KNOWS: table friends does not exist' },
    });
    await expectNothingLeft();
  });

  it('continues with another worker after an expired lease, and fails with the third', async () => {
    expectRight(await system.requestInstance());
    const [first = 0, second = 0] = await jobs();
    for (const attempt of [1, 2, 3]) {
      await claim(first);
      await system.settled();
      expect((await system.job(first))?.attempt).toBe(attempt);
      system.advanceClock(10 * 60);
      await waitFor('the lease of the job has expired', async () => (await system.job(first))?.status !== 'claimed');
    }
    expect((await system.job(first))?.status).toBe('failed');
    await claim(second);
    const done = { type: 'ReportCompleted', attempt: 1, rowCount: 2, sizeBytes: 100 } as const;
    expectRight(await changeExportJob(system, second, done, worker()));
    await system.settled();
    expect(await statusOf()).toBe('failed');
    await expectNothingLeft();
  });

  it('fails when an export runs for more than an hour', async () => {
    expectRight(await system.requestInstance());
    const [first = 0, second = 0] = await jobs();
    const submitted = { type: 'ReportSubmitted', queryId: 'q', nextUri: 'u', pollCount: 0 } as const;
    for (const jobId of [first, second]) {
      await claim(jobId);
      expectRight(await changeExportJob(system, jobId, submitted, worker()));
    }
    await system.settled();
    system.advanceClock(3601);
    await waitFor('the instance has failed', async () => (await statusOf()) === 'failed');
    await system.settled();
    const events = expectRight(await system.store.readStream('instance-1'));
    const failed = events.find(({ type }) => type === 'InstanceFailed');
    expect(failed?.data).toMatchObject({ errorCode: 'EXPORT_TIMEOUT' });
    expect((failed?.data as { readonly errorMessage: string }).errorMessage).toMatch(/^node Person: .*\nedge KNOWS: /);
    await expectNothingLeft();
  });

  it.each([
    ['no worker comes', 3601, 'EXPORT_TIMEOUT'],
    ['the pod does not report', 15 * 60 + 1, 'STARTUP_FAILED'],
  ])('fails when %s in time', async (_words, seconds, errorCode) => {
    expectRight(await system.requestInstance());
    if (errorCode === 'STARTUP_FAILED') await completeExport();
    await system.settled();
    system.advanceClock(seconds);
    await waitFor('the instance has failed', async () => (await statusOf()) === 'failed');
    await system.settled();
    const events = expectRight(await system.store.readStream('instance-1'));
    expect(events.find(({ type }) => type === 'InstanceFailed')).toMatchObject({ data: { errorCode } });
    await expectNothingLeft();
  });

  it('leaves no export when it is deleted while it waits', async () => {
    expectRight(await system.requestInstance());
    const ids = await jobs();
    await remove();
    expect(await statusOf()).toBe('deleted');
    expect(await system.snapshot()).toBeNull();
    for (const jobId of ids) expect((await system.job(jobId))?.status).toBe('failed');
    await expectNothingLeft();
  });

  it('gets a pod under the same address when it is restarted', async () => {
    expectRight(await system.requestInstance());
    await completeExport();
    await report(RUNNING);
    system.pods.running.clear();
    const restart = { type: 'RestartInstance', reason: 'the system was restarted' } as const;
    expectRight(await changeInstance(system, 1, restart, worker()));
    await system.settled();
    expect([...system.pods.running.keys()]).toEqual([(await system.instance())?.urlSlug]);
    expect(await statusOf()).toBe('starting');
    await report(RUNNING);
    await system.settled();
    expect(await timersLeft()).toEqual([]);
  });

  it('frees its slot after a minute when it was reserved but never requested', async () => {
    const reserve = {
      type: 'ReserveSlot',
      instanceId: 9,
      ownerUsername: 'ada',
      limits: { perAnalyst: 5, clusterTotal: 50 },
    } as const;
    expectRight(await system.ports.changeCapacity(reserve, system.context()));
    await system.settled();
    expect((await system.slots()).size).toBe(1);
    system.advanceClock(61);
    await waitFor('the slot is released', async () => (await system.slots()).size === 0);
  });

  it('frees its slot although another timer throws whenever it is fired', async () => {
    const broken = { streamId: 'process_instance_startup-99', timerId: 'startup', setRevision: 0 };
    const { takeDueTimers } = system.work;
    const { readStream } = system.store;
    system.work.takeDueTimers = async (limit) => [broken, ...(await takeDueTimers(limit))];
    Object.assign(system.store, {
      readStream: (...args: Parameters<typeof readStream>) =>
        args[0] === broken.streamId ? Promise.reject(new Error('a bug')) : readStream(...args),
    });
    const limits = { perAnalyst: 5, clusterTotal: 50 };
    const reserve = { type: 'ReserveSlot', instanceId: 9, ownerUsername: 'ada', limits } as const;
    expectRight(await system.ports.changeCapacity(reserve, system.context()));
    await system.settled();
    system.advanceClock(61);
    await waitFor('the slot is released', async () => (await system.slots()).size === 0);
    expect(system.trouble).toContain('firing timer startup of process_instance_startup-99');
    system.work.takeDueTimers = takeDueTimers;
  });

  it('has the same outcome whether each effect runs once or twice', async () => {
    expectRight(await system.requestInstance());
    await completeExport();
    await report(RUNNING);
    await remove();
    const head = expectRight(await system.store.head());
    const queued = expectRight(await system.store.readAll(START, 1000, { types: ['ProcessCommandQueued'] }));
    expect(queued.events.length).toBeGreaterThan(8);
    for (const { streamId, revision, data, metadata } of queued.events) {
      const { command } = data as Pick<DueCommand, 'command'>;
      const { correlationId } = metadata;
      const due = { streamId, queuedRevision: revision, command, attempt: 0, correlationId, lease: '' };
      await executeDue(system.ports, due);
    }
    expect(expectRight(await system.store.head())).toBe(head);
    await expectNothingLeft();
  });
});
