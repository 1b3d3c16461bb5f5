import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { type LeasePorts } from '../../commands/jobs/hold-lease';
import { type IdGenerator } from '../../domain/ports/id-generator';
import { createPostgresLeaseStore } from './postgres-lease-store';

/** What holding a lease of the shared database takes. */
export const leasePorts = (pool: Pool, log: Logger): LeasePorts => ({
  leases: createPostgresLeaseStore(pool),
  monotonicMs: () => performance.now(),
  pause: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
  onTrouble: (what, error) => log.warn({ err: error }, `${what} failed; trying again`),
});

/** Names this control plane as the owner of leases: `<host>:<process>:<part of a UUID>`. */
export const replicaName = (ids: Pick<IdGenerator, 'secretUuid'>): string =>
  `${hostname()}:${process.pid}:${ids.secretUuid().slice(0, 8)}`;
