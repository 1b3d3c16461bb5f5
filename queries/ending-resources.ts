import { type LifeDirectory } from '../domain/ports/directories';
import { type ReadDatabase } from './kit/database';

/** Days count as 24 hours, regardless of the time zone of the session. */
const after = (start: string, duration: string): string =>
  `${start} + make_interval(secs => extract(epoch FROM ${duration}::interval)::double precision)`;

const UNUSED_INSTANCE = after('greatest(i.ready_at, m.last_activity_at::timestamptz)', 'i.inactivity_timeout');
const unused = (used: string): string =>
  `(${after('r.created_at', 'r.ttl')} <= :now OR ${after(used, 'r.inactivity_timeout')} <= :now)`;

export const lifeDirectory = (db: ReadDatabase): LifeDirectory => {
  const ids = async (sql: string, now: Date): Promise<readonly number[]> => {
    const { rows } = await db.raw<{ rows: readonly { readonly id: number }[] }>(sql, { now });
    return rows.map(({ id }) => id);
  };
  return {
    endingInstances: (now) =>
      ids(
        `SELECT i.id FROM instances i LEFT JOIN instance_metrics m ON m.instance_id = i.id
         WHERE i.status <> 'stopping' AND (
           i.expires_at <= :now
           OR (i.status = 'failed' AND i.created_at <= :now::timestamptz - interval '24 hours')
           OR (i.status = 'running' AND ${UNUSED_INSTANCE} <= :now))
         ORDER BY i.id`,
        now,
      ),
    endingSnapshots: (now) =>
      ids(
        `SELECT r.id FROM snapshots r
         LEFT JOIN instances i ON i.id = r.instance_id
         WHERE (i.id IS NULL OR i.status = 'failed')
           AND (${unused('coalesce(r.last_used_at, r.created_at)')} OR (r.status = 'failed' AND i.id IS NULL))
         ORDER BY r.id`,
        now,
      ),
    endingMappings: (now) =>
      ids(
        `SELECT r.id FROM mappings r
         WHERE ${unused('r.updated_at')} AND NOT EXISTS (SELECT FROM snapshots s WHERE s.mapping_id = r.id)
         ORDER BY r.id`,
        now,
      ),
    lastActivityOf: async (instanceId) => {
      const found = db('instance_metrics').where('instance_id', instanceId);
      const row = await found.first<{ last_activity_at: string | null } | undefined>('last_activity_at');
      return row?.last_activity_at == null ? null : new Date(row.last_activity_at);
    },
  };
};
