import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { deleteOutdatedRows } from '../postgres/outdated-rows';
import { type Closers } from './startup';

const HOUR_MS = 3_600_000;

/** Deletes outdated rows now and every hour, until the system stops. */
export const startRetention = (pool: Pool, closers: Closers, log: Logger, everyMs = HOUR_MS): void =>
  closers.addLoop('retention', async (signal) => {
    while (!signal.aborted) {
      try {
        log.debug({ rows: await deleteOutdatedRows(pool) }, 'outdated rows are deleted');
      } catch (error) {
        log.warn({ err: error }, 'deleting outdated rows failed; it is tried again at the next round');
      }
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  });
