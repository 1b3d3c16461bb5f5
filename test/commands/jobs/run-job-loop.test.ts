import { left, right } from 'fp-ts/Either';
import { type Job, type JobRun } from '../../../commands/jobs/job';
import { type JobLoopPorts, runJobLoop, triggerJob } from '../../../commands/jobs/run-job-loop';
import { requestContext } from '../../../commands/kit/command-context';
import { type JobName } from '../../../domain/job';
import { domainError } from '../../../domain/kernel/errors';
import { type EndedRun, type JobProgress } from '../../../domain/ports/job-runs';
import { expectRight, NOON } from '../../support/given-when-then';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { createInMemoryIdGenerator } from '../../support/in-memory/in-memory-id-generator';
import { waitFor } from '../../support/wait-for';

const SECOND = 1000;

/** A loop with its own clock: each wait advances the clock to the end of the wait. */
const createLoop = (name: JobName, progress: JobProgress | null, run: (run: JobRun) => ReturnType<Job['run']>) => {
  let time = NOON.getTime();
  const clock = { now: () => new Date(time) };
  const ids = createInMemoryIdGenerator();
  const base = { store: createInMemoryEventStore(clock), clock, ids };
  const ended: (EndedRun & { readonly nextRunAt: Date })[] = [];
  const started: number[] = [];
  const trouble: string[] = [];
  const held = { lease: true };
  const wait = (ms: number): Promise<void> => {
    time += ms;
    return new Promise(setImmediate);
  };
  const ports: JobLoopPorts = {
    ...base,
    startedAt: NOON,
    runs: {
      takeOver: (_name, first) => Promise.resolve(progress ?? { lastStartedAt: null, nextRunAt: first }),
      begin: async (_name, startedAt) => {
        await wait(0);
        if (held.lease) started.push((startedAt.getTime() - NOON.getTime()) / SECOND);
        return held.lease;
      },
      end: (_name, endedRun, nextRunAt) => {
        ended.push({ ...endedRun, nextRunAt });
        return Promise.resolve();
      },
    },
    triggerSignal: { version: 0, waitAfter: (_version, ms) => wait(ms) },
    pause: wait,
    onRun: () => undefined,
    onError: (what) => trouble.push(what),
  };
  const ending = new AbortController();
  const lease = { name: 'jobs', owner: 'a', epoch: 1 };
  return {
    ...{ ended, started, trouble, held, ports },
    stop: () => ending.abort(),
    take: (ms: number) => (time += ms),
    trigger: async (by = 'olivia') =>
      expectRight(
        await triggerJob(base, name, 'checking', requestContext(ids, { username: by, role: 'ops' }, ids.uuid())),
      ),
    events: async () => expectRight(await base.store.readStream(`job-${name}`)),
    run: (intervalMs: number) => runJobLoop(ports, { name, run }, intervalMs, lease, ending.signal),
  };
};
type Loop = ReturnType<typeof createLoop>;

const NEVER = null;
const inSeconds = (seconds: number): Date => new Date(NOON.getTime() + seconds * SECOND);

/** Runs the loop until it has started this many runs. */
const runs = async (loop: Loop, count: number, intervalMs = 10 * SECOND): Promise<readonly number[]> => {
  const running = loop.run(intervalMs);
  await waitFor(`${count} runs have started`, () => loop.started.length >= count);
  loop.stop();
  await running;
  return loop.started.slice(0, count);
};

describe('the loop of a job', () => {
  const succeeding = () => Promise.resolve(right({ things_done: 1 }));

  it('runs it at once when it never ran, and then on schedule', async () => {
    const loop = createLoop('lifecycle', NEVER, succeeding);
    expect(await runs(loop, 4)).toEqual([0, 10, 20, 30]);
    expect(await loop.events()).toEqual([]);
  });

  it('continues the schedule of the previous lease holder', async () => {
    const progress = { lastStartedAt: inSeconds(-4), nextRunAt: inSeconds(6) };
    expect(await runs(createLoop('lifecycle', progress, succeeding), 2)).toEqual([6, 16]);
  });

  it('runs it once for all missed runs', async () => {
    const progress = { lastStartedAt: inSeconds(-1000), nextRunAt: inSeconds(-990) };
    expect(await runs(createLoop('lifecycle', progress, succeeding), 2)).toEqual([0, 10]);
  });

  it('follows a schedule that was shortened meanwhile', async () => {
    const progress = { lastStartedAt: inSeconds(-10), nextRunAt: inSeconds(5000) };
    expect(await runs(createLoop('lifecycle', progress, succeeding), 2)).toEqual([10, 20]);
  });

  it('runs the schema cache once at a start, and not because of a takeover', async () => {
    const before = { lastStartedAt: inSeconds(-10), nextRunAt: inSeconds(5) };
    expect(await runs(createLoop('schema_cache', before, succeeding), 1)).toEqual([0]);
    const since = { lastStartedAt: inSeconds(0), nextRunAt: inSeconds(5) };
    expect(await runs(createLoop('schema_cache', since, succeeding), 1)).toEqual([5]);
  });

  it('does not overlap two runs', async () => {
    const loop: Loop = createLoop('lifecycle', NEVER, () => {
      loop.take(25 * SECOND);
      return succeeding();
    });
    expect(await runs(loop, 3)).toEqual([0, 25, 50]);
  });

  it('runs a trigger outside the schedule and keeps its outcome', async () => {
    const by: (string | null)[] = [];
    const progress = { lastStartedAt: inSeconds(-1), nextRunAt: inSeconds(3600) };
    const loop = createLoop('lifecycle', progress, ({ triggeredBy }) => {
      by.push(triggeredBy);
      return succeeding();
    });
    await loop.trigger();
    expect(await runs(loop, 2, 3600 * SECOND)).toEqual([0, 3600]);
    expect(by.slice(0, 2)).toEqual(['olivia', null]);
    expect((await loop.events()).map(({ type, data }) => ({ type, data }))).toMatchObject([
      { type: 'JobTriggered' },
      { type: 'JobRunSucceeded', data: { trigger: 1, triggeredBy: 'olivia', result: { things_done: 1 } } },
    ]);
  });

  it('gives a run the cause of all its events: its trigger, or the run itself', async () => {
    const causes: JobRun['cause'][] = [];
    const progress = { lastStartedAt: inSeconds(-1), nextRunAt: inSeconds(3600) };
    const loop = createLoop('lifecycle', progress, ({ cause }) => {
      causes.push(cause);
      return Promise.resolve(causes.length === 1 ? right({}) : left(domainError('SERVICE_UNAVAILABLE', 'away')));
    });
    await loop.trigger();
    await runs(loop, 3, 3600 * SECOND);
    const [triggered, succeeded, failed] = await loop.events();
    expect(causes[0]).toEqual({
      correlationId: triggered?.metadata.correlationId,
      causationId: triggered?.id,
    });
    expect(succeeded?.metadata).toMatchObject(causes[0] ?? {});
    expect([failed?.type, failed?.metadata]).toMatchObject(['JobRunFailed', causes[1] ?? {}]);
    expect(causes[1]).toMatchObject({ correlationId: causes[1]?.causationId });
    expect(new Set(causes.map(({ correlationId }) => correlationId)).size).toBe(causes.length);
  });

  it('runs once more after a trigger during a run', async () => {
    const loop: Loop = createLoop('lifecycle', NEVER, async () => {
      if (loop.started.length === 1) await loop.trigger();
      return succeeding();
    });
    expect(await runs(loop, 3)).toEqual([0, 0, 10]);
    expect((await loop.events()).map(({ type }) => type)).toEqual(['JobTriggered', 'JobRunSucceeded']);
  });

  it('keeps failures and the recovery, and runs less often while a job stays unhealthy', async () => {
    const loop: Loop = createLoop('lifecycle', NEVER, () => {
      if (loop.started.length === 1) throw new Error('a bug');
      return loop.started.length < 6 ? Promise.resolve(left(domainError('SERVICE_UNAVAILABLE', 'away'))) : succeeding();
    });
    expect(await runs(loop, 8)).toEqual([0, 10, 20, 30, 50, 90, 100, 110]);
    expect((await loop.events()).map(({ type }) => type)).toEqual([
      ...Array<string>(5).fill('JobRunFailed'),
      'JobRunSucceeded',
    ]);
    expect(loop.ended[0]?.outcome).toEqual({
      kind: 'failed',
      errorCode: 'INTERNAL_ERROR',
      errorMessage: 'Error: a bug',
    });
  });

  it('keeps a trigger open when its run is interrupted', async () => {
    const loop: Loop = createLoop('lifecycle', NEVER, () => {
      loop.stop();
      return succeeding();
    });
    await loop.trigger();
    await runs(loop, 1);
    expect((await loop.events()).map(({ type }) => type)).toEqual(['JobTriggered']);
    expect(loop.ended).toEqual([]);
  });

  it('runs nothing after it has lost the lease', async () => {
    const loop = createLoop('lifecycle', NEVER, succeeding);
    loop.held.lease = false;
    const running = loop.run(SECOND);
    await waitFor('the loop has retried for five seconds', () => loop.ports.clock.now() > inSeconds(5));
    loop.stop();
    await running;
    expect(loop.started).toEqual([]);
  });

  it('continues after an outage of the store', async () => {
    const loop = createLoop('lifecycle', NEVER, succeeding);
    const { end } = loop.ports.runs;
    let failures = 2;
    loop.ports.runs.end = (...args) => (failures-- > 0 ? Promise.reject(new Error('away')) : end(...args));
    await runs(loop, 2);
    expect(loop.trouble).toEqual(['saving a run of lifecycle', 'saving a run of lifecycle']);
    expect(loop.ended.length).toBeGreaterThan(0);
  });
});
