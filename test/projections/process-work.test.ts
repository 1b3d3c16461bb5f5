import { createPostgresProcessWork, releaseLeases } from '../../adapters/postgres/postgres-process-work';
import { processWorkProjection } from '../../projections/process-work';
import { createProjectionFixture, type ProjectionFixture, type RunningProjections } from './projection-fixture';
import { appendEvents } from './sample-events';

const STREAM = 'process_instance_startup-1';
const queued = { type: 'ProcessCommandQueued', data: { command: { type: 'CreatePod', instanceId: 1 } } };
const done = (queuedRevision: number) => ({ type: 'ProcessCommandDone', data: { queuedRevision } });
const timerSet = (dueAt: string) => ({ type: 'ProcessTimerSet', data: { timerId: 'startup', dueAt } });
const timerCleared = { type: 'ProcessTimerCleared', data: { timerId: 'startup' } };

describe('the work of the processes', () => {
  let fixture: ProjectionFixture;
  let running: RunningProjections;
  beforeEach(async () => {
    fixture = await createProjectionFixture();
    running = fixture.run([processWorkProjection]);
  });
  afterEach(async () => {
    await running.stop();
    await fixture.close();
  });

  const happens = async (...events: Parameters<typeof appendEvents>[2]): Promise<void> => {
    await appendEvents(fixture.store, STREAM, events);
    await running.caughtUp();
  };
  const complaints: string[] = [];
  const work = () => createPostgresProcessWork(fixture.pool, (message) => complaints.push(message));
  const expireLeases = () => fixture.pool.query("UPDATE es.effects SET lease_until = now() - interval '1 second'");
  /** Lets the timers wait for their next attempt no longer. */
  const endBackOff = () => fixture.pool.query("UPDATE es.timers SET retry_at = now() - interval '1 second'");
  const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

  it('is claimed by one executor until its lease expires', async () => {
    await happens(queued, queued);
    const taken = await Promise.all([1, 2, 3, 4].map(() => work().takeDueCommands(1, 60)));
    expect(taken.flat().map(({ queuedRevision }) => queuedRevision)).toHaveLength(2);
    expect(taken.flat()[0]).toMatchObject({
      streamId: STREAM,
      command: { type: 'CreatePod', instanceId: 1 },
      attempt: 0,
    });
    expect(await work().takeDueCommands(10, 60)).toEqual([]);
    await expireLeases();
    expect(await work().takeDueCommands(10, 60)).toHaveLength(2);
  });

  it('is executed at the time of the database, whatever the clock of the control plane says', async () => {
    await happens(queued);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance', 'queueMicrotask'], now: Date.now() - 600_000 }); // prettier-ignore
    try {
      const [due] = await work().takeDueCommands(1, 60);
      expect(due).toMatchObject({ streamId: STREAM });
      await work().retryCommand(due!, 0, null);
      expect(await work().takeDueCommands(1, 60)).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is reported as stuck after many attempts or a long wait', async () => {
    await happens(queued, queued);
    expect(await work().stuckCommands()).toEqual([]);
    for (let attempt = 1; attempt <= 10; attempt++) {
      const [often] = await work().takeDueCommands(1, 60);
      await work().retryCommand(often!, -60_000, null);
    }
    const stuck = { streamId: STREAM, type: 'CreatePod', attempts: 10 };
    expect(await work().stuckCommands()).toEqual([stuck]);
    await fixture.pool.query("UPDATE es.effects SET due_at = now() - interval '310 seconds'");
    expect(await work().stuckCommands()).toHaveLength(2);
  });

  it('is available again after its release, with the number of the attempt', async () => {
    await happens(queued);
    const [due] = await work().takeDueCommands(10, 60);
    expect(await work().failureOf(STREAM, 'CreatePod')).toBeNull();
    await work().retryCommand(due!, 30_000, 'no quota');
    expect(await work().failureOf(STREAM, 'CreatePod')).toBe('no quota');
    expect(await work().failureOf(STREAM, 'DeletePod')).toBeNull();
    expect(await work().takeDueCommands(10, 60)).toEqual([]);
    await fixture.pool.query("UPDATE es.effects SET due_at = due_at - interval '31 seconds'");
    expect(await work().takeDueCommands(10, 60)).toMatchObject([{ attempt: 1 }]);
    await releaseLeases(fixture.pool);
    expect(await work().takeDueCommands(10, 60)).toHaveLength(1);
  });

  it('stays with its executor while the lease is renewed, and is lost with the lease', async () => {
    await happens(queued);
    const [taken] = await work().takeDueCommands(1, 60);
    const renewed = await work().renewCommand(taken!, 60);
    expect(renewed).toMatchObject({ queuedRevision: 0 });
    expect(await work().renewCommand(taken!, 60)).toBeNull();
    expect(await work().takeDueCommands(1, 60)).toEqual([]);
    await expireLeases();
    const [other] = await work().takeDueCommands(1, 60);
    expect(await work().renewCommand(renewed!, 60)).toBeNull();
    await work().retryCommand(renewed!, 0, null);
    expect(await work().takeDueCommands(1, 60)).toEqual([]);
    expect(await work().renewCommand(other!, 60)).toMatchObject({ queuedRevision: 0 });
  });

  it('skips a command that a newer version has queued', async () => {
    await happens(queued, queued);
    await fixture.pool.query(
      `UPDATE es.effects SET payload = jsonb_set(payload, '{command}', '{"type": "Levitate"}') WHERE revision = 0`,
    );
    expect(await work().takeDueCommands(10, 60)).toMatchObject([{ queuedRevision: 1 }]);
    expect(complaints).toEqual([expect.stringContaining(`${STREAM}@0 is unknown to this version`)]);
  });

  it('ends when it is done', async () => {
    await happens(queued, queued);
    const [due] = await work().takeDueCommands(1, 60);
    await work().retryCommand(due!, 30_000, 'no quota');
    await happens(done(0));
    expect(await work().failureOf(STREAM, 'CreatePod')).toBeNull();
    expect(await work().takeDueCommands(10, 60)).toMatchObject([{ queuedRevision: 1 }]);
  });

  it('contains the due timers, each by the position of its last change', async () => {
    await happens(timerSet(inSeconds(-60)), timerSet(inSeconds(60)));
    expect(await work().takeDueTimers(10)).toEqual([]);
    await happens(timerSet(inSeconds(-1)));
    const due = { streamId: STREAM, timerId: 'startup', setRevision: 2 };
    expect(await work().takeDueTimers(10)).toEqual([due]);
    await endBackOff();
    await happens(timerCleared);
    expect(await work().takeDueTimers(10)).toEqual([]);
  });

  it('gives a timer that is not fired to one executor at a time, each time after a longer pause', async () => {
    await happens(timerSet(inSeconds(-1)));
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      const taken = await Promise.all([1, 2, 3].map(() => work().takeDueTimers(10)));
      expect(taken.flat()).toHaveLength(1);
      const { rows } = await fixture.pool.query<{ seconds: string }>(
        'SELECT round(extract(epoch FROM retry_at - now())) AS seconds FROM es.timers',
      );
      pauses.push(Number(rows[0]?.seconds));
      await endBackOff();
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    await happens(timerSet(inSeconds(-1)));
    expect(await work().takeDueTimers(10)).toHaveLength(1);
    const { rows } = await fixture.pool.query('SELECT attempt FROM es.timers');
    expect(rows).toEqual([{ attempt: 1 }]);
  });

  it('lets other timers through, however many cannot be fired', async () => {
    await fixture.pool.query(
      `INSERT INTO es.timers (stream_id, timer_id, due_at, payload)
       SELECT 'process_unknown-' || n, 'x', now() - interval '1 hour', '{"setRevision": 0}' FROM generate_series(1, 100) n`,
    );
    await happens(timerSet(inSeconds(-1)));
    const taken: string[] = [];
    for (let page = 0; page < 4; page++) {
      taken.push(...(await work().takeDueTimers(32)).map(({ streamId }) => streamId));
    }
    expect(taken).toHaveLength(101);
    expect(taken).toContain(STREAM);
  });
});
