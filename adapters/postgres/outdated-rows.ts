import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { instancesProjection } from '../../projections/instances';
import { readSchemaOf } from '../../projections/projection-tables';
import { snapshotsProjection } from '../../projections/snapshots';
import { type Closers } from '../system/closers';

const olderThan = (time: string, age: string): string => `${time} < now() - interval '${age}'`;
/** A report may come before the read model knows what it is about. */
const ofNothing = (table: string, id: string): string =>
  `${olderThan('updated_at', '1 day')} AND NOT EXISTS (SELECT FROM ${table} WHERE id = ${id})`;
const INSTANCES = `${readSchemaOf(instancesProjection)}.instances`;
const SNAPSHOTS = `${readSchemaOf(snapshotsProjection)}.snapshots`;

/** The rows to delete, of every table that nothing else bounds: see docs/operations/runbooks/growth.md. */
const OUTDATED = {
  // Longer than answers, so that a command that is repeated in the last moment gets the ids it had.
  'es.command_ids': olderThan('created_at', '48 hours'),
  'es.idempotency': olderThan('created_at', '24 hours'),
  // Of control planes that never came back; what they left undone has long been taken from them.
  'es.leases': olderThan('until', '7 days'),
  'telemetry.instance_metrics': ofNothing(INSTANCES, 'instance_id'),
  'telemetry.instance_progress': ofNothing(INSTANCES, 'instance_id'),
  'telemetry.snapshot_progress': ofNothing(SNAPSHOTS, 'snapshot_id'),
} as const;

/** Deletes those rows; answers how many of which table. Several control planes may do so at once. */
export const deleteOutdatedRows = async (pool: Pool): Promise<Readonly<Record<string, number>>> => {
  const deleted: Record<string, number> = {};
  for (const [table, condition] of Object.entries(OUTDATED)) {
    const { rowCount } = await pool.query(`DELETE FROM ${table} WHERE ${condition}`);
    deleted[table] = rowCount ?? 0;
  }
  return deleted;
};

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
