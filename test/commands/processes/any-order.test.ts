import fc from 'fast-check';
import { changeExportJob } from '../../../commands/export-job/change-export-job';
import { changeInstance } from '../../../commands/instance/change-instance';
import { instances } from '../../../commands/kit/aggregates';
import { handleCommand } from '../../../commands/kit/handle-command';
import { processTimer } from '../../../commands/processes/run-process';
import { executeDue } from '../../../commands/processes/run-process-work';
import { DEFAULT_CONCURRENCY } from '../../../domain/config';
import { type InstanceCommand, instanceStream } from '../../../domain/instance';
import { type Position, START, type StoredEvent } from '../../../domain/kernel/event';
import { type PodRuntimeError } from '../../../domain/ports/pod-runtime';
import { type DueCommand } from '../../../domain/ports/process-work';
import { instanceRequested } from '../../support/domain-samples';
import { giveToProcesses } from '../../support/give-to-processes';
import { expectRight } from '../../support/given-when-then';
import { createInMemorySystem } from '../../support/in-memory-system';

type Action = () => unknown;
type Kind = 'progress' | 'failure' | 'timer' | 'repetition';

const choice = fc.tuple(
  fc.oneof(
    { weight: 20, arbitrary: fc.constant<Kind>('progress') },
    { weight: 2, arbitrary: fc.constant<Kind>('failure') },
    { weight: 1, arbitrary: fc.constant<Kind>('timer') },
    { weight: 1, arbitrary: fc.constant<Kind>('repetition') },
  ),
  fc.nat({ max: 999 }),
);
const choices = fc.array(choice, { maxLength: 80, size: 'max' });

/**
 * One instance in a world where events arrive late or twice, commands run concurrently or twice, calls to the pod
 * runtime hang or fail, timers fire early, and workers and pods send arbitrary reports.
 */
const createWorld = async (begin: 'reserved' | 'requested' | 'exported') => {
  const system = createInMemorySystem();
  await system.createMapping();
  const { ports, work, pods } = system;
  let position: Position = START;
  const delivered: StoredEvent[] = [];
  const taken: DueCommand[] = [];
  const executed: DueCommand[] = [];
  const hanging: ((error: PodRuntimeError | null) => void)[] = [];
  const running = new Set<Promise<void>>();
  pods.beforeCall = () => new Promise((resolve) => hanging.push(resolve));
  const data = { ...instanceRequested.data, instanceId: 1, snapshotId: 1 };
  const asSystem = () => system.context('system', 'system');

  const deliver = async (): Promise<boolean> => {
    const page = expectRight(await system.store.readAll(position, 1));
    const [event] = page.events;
    if (event === undefined) return false;
    expectRight(await giveToProcesses(system, event));
    delivered.push(event);
    position = page.position;
    return true;
  };
  const take = async (): Promise<void> => {
    taken.push(...(await work.takeDueCommands(100, 1e9)));
  };
  const execute = (due: DueCommand): void => {
    const execution = executeDue(ports, due).finally(() => running.delete(execution));
    running.add(execution);
    executed.push(due);
  };
  const change = (command: Exclude<InstanceCommand, { type: 'RequestInstance' }>) => () =>
    changeInstance(system, 1, command, asSystem());
  const request = () =>
    handleCommand(system, instances, instanceStream(1), { type: 'RequestInstance', ...data }, system.context());

  const report = { instanceUrl: null, nodeCount: 1, edgeCount: 1 };
  const failure = { errorCode: 'STARTUP_FAILED', errorMessage: 'no', failedPhase: null, stackTrace: null };
  const jobActions = async (): Promise<readonly Action[]> => {
    const jobIds = (await system.snapshot())?.jobs.map(({ jobId }) => jobId) ?? [];
    const jobs = await Promise.all(jobIds.map((jobId) => system.job(jobId)));
    const open = jobIds.filter((_, index) => !['completed', 'failed'].includes(jobs[index]?.status ?? ''));
    return open.flatMap((jobId) => [
      () => changeExportJob(system, jobId, { type: 'ClaimExportJob', workerId: 'w1' }, asSystem()),
      () => changeExportJob(system, jobId, { type: 'ReportCompleted', rowCount: 1, sizeBytes: 1 }, asSystem()),
      () => changeExportJob(system, jobId, { type: 'ReportCompleted', rowCount: 1, sizeBytes: 1 }, asSystem()),
      () => changeExportJob(system, jobId, { type: 'ReportFailed', errorMessage: 'no' }, asSystem()),
    ]);
  };

  /** The possible next actions, by kind. */
  const possible = async (): Promise<Readonly<Record<Kind, readonly Action[]>>> => {
    await take();
    const answers = (answer: PodRuntimeError | null) => hanging.map((_, i) => () => hanging.splice(i, 1)[0]?.(answer));
    return {
      progress: [
        deliver,
        ...taken.map((_, index) => () => taken.splice(index, 1).forEach(execute)),
        ...answers(null),
        ...((await system.instance()) === null ? [request] : []),
        ...(await jobActions()),
        change({ type: 'ReportStatus', life: null, report: { status: 'running', ...report } }),
      ],
      failure: [
        ...answers({ kind: 'unavailable', reason: 'away' }),
        ...answers({ kind: 'rejected', reason: 'no' }),
        change({ type: 'ReportStatus', life: null, report: { status: 'failed', ...failure } }),
        change({ type: 'ReportStatus', life: null, report: { status: 'stopping' } }),
        change({ type: 'ReportPodLost', life: 1, end: { cause: 'crashed', text: 'exit code 1' } }),
        change({ type: 'RequestDeletion', reason: 'deleted' }),
        change({ type: 'RestartInstance', reason: 'restart' }),
      ],
      timer: (await work.timers()).map((timer) => () => processTimer(system, timer)),
      repetition: [
        ...executed.slice(-2).map((due) => () => execute(due)),
        ...delivered.slice(-2).map((event) => () => giveToProcesses(system, event)),
      ],
    };
  };

  const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Completes everything in progress: at once, or the most recently started first and calls to the pods last. */
  const settle = async (lastFirst = false): Promise<void> => {
    for (let quiet = 0; quiet < 2;) {
      await take();
      const busy = hanging.length + taken.length + running.size > 0;
      const moved = await deliver();
      const only = lastFirst ? -1 : 0;
      if (!lastFirst || (!moved && taken.length === 0)) hanging.splice(only).forEach((answer) => answer(null));
      if (!lastFirst || !moved) taken.splice(only).forEach(execute);
      system.advanceClock(60);
      await idle();
      quiet = busy || moved ? 0 : quiet + 1;
    }
  };

  const reserve = { type: 'ReserveSlot', instanceId: 1, ownerUsername: 'ada', limits: DEFAULT_CONCURRENCY } as const;
  expectRight(await ports.changeCapacity(reserve, system.context()));
  if (begin !== 'reserved') await request();
  if (begin === 'exported') {
    await settle();
    for (const { jobId } of (await system.snapshot())?.jobs ?? []) {
      expectRight(await changeExportJob(system, jobId, { type: 'ClaimExportJob', workerId: 'w1' }, asSystem()));
      const done = { type: 'ReportCompleted', rowCount: 1, sizeBytes: 1 } as const;
      expectRight(await changeExportJob(system, jobId, done, asSystem()));
    }
  }
  return { ...system, possible, settle, idle, change };
};

describe('an instance whose events arrive in any order', () => {
  it('keeps its slot while it exists, and leaves no pod, slot, timer or export after its end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('reserved', 'requested', 'exported'),
        choices,
        fc.boolean(),
        async (begin, story, lastFirst) => {
          const world = await createWorld(begin);
          for (const [kind, number] of story) {
            const actions = (await world.possible())[kind];
            void actions[number % actions.length]?.();
            await world.idle();
          }
          await world.settle(lastFirst);

          const instance = await world.instance();
          const slots = await world.slots();
          const living = ['waiting_for_snapshot', 'starting', 'running'].includes(instance?.status ?? '');
          expect(slots.has(1) || instance === null).toBe(living || instance === null);
          if (!['starting', 'running'].includes(instance?.status ?? '')) expect(world.pods.running.size).toBe(0);

          if (instance === null) {
            const timers = await world.work.timers();
            expect(timers.map(({ timerId }) => timerId)).toEqual(slots.has(1) ? ['reservation'] : []);
            return;
          }
          await world.change({ type: 'RequestDeletion', reason: 'deleted' })();
          await world.settle(lastFirst);
          expect((await world.instance())?.status).toBe('deleted');
          expect(world.pods.running.size).toBe(0);
          expect((await world.slots()).size).toBe(0);
          expect(await world.work.openCommands()).toBe(0);
          const timers = (await world.work.timers()).map(({ timerId }) => timerId);
          expect(timers.filter((timerId) => timerId !== 'sweep')).toEqual([]);
          const snapshot = await world.snapshot();
          expect([undefined, 'ready']).toContain(snapshot?.status);
          for (const { jobId } of snapshot?.jobs ?? []) {
            expect([undefined, 'completed', 'failed']).toContain((await world.job(jobId))?.status);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
