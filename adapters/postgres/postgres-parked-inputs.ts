import { type Pool } from 'pg';
import { type Position, type StoredEvent } from '../../domain/kernel/event';
import { type ParkedInputs, PROCESSES } from '../../domain/ports/parked-inputs';

// The processes read the feed under one version and have no epochs.
const OURS = `reader = '${PROCESSES}' AND version = 1 AND epoch = 0`;
const COLUMNS = 'reader, version, epoch, stream_id, position, event_stream_id, event_revision, event_type';
const VALUES = `'${PROCESSES}', 1, 0, $1, $2, $3, $4, $5`;

const valuesOf = (streamId: string, event: StoredEvent) => [
  streamId,
  event.position,
  event.streamId,
  event.revision,
  event.type,
];

/** Keeps what the processes could not take in beside what projections could not apply. */
export const createPostgresParkedInputs = (pool: Pool): ParkedInputs => ({
  heldStreams: async () => {
    const { rows } = await pool.query<{ stream_id: string }>(`SELECT DISTINCT stream_id FROM es.parked WHERE ${OURS}`);
    return new Set(rows.map(({ stream_id }) => stream_id));
  },

  park: async (streamId, event, error, attempts) => {
    await pool.query(
      `INSERT INTO es.parked (${COLUMNS}, error, attempts, last_failed_at) VALUES (${VALUES}, $6, $7, now())
       ON CONFLICT DO NOTHING`,
      [...valuesOf(streamId, event), error, attempts],
    );
  },

  // The lock makes a retry that takes in the last one wait, or this statement see that it is gone.
  parkBehind: async (streamId, event) => {
    const { rows } = await pool.query<{ held: boolean }>(
      `WITH ahead AS (
         SELECT 1 FROM es.parked WHERE ${OURS} AND stream_id = $1 ORDER BY position DESC LIMIT 1 FOR KEY SHARE
       ), parking AS (
         INSERT INTO es.parked (${COLUMNS}) SELECT ${VALUES} FROM ahead ON CONFLICT DO NOTHING
       )
       SELECT EXISTS (SELECT 1 FROM ahead) AS held`,
      valuesOf(streamId, event),
    );
    return rows[0]?.held === true;
  },

  firstOf: async (streamId) => {
    const { rows } = await pool.query<{ position: Position; event_stream_id: string; event_revision: string }>(
      `SELECT position::text, event_stream_id, event_revision FROM es.parked
       WHERE ${OURS} AND stream_id = $1 ORDER BY es.parked.position LIMIT 1`,
      [streamId],
    );
    const [row] = rows;
    if (row === undefined) return null;
    return {
      position: row.position,
      eventStreamId: row.event_stream_id,
      eventRevision: Number(row.event_revision),
    };
  },

  recordFailure: async (streamId, position, error) => {
    await pool.query(
      `UPDATE es.parked SET error = $3, attempts = attempts + 1, last_failed_at = now()
       WHERE ${OURS} AND stream_id = $1 AND position = $2`,
      [streamId, position, error],
    );
  },

  remove: async (streamId, position) => {
    await pool.query(`DELETE FROM es.parked WHERE ${OURS} AND stream_id = $1 AND position = $2`, [streamId, position]);
  },
});
