import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { instancesProjection } from '../../projections/instances';
import { readSchemaOf } from '../../projections/projection-tables';
import { snapshotsProjection } from '../../projections/snapshots';
import { pause } from '../system/retry';
import { type ShutdownSteps } from '../system/shutdown-steps';

const olderThan = (time: string, age: string): string => `${time} < now() - interval '${age}'`;
/** A report may arrive before the read model has its resource. */
const ofNothing = (table: string, id: string): string =>
  `${olderThan('updated_at', '1 day')} AND NOT EXISTS (SELECT FROM ${table} WHERE id = ${id})`;
const INSTANCES = `${readSchemaOf(instancesProjection)}.instances`;
const SNAPSHOTS = `${readSchemaOf(snapshotsProjection)}.snapshots`;

/** The rows to delete, of every otherwise unbounded table: see docs/operations/runbooks/growth.md. */
const OUTDATED = {
  // Kept longer than responses, so that a late repetition of a command gets the same ids.
  'es.command_ids': olderThan('created_at', '48 hours'),
  // No export takes longer; a job without a row is polled as it was submitted.
  'es.export_polls': olderThan('updated_at', '2 days'),
  'es.idempotency': olderThan('created_at', '24 hours'),
  // Leases of control planes that did not return; other replicas have their work.
  'es.leases': olderThan('until', '7 days'),
  'telemetry.instance_metrics': ofNothing(INSTANCES, 'instance_id'),
  'telemetry.instance_progress': ofNothing(INSTANCES, 'instance_id'),
  'telemetry.snapshot_progress': ofNothing(SNAPSHOTS, 'snapshot_id'),
} as const;

/** Deletes those rows; returns the numbers by table. Safe to run in several control planes at once. */
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
export const startRetention = (pool: Pool, shutdownSteps: ShutdownSteps, log: Logger, everyMs = HOUR_MS): void =>
  shutdownSteps.addLoop('retention', async (signal) => {
    while (!signal.aborted) {
      try {
        log.debug({ rows: await deleteOutdatedRows(pool) }, 'outdated rows are deleted');
      } catch (error) {
        log.warn({ err: error }, 'deleting outdated rows failed; retried in the next round');
      }
      await pause(everyMs, signal);
    }
  });
