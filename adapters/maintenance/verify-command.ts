import { setTimeout as sleep } from 'node:timers/promises';
import { right } from 'fp-ts/Either';
import { verify } from '../../projections/verify';
import { type LocalContext, type Outcome } from '../cli/action';
import { tableOf } from '../cli/output';
import { systemClock } from '../system/system-clock';
import { withEventStore } from './find-database';
import { replayProgress } from './replay-progress';

const PAUSE_MS = 250;

/** Compares the read models with a replay of the log beside the live system; exit code 1 for differences. */
export const verifySystem = ({ terminal, environment }: LocalContext): Outcome =>
  withEventStore(
    environment,
    0,
    (reason) => `The verification failed: ${reason}`,
    async (pool, store) => {
      const onPage = await replayProgress(store, terminal.errors);
      const now = (): Date => systemClock.now();
      const verification = await verify({ pool, store, now, onPage, pause: () => sleep(PAUSE_MS) });
      const { ok, position, differences } = verification;
      const rows = differences.map((one) => ({
        ...one,
        expected: JSON.stringify(one.expected),
        actual: JSON.stringify(one.actual),
      }));
      const table = tableOf(rows, {
        kind: 'kind',
        'read model': 'read_model',
        key: 'key',
        column: 'column',
        expected: 'expected',
        actual: 'actual',
      });
      const text = `The read models equal the log up to position ${position}, and the log is in order.`;
      return right(ok ? { data: verification, text } : { data: verification, table, exitCode: 1 });
    },
  );
