import { type Either, left as failed, right as done } from 'fp-ts/Either';
import { type EngineProcess } from '../../../../pod/graph/engine/engine-process';
import { EngineSupervisor, type SupervisorOptions } from '../../../../pod/graph/engine/engine-supervisor';
import { type GraphAnswer, type QueryFailure } from '../../../../pod/graph/engine/graph-engine';
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
    engine = new EngineSupervisor({
      launch: (onSpawn) => launch(onSpawn),
      onCrash: (crash) => crashes.push(crash),
    });
  });
  afterEach(() => jest.useRealTimers());

  /** A query whose process ends under it, however that comes. */
  const endless = (): Promise<Either<QueryFailure, GraphAnswer>> =>
    engine.query<GraphAnswer>(query, async (process) => failed({ kind: 'crashed', message: await process.ended }));

  test('cannot be asked before it is started', async () => {
    expect(left(await engine.query(query, () => Promise.resolve(done(answer))))).toMatchObject({ kind: 'crashed' });
    expect(engine.processIds()).toEqual([]);
  });

  test('a process that does not get ready is ended, and the failure told', async () => {
    launch = (onSpawn) => {
      const process = fakeProcess();
      spawned.push(process);
      onSpawn(process);
      return Promise.reject(new Error('no room'));
    };
    expect(left(await engine.start())).toEqual({ kind: 'crashed', reason: 'no room' });
    expect(await spawned[0]?.ended).toBe('SIGKILL');
  });

  test('a query that outlives its timeout by five seconds ends with the process, and counts as timed out', async () => {
    right(await engine.start());
    engine.restartAfterCrash();
    const stuck = endless();
    await jest.advanceTimersByTimeAsync(6_001);
    expect(left(await stuck)).toEqual({ kind: 'timeout', timeoutMs: 1_000 });
    expect(crashes).toEqual([{ how: 'SIGKILL', recovered: true }]);
    expect(right(await engine.query(query, () => Promise.resolve(done(answer))))).toEqual(answer);
    expect(engine.processIds()).toEqual([spawned[1]?.pid]);
  });

  test('a process that ends under a query fails it and is replaced; what cannot be is told', async () => {
    right(await engine.start());
    engine.restartAfterCrash();
    const inFlight = endless();
    await jest.advanceTimersByTimeAsync(10);
    launch = () => Promise.resolve(failed({ kind: 'rejected', reason: 'the files are gone' }));
    spawned[0]?.end('SIGSEGV');
    expect(left(await inFlight)).toMatchObject({
      kind: 'crashed',
      message: expect.stringContaining('SIGSEGV') as string,
    });
    await jest.advanceTimersByTimeAsync(10);
    expect(crashes).toEqual([{ how: 'SIGSEGV', recovered: false }]);
  });

  test('nothing is restarted while the graph is loaded, or when the engine was ended', async () => {
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

  test('who waits longer than the timeout for one of the eight slots gets none', async () => {
    right(await engine.start());
    const busy = Array.from({ length: 8 }, endless);
    const ninth = engine.query(query, () => Promise.resolve(done(answer)));
    await jest.advanceTimersByTimeAsync(1_001);
    expect(left(await ninth)).toEqual({ kind: 'timeout', timeoutMs: 1_000 });
    expect(busy).toHaveLength(8);
  });
});
