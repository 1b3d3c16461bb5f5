import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { type LeasePorts } from '../../commands/jobs/hold-lease';
import { type LeaseStore } from '../../domain/ports/lease-store';
import { pause } from '../system/retry';

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

/** The ports for a lease in the shared database. */
export const leasePorts = (pool: Pool, log: Logger): LeasePorts => ({
  leases: createPostgresLeaseStore(pool),
  monotonicMs: () => performance.now(),
  pause,
  onError: (what, error) => log.warn({ err: error }, `${what} failed; trying again`),
});
