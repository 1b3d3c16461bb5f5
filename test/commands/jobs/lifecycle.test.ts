import { left, right } from 'fp-ts/Either';
import { changeInstance } from '../../../commands/instance/change-instance';
import { endExpiredInstance, lifecycleJob, type LifecyclePorts } from '../../../commands/jobs/lifecycle';
import { changeMapping } from '../../../commands/mapping/change-mapping';
import { reportSnapshot } from '../../../commands/snapshot/change-snapshot';
import { DEFAULT_LIFECYCLE } from '../../../domain/config';
import { expectLeft, expectRight, NOON } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';
import { scheduledRun } from '../../support/scheduled-run';

const HOUR = 3600;

let system: InMemorySystem;
let stop: () => Promise<void>;
let lastActivity: Date | null;
let isWorking: boolean;
let listed: { instances: readonly number[]; snapshots: readonly number[]; mappings: readonly number[] };

beforeEach(async () => {
  system = createInMemorySystem();
  [lastActivity, isWorking] = [null, false];
  listed = { instances: [1], snapshots: [1], mappings: [1] };
  await system.createMapping();
  stop = system.start();
});
afterEach(() => stop());

const ports = (changes: Partial<LifecyclePorts['directory']> = {}): LifecyclePorts => ({
  ...system,
  podClient: { isWorking: () => Promise.resolve(isWorking) },
  directory: {
    endingInstances: () => Promise.resolve(listed.instances),
    endingSnapshots: () => Promise.resolve(listed.snapshots),
    endingMappings: () => Promise.resolve(listed.mappings),
    lastActivityOf: () => Promise.resolve(lastActivity),
    ...changes,
  },
});
const run = async (from = ports()) => {
  const result = await lifecycleJob(from).run(scheduledRun());
  await system.settled();
  return result;
};
const ended = async () => {
  const counts = expectRight(await run());
  return [counts['instances_deleted'], counts['snapshots_deleted'], counts['mappings_deleted']];
};
const request = async () => {
  expectRight(await system.requestInstance());
  await system.settled();
};
const reasonOf = async (streamId: string, type: string): Promise<unknown> => {
  const events = expectRight(await system.store.readStream(streamId));
  const event = events.find((one) => one.type === type);
  return { reason: (event?.data as { reason: unknown }).reason, actor: event?.metadata.actor };
};

describe('the life of an instance', () => {
  beforeEach(async () => {
    await request();
    await system.completeSnapshot();
    await system.runFirstInstance();
  });

  it('ends with an event that names the cause of the run', async () => {
    system.advanceClock(4 * HOUR);
    await run();
    const events = expectRight(await system.store.readStream('instance-1'));
    expect(events.find(({ type }) => type === 'InstanceStopping')?.metadata).toMatchObject(scheduledRun().cause);
  });

  it('ends after its inactivity timeout, by the system and with the reason', async () => {
    system.advanceClock(4 * HOUR - 1);
    expect(await ended()).toEqual([0, 0, 0]);
    system.advanceClock(1);
    expect(await ended()).toEqual([1, 0, 0]);
    expect(await reasonOf('instance-1', 'InstanceStopping')).toEqual({
      reason: 'it was not used for PT4H',
      actor: 'system:lifecycle',
    });
    expect((await system.instance())?.status).toBe('deleted');
  });

  it('continues while it is used or an algorithm runs, but ends with its ttl', async () => {
    system.advanceClock(23 * HOUR);
    isWorking = true;
    expect(await ended()).toEqual([0, 0, 0]);
    expect(await ended()).toEqual([0, 0, 0]);
    isWorking = false;
    lastActivity = system.clock.now();
    expect(await ended()).toEqual([0, 0, 0]);
    system.advanceClock(HOUR);
    [isWorking, lastActivity] = [true, system.clock.now()];
    expect(await ended()).toEqual([1, 0, 0]);
  });

  it('follows a changed lifetime', async () => {
    const limits = DEFAULT_LIFECYCLE.instance;
    const command = { type: 'ChangeInstanceLifetime', inactivityTimeout: 'PT10H', limits } as const;
    expectRight(await changeInstance(system, 1, command, system.context()));
    system.advanceClock(9 * HOUR);
    expect(await ended()).toEqual([0, 0, 0]);
    system.advanceClock(HOUR);
    expect(await ended()).toEqual([1, 0, 0]);
  });

  it('ends a day after a failure; its snapshot and mapping end in their own time', async () => {
    for (const life of [1, 2, 3]) await system.losePod('crashed', life);
    const limits = DEFAULT_LIFECYCLE.instance;
    expectRight(
      await changeInstance(system, 1, { type: 'ChangeInstanceLifetime', ttl: 'P7D', limits }, system.context()),
    );
    await system.settled();
    system.advanceClock(24 * HOUR - 1);
    expect(await ended()).toEqual([0, 0, 0]);
    system.advanceClock(1);
    expect(await ended()).toEqual([1, 0, 0]);
    expect(await reasonOf('instance-1', 'InstanceStopping')).toMatchObject({
      reason: 'it failed more than 24 hours ago',
    });
    system.advanceClock(72 * HOUR - 1);
    expect(await ended()).toEqual([0, 0, 0]);
    system.advanceClock(1);
    expect(await ended()).toEqual([0, 1, 0]);
    expect(await reasonOf('snapshot-1', 'SnapshotDeleted')).toEqual({
      reason: 'it was not used for P3D',
      actor: 'system:lifecycle',
    });
    system.advanceClock(30 * 24 * HOUR - 1);
    expect(await ended()).toEqual([0, 0, 0]);
    system.advanceClock(1);
    expect(await ended()).toEqual([0, 0, 1]);
    expect(await reasonOf('mapping-1', 'MappingDeleted')).toMatchObject({ reason: 'it was not used for P30D' });
  });
});

describe('the lifecycle job', () => {
  it('deletes the failed snapshot of a deleted instance at once', async () => {
    await request();
    const fail = { type: 'FailSnapshot', errorCode: 'DATA_LOAD_ERROR', errorMessage: 'no' } as const;
    expectRight(await reportSnapshot(system, 1, fail, system.context('w1', 'system')));
    await system.settled();
    await stop();
    listed = { instances: [], snapshots: [1], mappings: [] };
    const job = lifecycleJob(ports());
    const once = scheduledRun();
    expect(expectRight(await job.run(once))).toMatchObject({ snapshots_deleted: 0 });
    await system.requestDeletion();
    expectRight(await changeInstance(system, 1, { type: 'CompleteDeletion' }, system.context('w1', 'system')));
    expect(expectRight(await job.run(once))).toMatchObject({ snapshots_deleted: 1 });
    expect(await reasonOf('snapshot-1', 'SnapshotDeleted')).toMatchObject({
      reason: 'its instance was deleted before it was ready',
    });
  });

  it('keeps resources in use, whatever the read models list', async () => {
    await request();
    await system.runFirstInstance();
    system.advanceClock(40 * 24 * HOUR);
    listed = { instances: [], snapshots: [1], mappings: [1] };
    expect(await ended()).toEqual([0, 0, 0]);
  });

  it('skips a mapping that is being changed', async () => {
    system.advanceClock(30 * 24 * HOUR);
    let changed = false;
    const { readStream } = system.store;
    const store = {
      ...system.store,
      readStream: async (...args: Parameters<typeof readStream>) => {
        const read = await readStream(...args);
        if (args[0] === 'mapping-1' && !changed) {
          changed = true;
          const command = { type: 'UpdateMapping', actorName: 'Ada', name: 'Kept', description: null } as const;
          const rest = { changeDescription: null, nodeDefinitions: null, edgeDefinitions: null };
          expectRight(await changeMapping(system, 1, { ...command, ...rest }, system.context()));
        }
        return read;
      },
    };
    listed = { instances: [], snapshots: [], mappings: [1] };
    expect(expectRight(await run({ ...ports(), store }))).toMatchObject({ mappings_deleted: 0 });
  });

  it('continues after a failure and reports it', async () => {
    await request();
    await request();
    const limits = DEFAULT_LIFECYCLE.instance;
    for (const id of [1, 2])
      expectRight(
        await changeInstance(system, id, { type: 'ChangeInstanceLifetime', ttl: 'PT1H', limits }, system.context()),
      );
    // Before the deadline of their start.
    system.advanceClock(HOUR);
    listed = { instances: [1, 2], snapshots: [], mappings: [] };
    let first = true;
    const { append } = system.store;
    const store = {
      ...system.store,
      append: async (...args: Parameters<typeof append>) => {
        if (args[0] !== 'instance-1' || !first) return append(...args);
        first = false;
        return left({ kind: 'unavailable', reason: 'gone' } as const);
      },
    };
    expect(expectLeft(await run({ ...ports(), store }))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await system.instance(1))?.status).not.toBe('deleted');
    expect((await system.instance(2))?.status).toBe('deleted');
    expect(await ended()).toEqual([1, 0, 0]);
  });

  it('stops between two resources when it is aborted', async () => {
    system.advanceClock(40 * 24 * HOUR);
    const result = await lifecycleJob(ports()).run(scheduledRun(AbortSignal.abort()));
    expect(expectRight(result)).toEqual({
      ...{ instances_deleted: 0, snapshots_deleted: 0, mappings_deleted: 0, uploads_removed: 0 },
    });
  });
});

/** A deterministic generator of random numbers. */
const numbers = (seed: number) => (below: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed % below;
};

describe('an instance that is queried while it is about to expire', () => {
  it('is never ended within five seconds of a query, in 10,000 races', async () => {
    await request();
    await system.runFirstInstance();
    await stop();
    const next = numbers(7);
    const outcomes = { ended: 0, spared: 0 };
    const { readStream } = system.store;
    for (let race = 0; race < 10_000; race++) {
      let now = NOON.getTime() + 4 * HOUR * 1000 + next(20_000);
      let queriedAt = now - next(2) * 4 * HOUR * 1000 - next(20_000);
      const endings: number[] = [];
      // At each step time passes, and the instance may be queried.
      const step = async <A>(answer: () => Promise<A>): Promise<A> => {
        now += next(3_000);
        if (next(6) === 0) queriedAt = now - next(2_000);
        return answer();
      };
      const clock = { now: () => new Date(now) };
      const store = {
        ...system.store,
        readStream: (...args: Parameters<typeof readStream>) => step(() => readStream(...args)),
        append: () => {
          endings.push(now);
          return Promise.resolve(right({ position: '1' as never, revision: 1 }));
        },
      };
      const ended = await endExpiredInstance(
        {
          ...{ ids: system.ids, clock, store },
          podClient: { isWorking: () => step(() => Promise.resolve(false)) },
          directory: { lastActivityOf: () => step(() => Promise.resolve(new Date(queriedAt))) },
        },
        1,
        system.context(),
      );
      expect(expectRight(ended)).toBe(endings.length === 1);
      outcomes[endings.length === 0 ? 'spared' : 'ended'] += 1;
      if (endings.some((endedAt) => endedAt - queriedAt < 5_000))
        throw new Error(`race ${race} ended an instance in use`);
    }
    expect(outcomes.ended).toBeGreaterThan(500);
    expect(outcomes.spared).toBeGreaterThan(500);
  });
});
