import { type Pool } from 'pg';
import { type Position, START } from '../../domain/kernel/event';
import { type CheckpointStore } from '../../domain/ports/checkpoint-store';

/** Checkpoints of readers other than projections, in the same table. */
export const createPostgresCheckpointStore = (pool: Pool): CheckpointStore => ({
  load: async (name) => {
    await pool.query('INSERT INTO es.subscriptions (name, version) VALUES ($1, 1) ON CONFLICT DO NOTHING', [name]);
    const { rows } = await pool.query<{ position: Position }>(
      'SELECT position::text FROM es.subscriptions WHERE name = $1 AND version = 1',
      [name],
    );
    return rows[0]?.position ?? START;
  },

  advance: async (name, from, to) => {
    const { rowCount } = await pool.query(
      'UPDATE es.subscriptions SET position = $3 WHERE name = $1 AND version = 1 AND position = $2',
      [name, from, to],
    );
    return rowCount === 1;
  },
});
