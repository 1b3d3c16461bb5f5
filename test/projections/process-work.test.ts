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
  const now = () => new Date();
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

  it('is claimed by one executor until its lease expires', async () => {
    await happens(queued, queued);
    const taken = await Promise.all([1, 2, 3, 4].map(() => work().takeDueCommands(now(), 1, 60)));
    expect(taken.flat().map(({ queuedRevision }) => queuedRevision)).toHaveLength(2);
    expect(taken.flat()[0]).toMatchObject({
      streamId: STREAM,
      command: { type: 'CreatePod', instanceId: 1 },
      attempt: 0,
    });
    expect(await work().takeDueCommands(inSeconds(61), 10, 60)).toHaveLength(2);
  });

  it('is reported as stuck after many attempts or a long wait', async () => {
    await happens(queued, queued);
    expect(await work().stuckCommands(now())).toEqual([]);
    for (let attempt = 1; attempt <= 10; attempt++) {
      const [often] = await work().takeDueCommands(now(), 1, 60);
      await work().retryCommand(often!, inSeconds(-60), null);
    }
    const stuck = { streamId: STREAM, type: 'CreatePod', attempts: 10 };
    expect(await work().stuckCommands(now())).toEqual([stuck]);
    expect(await work().stuckCommands(inSeconds(310))).toHaveLength(2);
  });

  it('is available again after its release, with the number of the attempt', async () => {
    await happens(queued);
    const [due] = await work().takeDueCommands(now(), 10, 60);
    expect(await work().failureOf(STREAM, 'CreatePod')).toBeNull();
    await work().retryCommand(due!, inSeconds(30), 'no quota');
    expect(await work().failureOf(STREAM, 'CreatePod')).toBe('no quota');
    expect(await work().failureOf(STREAM, 'DeletePod')).toBeNull();
    expect(await work().takeDueCommands(inSeconds(29), 10, 60)).toEqual([]);
    expect(await work().takeDueCommands(inSeconds(31), 10, 60)).toMatchObject([{ attempt: 1 }]);
    await releaseLeases(fixture.pool);
    expect(await work().takeDueCommands(inSeconds(31), 10, 60)).toHaveLength(1);
  });

  it('stays with its executor while the lease is renewed, and is lost with the lease', async () => {
    await happens(queued);
    const [taken] = await work().takeDueCommands(now(), 1, 60);
    const renewed = await work().renewCommand(taken!, inSeconds(50), 60);
    expect(renewed).toMatchObject({ queuedRevision: 0 });
    expect(await work().takeDueCommands(inSeconds(61), 1, 60)).toEqual([]);
    const [other] = await work().takeDueCommands(inSeconds(111), 1, 60);
    expect(await work().renewCommand(renewed!, inSeconds(112), 60)).toBeNull();
    await work().retryCommand(renewed!, inSeconds(0), null);
    expect(await work().takeDueCommands(inSeconds(113), 1, 60)).toEqual([]);
    expect(await work().renewCommand(other!, inSeconds(113), 60)).toMatchObject({ queuedRevision: 0 });
  });

  it('skips a command that a newer version has queued', async () => {
    await happens(queued, queued);
    await fixture.pool.query(
      `UPDATE es.effects SET payload = jsonb_set(payload, '{command}', '{"type": "Levitate"}') WHERE revision = 0`,
    );
    expect(await work().takeDueCommands(now(), 10, 60)).toMatchObject([{ queuedRevision: 1 }]);
    expect(complaints).toEqual([expect.stringContaining(`${STREAM}@0 is unknown to this version`)]);
  });

  it('ends when it is done', async () => {
    await happens(queued, queued);
    const [due] = await work().takeDueCommands(now(), 1, 60);
    await work().retryCommand(due!, inSeconds(30), 'no quota');
    await happens(done(0));
    expect(await work().failureOf(STREAM, 'CreatePod')).toBeNull();
    expect(await work().takeDueCommands(now(), 10, 60)).toMatchObject([{ queuedRevision: 1 }]);
  });

  it('contains the due timers, each by the position of its last change', async () => {
    await happens(timerSet('2026-03-01T12:00:00.000Z'), timerSet('2026-03-01T13:00:00.000Z'));
    expect(await work().dueTimers(new Date('2026-03-01T12:59:59Z'), 10)).toEqual([]);
    const due = { streamId: STREAM, timerId: 'startup', setRevision: 1 };
    expect(await work().dueTimers(new Date('2026-03-01T13:00:00Z'), 10)).toEqual([due]);
    await happens(timerCleared);
    expect(await work().dueTimers(new Date('2026-03-01T13:00:00Z'), 10)).toEqual([]);
  });
});
