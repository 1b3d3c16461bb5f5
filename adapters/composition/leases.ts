import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { type LeasePorts } from '../../commands/jobs/hold-lease';
import { createPostgresLeaseStore } from '../postgres/postgres-lease-store';

/** What holding a lease of the shared database takes. */
export const leasePorts = (pool: Pool, log: Logger): LeasePorts => ({
  leases: createPostgresLeaseStore(pool),
  monotonicMs: () => performance.now(),
  pause: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
  onTrouble: (what, error) => log.warn({ err: error }, `${what} failed; trying again`),
});
