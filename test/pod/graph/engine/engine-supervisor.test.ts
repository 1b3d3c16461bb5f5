import { type Either, left as failed, right as done } from 'fp-ts/Either';
import { type EngineFailure } from '../../../../pod/graph/engine/engine-failure';
import { type EngineProcess } from '../../../../pod/graph/engine/engine-process';
import { EngineSupervisor, type SupervisorOptions } from '../../../../pod/graph/engine/engine-supervisor';
import { type GraphAnswer, type QueryFailure, unnamedClient } from '../../../../pod/graph/engine/graph-engine';
import { ofEngineAlone } from '../../../../pod/graph/engine/memory-watchdog';
import { left, right } from '../support/loaded-engine';

const answer: GraphAnswer = { columns: [], columnTypes: [], rowsJson: '[]', rowCount: 0, truncated: false };
const query = { text: 'RETURN 1', parameters: {}, timeoutMs: 1_000 };

let lastPid = 0;
const fakeProcess = (): EngineProcess & { end: (how: string) => void } => {
  let end: (how: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => (end = resolve));
  return { pid: ++lastPid, ended, end, kill: () => end('SIGKILL') };
};
type Fake = ReturnType<typeof fakeProcess>;

describe('a supervised engine', () => {
  const spawned: Fake[] = [];
  const crashes: unknown[] = [];
  let launch: SupervisorOptions<Fake>['launch'];
  let engine: EngineSupervisor<Fake>;

  beforeEach(() => {
    jest.useFakeTimers();
    spawned.length = 0;
    crashes.length = 0;
    launch = (onSpawn) => {
      const process = fakeProcess();
      spawned.push(process);
      onSpawn(process);
      return Promise.resolve(done(process));
    };
    engine = new EngineSupervisor<Fake>({
      launch: (onSpawn) => launch(onSpawn),
      onCrash: (crash) => crashes.push(crash),
      podResources: ofEngineAlone({ memoryBytes: 2 ** 30, cpuCores: 2 }),
      endOverdueAfterMs: 500,
    });
  });
  afterEach(() => jest.useRealTimers());

  const atOnce = () => Promise.resolve(done(answer));
  /** A query whose process ends while it runs, for whatever reason. */
  const endless = (asked = query, client = unnamedClient()): Promise<Either<QueryFailure, GraphAnswer>> =>
    engine.query<GraphAnswer>(
      asked,
      async (process) => failed({ kind: 'crashed', message: await process.ended }),
      client,
    );

  test('rejects queries before it is started', async () => {
    expect(left(await engine.query(query, atOnce))).toMatchObject({ kind: 'crashed' });
    expect(engine.processIds()).toEqual([]);
  });

  test('ends a process that does not become ready, and reports the failure', async () => {
    launch = (onSpawn) => {
      const process = fakeProcess();
      spawned.push(process);
      onSpawn(process);
      return Promise.reject(new Error('no room'));
    };
    expect(left(await engine.start())).toEqual({ kind: 'crashed', reason: 'no room' });
    expect(await spawned[0]?.ended).toBe('SIGKILL');
  });

  test('answers a query half a second after its timeout, and ends the process', async () => {
    right(await engine.start());
    engine.restartAfterCrash();
    const overdue = endless();
    await jest.advanceTimersByTimeAsync(1_501);
    expect(left(await overdue)).toEqual({ kind: 'timeout', timeoutMs: 1_000 });
    await jest.advanceTimersByTimeAsync(10);
    expect(crashes).toEqual([{ how: 'ended because of a query: timeout', isWanted: false, recovered: true }]);
    expect(right(await engine.query(query, atOnce))).toEqual(answer);
    expect(engine.processIds()).toEqual([spawned[1]?.pid]);
  });

  test('retries a query that is lost with the process', async () => {
    right(await engine.start());
    engine.restartAfterCrash();
    const innocent = engine.query({ ...query, timeoutMs: 10_000 }, async (process, { timeoutMs }) =>
      process === spawned[0]
        ? failed({ kind: 'crashed', message: await process.ended })
        : done({ ...answer, rowCount: timeoutMs }),
    );
    const overdue = endless();
    await jest.advanceTimersByTimeAsync(1_501);
    expect(left(await overdue)).toMatchObject({ kind: 'timeout' });
    // It has the remaining time.
    expect(right(await innocent).rowCount).toBe(8_499);
  });

  test('repeats a write when the process was ended because of a query, and fails it when the process exited by itself', async () => {
    right(await engine.start());
    engine.restartAfterCrash();
    const write = () =>
      engine.use<EngineFailure, number>(async (process) =>
        process === spawned[1] ? done(7) : failed({ kind: 'crashed', reason: await process.ended }),
      );
    const written = write();
    const overdue = endless();
    await jest.advanceTimersByTimeAsync(1_501);
    expect(left(await overdue)).toMatchObject({ kind: 'timeout' });
    expect(right(await written)).toBe(7);
    spawned[1]?.end('SIGSEGV');
    await jest.advanceTimersByTimeAsync(10);
    const lost = write();
    await jest.advanceTimersByTimeAsync(10);
    spawned[2]?.end('SIGSEGV');
    expect(left(await lost)).toEqual({ kind: 'crashed', reason: 'SIGSEGV' });
  });

  test.each([
    ['is lost with the next process, too', { kind: 'crashed', message: 'SIGKILL' }],
    ['takes longer than the time that is left', { kind: 'timeout', timeoutMs: 900 }],
  ] as const)('fails a query that was lost through no fault of its own when it %s', async (_, failure) => {
    right(await engine.start());
    engine.restartAfterCrash();
    const innocent = engine.query(query, async (process) =>
      failed(process === spawned[0] ? { kind: 'crashed', message: await process.ended } : failure),
    );
    await jest.advanceTimersByTimeAsync(100);
    spawned[0]?.end('SIGKILL');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(left(await innocent)).toEqual({ kind: 'crashed', message: 'SIGKILL' });
  });

  test('blames a query when the process exits again under it alone', async () => {
    right(await engine.start());
    engine.restartAfterCrash();
    const guilty = endless();
    for (const index of [0, 1]) {
      await jest.advanceTimersByTimeAsync(10);
      spawned[index]?.end('SIGSEGV');
    }
    expect(left(await guilty)).toEqual({ kind: 'fatal', message: 'SIGSEGV' });
  });

  test('reports that the process cannot be restarted', async () => {
    right(await engine.start());
    engine.restartAfterCrash();
    const inFlight = endless();
    await jest.advanceTimersByTimeAsync(10);
    launch = () => Promise.resolve(failed({ kind: 'rejected', reason: 'the files are gone' }));
    spawned[0]?.end('SIGSEGV');
    expect(left(await inFlight)).toMatchObject({ kind: 'crashed' });
    expect(crashes).toEqual([{ how: 'SIGSEGV', isWanted: false, recovered: false }]);
  });

  describe('whose clients disconnect', () => {
    const long = { ...query, timeoutMs: 60_000 };
    /** Queries that do not end by themselves in the first process, of a client that disconnects on request. */
    const askAndLeave = async (count: number): Promise<void> => {
      const gone = new AbortController();
      const asked = Array.from({ length: count }, () => endless(long, { name: 'ada', disconnected: gone.signal }));
      await jest.advanceTimersByTimeAsync(10);
      gone.abort();
      for (const one of asked) expect(left(await one)).toEqual({ kind: 'abandoned' });
    };
    /** A query that only the second process answers. */
    const starving = (): ReturnType<typeof engine.query> =>
      engine.query(long, async (process) =>
        process === spawned[0] ? failed({ kind: 'crashed', message: await process.ended }) : done(answer),
      );

    test('ends the process half a second later when it has no other queries', async () => {
      right(await engine.start());
      engine.restartAfterCrash();
      await askAndLeave(8);
      await jest.advanceTimersByTimeAsync(650);
      expect(crashes).toEqual([{ how: 'ended because of a query: abandoned', isWanted: true, recovered: true }]);
    });

    test('does not end a slowly starting process while no other query waits for it', async () => {
      const quick = launch;
      launch = async (onSpawn) => {
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        return quick(onSpawn);
      };
      const started = engine.start();
      await jest.advanceTimersByTimeAsync(3_000);
      right(await started);
      engine.restartAfterCrash();
      await askAndLeave(6);
      await jest.advanceTimersByTimeAsync(20_000);
      expect(crashes).toEqual([]);
    });

    test("accepts the caller's next query at once, and ends the process when it delays others for two seconds", async () => {
      right(await engine.start());
      engine.restartAfterCrash();
      await askAndLeave(6);
      // Two get the last of the eight slots.
      const asked = [starving(), starving(), starving()];
      await jest.advanceTimersByTimeAsync(1_900);
      expect(spawned).toHaveLength(1);
      await jest.advanceTimersByTimeAsync(300);
      expect((await Promise.all(asked)).map(right)).toEqual([answer, answer, answer]);
      expect(crashes).toEqual([{ how: 'ended because of a query: abandoned', isWanted: true, recovered: true }]);
    });

    test('keeps the progress of another query in the engine', async () => {
      right(await engine.start());
      engine.restartAfterCrash();
      const working = starving();
      await askAndLeave(1);
      await jest.advanceTimersByTimeAsync(20_000);
      expect(crashes).toEqual([]);
      spawned[0]?.end('SIGKILL');
      expect(right(await working)).toEqual(answer);
    });
  });

  test('restarts nothing during a load, or after the engine was ended', async () => {
    right(await engine.start());
    spawned[0]?.end('SIGSEGV');
    await jest.advanceTimersByTimeAsync(10);
    right(await engine.start());
    engine.restartAfterCrash();
    await engine.end();
    await jest.advanceTimersByTimeAsync(10);
    expect(spawned).toHaveLength(2);
    expect(crashes).toEqual([]);
  });

  test('rejects a query that waits longer than its timeout for one of the eight slots', async () => {
    right(await engine.start());
    const busy = Array.from({ length: 8 }, (_, index) =>
      engine.query<GraphAnswer>(query, () => new Promise(() => undefined), { ...unnamedClient(), name: String(index) }),
    );
    const ninth = engine.query(query, atOnce);
    await jest.advanceTimersByTimeAsync(1_001);
    expect(left(await ninth)).toEqual({ kind: 'timeout', timeoutMs: 1_000 });
    expect(await Promise.race([...busy, Promise.resolve('none has ended')])).toBe('none has ended');
  });
});
