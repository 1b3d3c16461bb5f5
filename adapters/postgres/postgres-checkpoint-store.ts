import { type Pool } from 'pg';
import { type Position, START } from '../../domain/kernel/event';
import { type CheckpointStore } from '../../domain/ports/checkpoint-store';

/**
 * Checkpoints of one version of readers other than projections, in the same table. A new version starts at the
 * checkpoint of the last one.
 */
export const createPostgresCheckpointStore = (pool: Pool, version: number): CheckpointStore => ({
  load: async (name) => {
    await pool.query(
      `INSERT INTO es.subscriptions (name, version, position)
       SELECT $1, $2, coalesce(max(position), 0) FROM es.subscriptions WHERE name = $1 AND version < $2
       ON CONFLICT DO NOTHING`,
      [name, version],
    );
    const { rows } = await pool.query<{ position: Position }>(
      'SELECT position::text FROM es.subscriptions WHERE name = $1 AND version = $2',
      [name, version],
    );
    return rows[0]?.position ?? START;
  },

  advance: async (name, from, to) => {
    const { rowCount } = await pool.query(
      'UPDATE es.subscriptions SET position = $4 WHERE name = $1 AND version = $2 AND position = $3',
      [name, version, from, to],
    );
    return rowCount === 1;
  },
});
