import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import {
  nextDelayMs,
  type SupervisedProgram,
  type SupervisedProgramOptions,
  superviseProgram,
} from '../../../adapters/local-process/supervised-program';
import { waitFor } from '../../support/wait-for';
import { lives } from './stand-in-pods';

const RESTLESS = join(__dirname, '../../support/programs/restless-program.cjs');
const running: SupervisedProgram[] = [];
afterEach(() => Promise.all(running.splice(0).map((program) => program.stop(0))));

const supervise = (
  change: Partial<SupervisedProgramOptions> = {},
): { readonly supervised: SupervisedProgram; readonly starts: unknown[]; readonly ends: unknown[] } => {
  const starts: unknown[] = [];
  const ends: unknown[] = [];
  const supervised = superviseProgram({
    name: 'worker',
    launch: () => ({ programPath: RESTLESS, environment: {}, onMessage: (message) => starts.push(message) }),
    log: pino({ level: 'silent' }),
    onExit: (info) => ends.push(info),
    backoff: { firstMs: 10, longestMs: 40, forgetAfterMs: 60_000 },
    ...change,
  });
  running.push(supervised);
  return { supervised, starts, ends };
};

describe('a supervised program', () => {
  it('is restarted after every exit, with a growing delay', async () => {
    const { supervised, starts, ends } = supervise();
    for (let run = 1; run <= 4; run++) {
      await waitFor('the program is started', () => starts.length === run);
      supervised.program()?.send(run);
      await waitFor('the end of the program is reported', () => ends.length === run);
    }
    await waitFor('the program is restarted', () => starts.length === 5);

    expect(ends).toEqual([
      { exit: { code: 1, signal: null }, restartInMs: 10 },
      { exit: { code: 2, signal: null }, restartInMs: 20 },
      { exit: { code: 3, signal: null }, restartInMs: 40 },
      { exit: { code: 4, signal: null }, restartInMs: 40 },
    ]);
  });

  it('is restarted after it was killed', async () => {
    const { supervised, starts, ends } = supervise();
    await waitFor('the program is started', () => starts.length === 1);
    process.kill(supervised.program()!.pid, 'SIGKILL');
    await waitFor('the program is restarted', () => starts.length === 2);

    expect(ends).toMatchObject([{ exit: { code: null, signal: 'SIGKILL' } }]);
  });

  it('stays stopped after a stop, both while it runs and while it waits to restart', async () => {
    const first = supervise();
    await waitFor('the program is started', () => first.starts.length === 1);
    const { pid } = first.supervised.program()!;
    await first.supervised.stop(10_000);

    const second = supervise({ backoff: { firstMs: 50, longestMs: 50, forgetAfterMs: 60_000 } });
    await waitFor('the program is started', () => second.starts.length === 1);
    second.supervised.program()?.send(1);
    await waitFor('the end of the program is reported', () => second.ends.length === 1);
    await second.supervised.stop(0);
    // A third program, started after the second had ended, has been restarted once; by then the second would have been
    // too.
    const third = supervise({ backoff: { firstMs: 50, longestMs: 50, forgetAfterMs: 60_000 } });
    await waitFor('the program is started', () => third.starts.length === 1);
    third.supervised.program()?.send(1);
    await waitFor('the program is restarted', () => third.starts.length === 2);

    expect(lives(pid)).toBe(false);
    expect(first.ends).toEqual([]);
    expect([first, second].map(({ starts }) => starts.length)).toEqual([1, 1]);
  });

  it('is retried when the operating system cannot start it', async () => {
    const { ends } = supervise({
      launch: () => ({ programPath: RESTLESS, environment: {}, workingDirectory: '/nowhere/at/all' }),
    });
    await waitFor('the program was started twice', () => ends.length >= 2);

    expect(ends.slice(0, 2)).toEqual([
      { exit: null, restartInMs: 10 },
      { exit: null, restartInMs: 20 },
    ]);
  });

  it('waits 100 ms at first, at most 10 s, and 100 ms again after it ran for 30 s', () => {
    const backoff = { firstMs: 100, longestMs: 10_000, forgetAfterMs: 30_000 };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40_000 })), (runs) => {
        let delay: number | null = null;
        for (const ranForMs of runs) {
          const next: number = nextDelayMs(delay, ranForMs, backoff);
          const expected: number = delay === null || ranForMs >= 30_000 ? 100 : Math.min(delay * 2, 10_000);
          expect(next).toBe(expected);
          expect(next).toBeGreaterThanOrEqual(100);
          expect(next).toBeLessThanOrEqual(10_000);
          delay = next;
        }
      }),
    );
  });
});
