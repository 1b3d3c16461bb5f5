import { type Pool } from 'pg';
import { type TelemetryStore } from '../../domain/ports/telemetry-store';

/** The latest reports of instances, in schema `telemetry`. */
export const createPostgresTelemetryStore = (pool: Pool): TelemetryStore => ({
  saveProgress: async (instanceId, progress) => {
    await pool.query(
      `INSERT INTO telemetry.instance_progress (instance_id, data) VALUES ($1, $2)
       ON CONFLICT (instance_id) DO UPDATE SET data = excluded.data, updated_at = now()`,
      [instanceId, JSON.stringify(progress)],
    );
  },
  saveSnapshotProgress: async (snapshotId, progress) => {
    await pool.query(
      `INSERT INTO telemetry.snapshot_progress AS p (snapshot_id, data) VALUES ($1, $2)
       ON CONFLICT (snapshot_id) DO UPDATE SET data = p.data || excluded.data, updated_at = now()`,
      [snapshotId, JSON.stringify(progress)],
    );
  },
  saveMetrics: async (instanceId, metrics) => {
    await pool.query(
      // The last activity never moves back: a pod reports it by its own clock, and late.
      `INSERT INTO telemetry.instance_metrics AS m (instance_id, data) VALUES ($1, $2)
       ON CONFLICT (instance_id) DO UPDATE SET updated_at = now(), data = m.data || excluded.data ||
         CASE WHEN m.last_activity_at > excluded.last_activity_at
           THEN jsonb_build_object('last_activity_at', m.last_activity_at) ELSE '{}' END`,
      [instanceId, JSON.stringify(metrics)],
    );
  },
});
