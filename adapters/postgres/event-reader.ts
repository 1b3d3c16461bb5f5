import { type Either, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type EventMetadata, type Position, START, type StoredEvent } from '../../domain/kernel/event';
import { type EventStore, type LogIdentity, type ReadError } from '../../domain/ports/event-store';
import { prepared } from '../../projections/buffered-tables';
import { databaseErrorText } from './database-error';

/**
 * A row of `es.events` as `EVENT_COLUMNS` selects it. The types of the table and its only writer guarantee the types.
 */
interface EventRow {
  readonly position: string;
  readonly stream_id: string;
  readonly revision: string;
  readonly id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly metadata: EventMetadata;
  /** Milliseconds since 1970, because the driver parses timestamps slowly. */
  readonly recorded_ms: number;
}

const EVENT_COLUMNS = `e.position, e.stream_id, e.revision, e.id, e.type, e.schema_version, e.data, e.metadata,
  (extract(epoch FROM e.recorded_at) * 1000)::float8 AS recorded_ms`;

/** A `bigint` as the driver returns it. */
export const toPosition = (decimal: string): Position => decimal as Position;

const toStoredEvent = (row: EventRow): StoredEvent => ({
  id: row.id,
  streamId: row.stream_id,
  revision: Number(row.revision),
  position: toPosition(row.position),
  type: row.type,
  schemaVersion: row.schema_version,
  data: row.data,
  metadata: row.metadata,
  recordedAt: new Date(row.recorded_ms).toISOString(),
});

/** Maximum number of positions that a filtered page scans: one page of a rare type must not scan the whole log. */
const WINDOW = 20_000;

const READ_ALL = `
SELECT ${EVENT_COLUMNS} FROM es.events e WHERE e.position > $1 ORDER BY e.position LIMIT $2`;

// The head and the events come from one snapshot: a head that is read later would skip events committed in between.
const READ_SOME = `
WITH bound AS (
  SELECT least((SELECT coalesce(max(position), 0) FROM es.events), $1::bigint + greatest($2::bigint, ${WINDOW})) AS upper
)
SELECT bound.upper, ${EVENT_COLUMNS}
FROM bound LEFT JOIN LATERAL (
  SELECT * FROM es.events e
  WHERE e.position > $1 AND e.position <= bound.upper AND e.type = ANY ($3)
  ORDER BY e.position
  LIMIT $2
) e ON true
ORDER BY e.position`;

/** The reads of the event store. Every read is one statement, and so consistent. */
export const createEventReader = (pool: Pool): Pick<EventStore, 'readStream' | 'readAt' | 'readAll' | 'head'> => ({
  readStream: (streamId, { fromRevision, direction = 'forwards', limit } = {}) =>
    orUnavailable(async () => {
      const [compare, order] = direction === 'forwards' ? ['>=', 'ASC'] : ['<=', 'DESC'];
      const result = await pool.query<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM es.events e
           WHERE e.stream_id = $1 AND ($2::bigint IS NULL OR e.revision ${compare} $2)
           ORDER BY e.revision ${order} LIMIT $3`,
        [streamId, fromRevision ?? null, limit ?? null],
      );
      return result.rows.map(toStoredEvent);
    }),

  readAt: (position) =>
    orUnavailable(async () => {
      const sql = `SELECT ${EVENT_COLUMNS} FROM es.events e WHERE e.position = $1`;
      const [row] = (await pool.query<EventRow>(sql, [position])).rows;
      return row === undefined ? null : toStoredEvent(row);
    }),

  readAll: (after, limit, { types } = {}) =>
    orUnavailable(async () => {
      if (types === undefined) {
        const { rows } = await pool.query<EventRow>(prepared(READ_ALL, [after, limit]));
        const events = rows.map(toStoredEvent);
        return { events, position: events.at(-1)?.position ?? after };
      }
      const result = await pool.query<FeedRow>(READ_SOME, [after, limit, types]);
      const events = result.rows.flatMap((row) => (row.position === null ? [] : [toStoredEvent(row)]));
      const last = events.at(-1);
      if (last !== undefined && events.length === limit) return { events, position: last.position };
      const upper = result.rows[0]?.upper ?? after;
      return { events, position: BigInt(upper) > BigInt(after) ? toPosition(upper) : after };
    }),

  head: () =>
    orUnavailable(async () => {
      const { rows } = await pool.query<{ position: string }>(
        'SELECT coalesce(max(position), 0)::text AS position FROM es.events',
      );
      return toPosition(rows[0]?.position ?? START);
    }),
});

/** The identity of the log in `es.events`. */
export const createPostgresLogIdentity = (pool: Pool): LogIdentity => {
  const read = async (): Promise<string | null> => {
    const { rows } = await pool.query<{ log_id: string }>('SELECT log_id FROM es.log_identity');
    return rows[0]?.log_id ?? null;
  };
  return {
    read: () => orUnavailable(read),
    ensure: (id) =>
      orUnavailable(async () => {
        await pool.query('INSERT INTO es.log_identity (log_id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
        return (await read()) ?? id;
      }),
  };
};

type FeedRow = { readonly upper: string } & (EventRow | { readonly position: null });

/** The result of a read, or `unavailable` if PostgreSQL failed it. */
const orUnavailable = async <A>(read: () => Promise<A>): Promise<Either<ReadError, A>> => {
  try {
    return right(await read());
  } catch (error) {
    return left({
      kind: 'unavailable',
      reason: `The event log could not be read from PostgreSQL: ${databaseErrorText(error)}`,
    });
  }
};
