import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { type Clock } from '../../domain/ports/clock';
import { pause } from '../system/retry';
import { type ShutdownSteps } from '../system/shutdown-steps';

/** Differences within this are left alone: two measurements differ by as much as an answer takes. */
const TOLERATED_MS = 1_000;
const WARNED_MS = 5_000;
const MEASURE_EVERY_MS = 60_000;

/** The clock of the database, by the clock of this machine and their difference. */
export interface DatabaseClock extends Clock {
  /** Measures the difference to the clock of this machine again; rejects when the database does not answer. */
  measure(): Promise<void>;
}

/**
 * A clock that all control planes of a database share, so that leases, timers and schedules do not depend on the clocks
 * of their machines. A difference of more than five seconds is logged.
 */
export const createDatabaseClock = (
  pool: Pick<Pool, 'query'>,
  log: Pick<Logger, 'warn' | 'info'>,
  localMs: () => number = Date.now,
): DatabaseClock => {
  let differenceMs = 0;
  let isWarned = false;
  return {
    now: () => new Date(localMs() + differenceMs),
    measure: async () => {
      const askedAt = localMs();
      const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      const middle = (askedAt + localMs()) / 2;
      const measured = Math.round((rows[0]?.now.getTime() ?? middle) - middle);
      differenceMs = Math.abs(measured) <= TOLERATED_MS ? 0 : measured;
      const isFar = Math.abs(measured) > WARNED_MS;
      if (isFar !== isWarned) {
        const seconds = Math.round(Math.abs(measured) / 1000);
        if (isFar)
          log.warn(
            `the clock of this machine is ${seconds} s ${measured > 0 ? 'behind' : 'ahead of'} that of the database, which is used instead; correct it, for example by NTP`,
          );
        else log.info('the clock of this machine agrees with that of the database again');
      }
      isWarned = isFar;
    },
  };
};

/** Measures the difference now and every minute, until the system stops. */
export const openDatabaseClock = async (
  pool: Pool,
  { log, shutdownSteps }: { readonly log: Logger; readonly shutdownSteps: ShutdownSteps },
): Promise<Clock> => {
  const clock = createDatabaseClock(pool, log);
  await clock.measure();
  shutdownSteps.addLoop('clock of the database', async (signal) => {
    for (;;) {
      await pause(MEASURE_EVERY_MS, signal);
      if (signal.aborted) return;
      // The last difference applies until the database answers again.
      await clock.measure().catch(() => undefined);
    }
  });
  return clock;
};
