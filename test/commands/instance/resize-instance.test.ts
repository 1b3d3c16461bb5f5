import { changeInstance } from '../../../commands/instance/change-instance';
import { resizeInstance } from '../../../commands/instance/resize-instance';
import { GIB, type PodLock } from '../../../domain/instance';
import { readInstanceEvents } from '../../../queries/instance-events';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';

describe('resizing an instance', () => {
  let system: InMemorySystem;
  let stop: () => Promise<void>;
  let lock: PodLock | 'unreachable' | null;
  let asked: number;

  beforeEach(async () => {
    system = createInMemorySystem();
    lock = null;
    asked = 0;
    await system.createMapping();
    expectRight(await system.requestInstance());
    stop = system.start();
  });
  afterEach(() => stop());

  const bySystem = () => system.context('w1', 'system');
  const run = async () => {
    const start = { type: 'StartInstance', memoryBytes: 4 * GIB, snapshotBytes: 1 } as const;
    expectRight(await changeInstance(system, 1, start, bySystem()));
    await system.settled();
    const report = { status: 'running', instanceUrl: null, nodeCount: 1, edgeCount: 0 } as const;
    expectRight(await changeInstance(system, 1, { type: 'ReportStatus', life: null, report }, bySystem()));
  };
  const podClient = {
    lockOf: () => {
      asked += 1;
      return Promise.resolve(lock);
    },
  };
  const ports = () => ({ ...system, podClient, podRuntime: system.pods });
  const toMemory = (gib: number) => {
    const size = { memoryBytes: gib * GIB, reason: 'user_request' };
    return resizeInstance(ports(), 1, size, system.context());
  };
  const toCpu = (cpuCores: number) => resizeInstance(ports(), 1, { cpuCores }, system.context());
  const events = () => readInstanceEvents(system.store, 1);

  it('reaches its pod and is listed newest first', async () => {
    await run();
    expect(expectRight(await toMemory(8)).state).toMatchObject({ takesEffect: 'now' });
    expectRight(await toCpu(4));
    await system.settled();
    expect([...system.pods.running.values()]).toMatchObject([{ memoryBytes: 8 * GIB, cpuCores: 4 }]);
    expect(expectRight(await events())).toEqual([
      {
        id: 4,
        event_type: 'cpu_updated',
        details: { old_cpu_cores: 2, new_cpu_cores: 4 },
        created_at: '2026-03-01T12:00:00.000Z',
      },
      {
        id: 3,
        event_type: 'memory_upgraded',
        details: { old_memory_bytes: 4 * GIB, new_memory_bytes: 8 * GIB, reason: 'user_request' },
        created_at: '2026-03-01T12:00:00.000Z',
      },
    ]);
  });

  it('a size that the pod runtime rejects is recorded', async () => {
    await run();
    system.pods.refusedSize = 'the node is full';
    expect(expectRight(await toMemory(8)).state).toMatchObject({ takesEffect: 'at_next_start' });
    await system.settled();
    expect(expectRight(await events())[0]).toMatchObject({
      event_type: 'resize_failed',
      details: { memory_bytes: 8 * GIB, cpu_cores: 2, error_message: expect.stringContaining('full') as string },
    });
  });

  it('a size that the runtime applies later is not a failure', async () => {
    await run();
    system.pods.takesEffect = 'pending';
    expect(expectRight(await toCpu(4)).state).toMatchObject({ takesEffect: 'pending', cpuCores: 4 });
    await system.settled();
    expect(expectRight(await events())).toMatchObject([{ event_type: 'cpu_updated' }]);
  });

  it('ends with the newest size when two run concurrently', async () => {
    await run();
    const resize = system.pods.resizePod.bind(system.pods);
    let isFirst = true;
    const late = async (...[pod, size]: Parameters<typeof resize>): ReturnType<typeof resize> => {
      if (isFirst) {
        isFirst = false;
        expectRight(await toCpu(6));
        await system.settled();
      }
      return resize(pod, size);
    };
    expectRight(
      await resizeInstance({ ...ports(), podRuntime: { resizePod: late } }, 1, { cpuCores: 4 }, system.context()),
    );
    expect([...system.pods.running.values()]).toMatchObject([{ cpuCores: 6 }]);
  });

  it('is rejected while an algorithm runs', async () => {
    await run();
    lock = { holderUsername: 'ada', algorithmName: 'pagerank', executionId: 'e' };
    expect(expectLeft(await toMemory(8)).code).toBe('RESOURCE_LOCKED');
    expect(expectLeft(await toCpu(8)).code).toBe('RESOURCE_LOCKED');
    expect(expectRight(await events())).toEqual([]);
  });

  it('is rejected while the pod does not answer', async () => {
    await run();
    lock = 'unreachable';
    expect(expectLeft(await toMemory(8)).code).toBe('SERVICE_UNAVAILABLE');
    expect(expectRight(await events())).toEqual([]);
  });

  it('a user who may not change the instance causes no call of the pod', async () => {
    await run();
    lock = 'unreachable';
    const refused = await resizeInstance(ports(), 1, { cpuCores: 3 }, system.context('bob'));
    expect([expectLeft(refused).code, asked]).toEqual(['PERMISSION_DENIED', 0]);
  });

  it('a size that cannot be applied in place is recorded for the next start', async () => {
    await run();
    system.pods.takesEffect = 'at_next_start';
    expect(expectRight(await toMemory(8)).state).toMatchObject({ takesEffect: 'at_next_start' });
    await system.settled();
    const message = 'The new size of instance 1 takes effect when its pod starts next.';
    expect(expectRight(await events())[0]).toMatchObject({ details: { error_message: message } });
  });

  it('sends no request to a pod that is not running', async () => {
    expect(expectLeft(await toMemory(8))).toMatchObject({
      code: 'INVALID_STATE',
      details: { current_status: 'waiting_for_snapshot' },
    });
    expect(asked).toBe(0);
  });

  it('returns not found for an instance that never existed or is deleted', async () => {
    const missing = await resizeInstance(ports(), 9, { cpuCores: 1 }, system.context());
    expect(expectLeft(missing)).toMatchObject({ code: 'RESOURCE_NOT_FOUND', details: { instance_id: 9 } });
    expect(expectLeft(await readInstanceEvents(system.store, 9)).code).toBe('RESOURCE_NOT_FOUND');
    await run();
    expectRight(await changeInstance(system, 1, { type: 'RequestDeletion', reason: 'done' }, system.context()));
    await system.settled();
    expect(expectLeft(await toCpu(4)).code).toBe('RESOURCE_NOT_FOUND');
    expect(expectLeft(await events()).code).toBe('RESOURCE_NOT_FOUND');
  });
});
