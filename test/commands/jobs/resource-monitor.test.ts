import { type Job } from '../../../commands/jobs/job';
import { resourceMonitorJob } from '../../../commands/jobs/resource-monitor';
import { GIB } from '../../../domain/instance';
import { type MeasuredMemory } from '../../../domain/ports/directories';
import { readInstanceEvents } from '../../../queries/instance-events';
import { expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';
import { scheduledRun } from '../../support/scheduled-run';

let system: InMemorySystem;
let stop: () => Promise<void>;
let job: Job;
let measured: readonly MeasuredMemory[];

beforeEach(async () => {
  system = createInMemorySystem();
  measured = [];
  job = resourceMonitorJob({
    ...system,
    directory: { unsettled: () => Promise.resolve([1]), memoryUse: () => Promise.resolve(measured) },
  });
  await system.createMapping();
  expectRight(await system.requestInstance());
  stop = system.start();
  await system.runFirstInstance();
});
afterEach(() => stop());

/** A pod reports its memory use, and the monitor checks it a minute after its last check. */
const look = async (usedGib: number | null): Promise<unknown> => {
  system.advanceClock(60);
  if (usedGib !== null) measured = [{ instanceId: 1, usedBytes: usedGib * GIB, measuredAt: system.clock.now() }];
  const result = await job.run(scheduledRun());
  await system.settled();
  return expectRight(result)['memory_upgrades'];
};
const memoryGib = async () => ((await system.instance())?.memoryBytes ?? 0) / GIB;
const events = async () =>
  expectRight(await readInstanceEvents(system.store, 1)).map(({ event_type, details }) => ({ event_type, ...details }));

describe('the resource monitor', () => {
  it('doubles the memory of an instance that was high twice in a row, and resizes its pod', async () => {
    expect(await look(3.3)).toBe(0);
    expect(await look(3.3)).toBe(1);
    expect([...system.pods.running.values()]).toMatchObject([{ memoryBytes: 8 * GIB }]);
    expect(await events()).toEqual([
      {
        event_type: 'memory_upgraded',
        old_memory_bytes: 4 * GIB,
        new_memory_bytes: 8 * GIB,
        reason: 'memory_pressure',
      },
    ]);
  });

  it('does not count one report twice', async () => {
    await look(3.3);
    expect(await look(null)).toBe(0);
    expect(await look(3.3)).toBe(1);
  });

  it('ignores a high value that was followed by a lower one', async () => {
    for (const use of [3.3, 1, 3.3]) expect(await look(use)).toBe(0);
    expect(await memoryGib()).toBe(4);
  });

  it('ignores old reports', async () => {
    measured = [{ instanceId: 1, usedBytes: 4 * GIB, measuredAt: system.clock.now() }];
    system.advanceClock(120);
    expect(await look(null)).toBe(0);
  });

  it('waits five minutes between two upgrades, and stops after three', async () => {
    const upgradesAt: number[] = [];
    for (let minute = 1; minute <= 30; minute++) {
      if ((await look(0.95 * (await memoryGib()))) === 1) upgradesAt.push(minute);
    }
    expect(upgradesAt).toEqual([1, 6, 11]);
    expect(await memoryGib()).toBe(32);
  });

  it('reports when the runtime rejects the new size', async () => {
    system.pods.refusedSize = 'the node has no room';
    await look(3.9);
    expect(await events()).toMatchObject([
      { event_type: 'resize_failed', error_message: expect.stringContaining('the node has no room') as string },
      { event_type: 'memory_upgraded' },
    ]);
  });

  it('skips an instance that is not running', async () => {
    await system.requestDeletion();
    expect(await look(3.9)).toBe(0);
  });
});

describe('an instance whose pod has run out of memory', () => {
  it('is reloaded with twice the memory under the same address, and reports it', async () => {
    const before = await system.instance();
    system.pods.running.clear();
    await system.losePod('out_of_memory');
    await system.settled();
    expect([...system.pods.running.values()]).toMatchObject([
      { memoryBytes: 8 * GIB, urlSlug: before?.urlSlug, instanceUrl: `http://graphs/${before?.urlSlug}` },
    ]);
    expect(await system.instance()).toMatchObject({ status: 'starting', urlSlug: before?.urlSlug });
    await system.reportRunning();
    expect(await events()).toEqual([
      { event_type: 'oom_recovered', old_memory_bytes: 4 * GIB, new_memory_bytes: 8 * GIB },
      { event_type: 'memory_upgraded', old_memory_bytes: 4 * GIB, new_memory_bytes: 8 * GIB, reason: 'oom_recovery' },
    ]);
  });

  it('fails the second time, but not for a repeated report', async () => {
    await system.losePod('out_of_memory');
    await system.settled();
    await system.losePod('out_of_memory');
    await system.settled();
    expect(await system.instance()).toMatchObject({ status: 'starting' });
    await system.losePod('out_of_memory', 2);
    await system.settled();
    expect(await system.instance()).toMatchObject({ status: 'failed' });
    expect((await system.slots()).size).toBe(0);
  });
});
