import { type LaunchedProcess, launchProcess } from '../../../../adapters/system/launch-process';
import { type EngineProcess, engineProcess } from '../../../../pod/graph/engine/engine-process';
import { MemoryWatchdog, mostBytesOf, ofEngineAlone } from '../../../../pod/graph/engine/memory-watchdog';
import { RunningQuery } from '../../../../pod/graph/engine/supervised-query';
import { expectRight } from '../../../support/given-when-then';

const MiB = 2 ** 20;
const HOLDS_MORE = `const held = [];
process.on('message', (bytes) => { held.push(Buffer.alloc(bytes, 1)); process.send('held'); });
process.send('ready');`;

test.each([
  [100, 20, 75],
  [100, 65, 75],
  [100, 70, 80],
  [100, 85, 92.5],
])('a pod of %d bytes with %d used when idle may use %d', (limit, rest, most) => {
  expect(mostBytesOf(limit, rest)).toBeCloseTo(most);
});

describe('a memory watchdog', () => {
  let child: LaunchedProcess;
  let heard: () => void;
  let engine: EngineProcess;
  let watchdog: MemoryWatchdog;

  const answerTo = (ask: () => void): Promise<void> =>
    new Promise((resolve) => {
      heard = resolve;
      ask();
    });
  const holdMore = (bytes: number): Promise<void> => answerTo(() => child.send(bytes));
  const watched = (): { query: RunningQuery; unwatch: () => void } => {
    const query = new RunningQuery(engine);
    return { query, unwatch: watchdog.watch(query) };
  };

  /** The watchdog checks when a test advances its timer, however slowly a busy machine provides memory. */
  const look = (): void => jest.advanceTimersToNextTimer();

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'clearTimeout'] });
    await answerTo(() => {
      const command = [process.execPath, '-e', HOLDS_MORE];
      child = expectRight(
        launchProcess({ command, environment: {}, channel: 'json', onMessage: () => heard(), onLine: () => undefined }),
      );
    });
    engine = engineProcess(child);
    watchdog = new MemoryWatchdog(ofEngineAlone({ memoryBytes: 400 * MiB, cpuCores: 2 }));
  });
  afterEach(async () => {
    jest.useRealTimers();
    engine.kill();
    await engine.ended;
  });

  test('ends the engine for the query under which it grew, and for no other', async () => {
    const before = watched();
    await holdMore(20 * MiB);
    look();
    before.unwatch();
    const guilty = watched();
    await holdMore(150 * MiB);
    look();
    const beside = watched();
    await holdMore(150 * MiB);
    look();
    expect(await engine.ended).toBe('signal SIGKILL');
    expect(guilty.query.endedFor()).toEqual({ kind: 'memory' });
    expect([before.query.endedFor(), beside.query.endedFor()]).toEqual([null, null]);
  });

  test('does not blame a query that ran before without increasing the memory', async () => {
    const before = watched();
    await holdMore(5 * MiB);
    look();
    const guilty = watched();
    await holdMore(350 * MiB);
    look();
    expect(await engine.ended).toBe('signal SIGKILL');
    expect([before.query.endedFor(), guilty.query.endedFor()]).toEqual([null, { kind: 'memory' }]);
  });

  test('blames no query when the excess memory remains after its queries', async () => {
    const earlier = watched();
    await holdMore(150 * MiB);
    look();
    earlier.unwatch();
    await holdMore(150 * MiB);
    look();
    expect(await engine.ended).toBe('signal SIGKILL');
    expect(earlier.query.endedFor()).toBeNull();
  });
});
