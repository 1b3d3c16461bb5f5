import { pino } from 'pino';
import { ShutdownSteps } from '../../../adapters/system/shutdown-steps';
import { watchWrites } from '../../../adapters/system/write-watch';
import { waitFor } from '../../support/wait-for';

const PAUSE_MS = 40;

it('tries one write at a time, at its interval, only while writes fail', async () => {
  const shutdownSteps = new ShutdownSteps();
  const writes = watchWrites({ shutdownSteps, log: pino({ level: 'silent' }) }, PAUSE_MS);
  const tries: number[] = [];
  const outcomes: (string | null | Error)[] = ['still full', new Error('away'), 'still full', null];
  const tryAgain = (): Promise<string | null> => {
    tries.push(performance.now());
    const outcome = outcomes[tries.length - 1] ?? null;
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  };
  expect(writes.failures()).toEqual({});
  const failedAt = performance.now();
  for (let write = 0; write < 100; write++) writes.failed('database', `full at write ${write}`, tryAgain);
  expect(writes.failures()).toEqual({ database: 'full at write 99' });
  await waitFor('the second write is rejected', () => writes.failures().database === 'Error: away');
  await waitFor('a write succeeds', () => !('database' in writes.failures()));
  expect(tries).toHaveLength(4);
  const pauses = tries.map((at, index) => at - (tries[index - 1] ?? failedAt));
  for (const pause of pauses) expect(pause).toBeGreaterThan(PAUSE_MS - 2);

  writes.failed('disk', 'full', () => Promise.resolve('full'));
  await shutdownSteps.closeAll(() => undefined);
  expect(writes.failures()).toEqual({ disk: 'full' });
});
