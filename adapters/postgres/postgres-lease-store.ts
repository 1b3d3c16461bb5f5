import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { type LeasePorts } from '../../commands/jobs/hold-lease';
import { type LeaseStore } from '../../domain/ports/lease-store';
import { pause } from '../system/retry';
import { databaseErrorText } from './database-error';

export const createPostgresLeaseStore = (pool: Pool): LeaseStore => ({
  acquire: async (name, owner, seconds) => {
    const { rows } = await pool.query<{ epoch: string }>(
      `INSERT INTO es.leases AS l (name, owner, epoch, until) VALUES ($1, $2, 1, now() + make_interval(secs => $3))
       ON CONFLICT (name) DO UPDATE SET
         owner = excluded.owner, epoch = l.epoch + 1, since = now(), until = excluded.until
       WHERE l.until <= now()
       RETURNING epoch::text`,
      [name, owner, seconds],
    );
    const [taken] = rows;
    return taken === undefined ? null : { name, owner, epoch: Number(taken.epoch) };
  },

  // An expired lease is lost even if it is free: another holder may have had it meanwhile.
  renew: async ({ name, epoch }, seconds) => {
    const { rowCount } = await pool.query(
      `UPDATE es.leases SET until = now() + make_interval(secs => $3) WHERE name = $1 AND epoch = $2 AND until > now()`,
      [name, epoch, seconds],
    );
    return rowCount === 1;
  },

  release: async ({ name, epoch }) => {
    await pool.query('UPDATE es.leases SET until = now() WHERE name = $1 AND epoch = $2', [name, epoch]);
  },
});

/** Longer than a renewal that waits for a step of a migration (`migrate.ts`), shorter than a lease lasts. */
const LATE_MS = 4_000;

/** The ports for leases in the shared database; `trouble`: why they cannot be acquired or renewed now, null if they can. */
export const leasePorts = (
  pool: Pool,
  log: Logger,
  lateMs = LATE_MS,
): LeasePorts & { readonly trouble: () => string | null } => {
  const store = createPostgresLeaseStore(pool);
  const monotonicMs = (): number => performance.now();
  const unconfirmed = new Map<string, { readonly sinceMs: number; readonly reason: string }>();
  const confirming = async <A>(name: string, ask: () => Promise<A>): Promise<A> => {
    const { sinceMs } = unconfirmed.get(name) ?? { sinceMs: monotonicMs() };
    if (!unconfirmed.has(name)) unconfirmed.set(name, { sinceMs, reason: 'the database does not answer' });
    try {
      const answer = await ask();
      unconfirmed.delete(name);
      return answer;
    } catch (error) {
      unconfirmed.set(name, { sinceMs, reason: databaseErrorText(error) });
      throw error;
    }
  };
  return {
    leases: {
      acquire: (name, owner, seconds) => confirming(name, () => store.acquire(name, owner, seconds)),
      renew: (lease, seconds) => confirming(lease.name, () => store.renew(lease, seconds)),
      release: (lease) => store.release(lease),
    },
    monotonicMs,
    pause,
    onError: (what, error) => log.warn({ err: error }, `${what} failed; trying again`),
    trouble: () => {
      const late = [...unconfirmed].filter(([, { sinceMs }]) => monotonicMs() - sinceMs >= lateMs);
      return late.length === 0
        ? null
        : late.map(([name, { reason }]) => `the lease of ${name} cannot be renewed: ${reason}`).join('; ');
    },
  };
};
