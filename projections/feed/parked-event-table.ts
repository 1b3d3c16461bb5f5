import { type Pool, type PoolClient } from 'pg';
import { type Position, type StoredEvent } from '../../domain/kernel/event';
import { type ParkedEventStore } from '../../domain/ports/feed-consumer';

/** The owner of parked events: a consumer of the feed, in one version and epoch. */
export interface ParkingKey {
  readonly name: string;
  readonly version: number;
  readonly epoch: number;
}

const OURS = 'reader = $1 AND version = $2 AND epoch = $3';
const COLUMNS = 'reader, version, epoch, stream_id, position, event_stream_id, event_revision, event_type';
const VALUES = '$1, $2, $3, $4, $5, $6, $7, $8';

const valuesOf = (streamId: string, { position, streamId: ofEvent, revision, type }: StoredEvent) => [
  ...[streamId, position, ofEvent, revision, type],
];

/** The parked events of one consumer in `es.parked`, in the transaction of the client if it is in one. */
export const parkedEventTable = (client: Pool | PoolClient, { name, version, epoch }: ParkingKey): ParkedEventStore => {
  const query = <R extends object>(sql: string, values: readonly unknown[] = []) =>
    client.query<R>(sql, [name, version, epoch, ...values]);
  return {
    heldStreams: async () => {
      const { rows } = await query<{ stream_id: string }>(`SELECT DISTINCT stream_id FROM es.parked WHERE ${OURS}`);
      return new Set(rows.map(({ stream_id }) => stream_id));
    },

    park: async (streamId, event, error, attempts) => {
      await query(
        `INSERT INTO es.parked (${COLUMNS}, error, attempts, last_failed_at) VALUES (${VALUES}, $9, $10, now())
         ON CONFLICT DO NOTHING`,
        [...valuesOf(streamId, event), error, attempts],
      );
    },

    // The lock either delays a retry that applies the last parked event, or lets this statement see its deletion.
    parkIfBlocked: async (streamId, event) => {
      const { rows } = await query<{ held: boolean }>(
        `WITH ahead AS (
           SELECT 1 FROM es.parked WHERE ${OURS} AND stream_id = $4 ORDER BY position DESC LIMIT 1 FOR KEY SHARE
         ), parking AS (
           INSERT INTO es.parked (${COLUMNS}) SELECT ${VALUES} FROM ahead ON CONFLICT DO NOTHING
         )
         SELECT EXISTS (SELECT 1 FROM ahead) AS held`,
        valuesOf(streamId, event),
      );
      return rows[0]?.held === true;
    },

    parkedFor: async (streamId, limit) => {
      const { rows } = await query<{ position: Position; event_stream_id: string; event_revision: string }>(
        `SELECT position::text, event_stream_id, event_revision FROM es.parked
         WHERE ${OURS} AND stream_id = $4 ORDER BY es.parked.position LIMIT $5`,
        [streamId, limit],
      );
      return rows.map(({ position, event_stream_id, event_revision }) => ({
        position,
        eventStreamId: event_stream_id,
        eventRevision: Number(event_revision),
      }));
    },

    recordFailure: async (streamId, position, error) => {
      await query(
        `UPDATE es.parked SET error = $6, attempts = attempts + 1, last_failed_at = now()
         WHERE ${OURS} AND stream_id = $4 AND position = $5`,
        [streamId, position, error],
      );
    },

    remove: async (streamId, position) => {
      await query(`DELETE FROM es.parked WHERE ${OURS} AND stream_id = $4 AND position = $5`, [streamId, position]);
    },
  };
};
