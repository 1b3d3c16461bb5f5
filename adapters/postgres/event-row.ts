import { type EventMetadata, type Position, type StoredEvent } from '../../domain/kernel/event';

/** A row of `es.events` as `EVENT_COLUMNS` selects it. The table's types and its only writer vouch for the shapes. */
export interface EventRow {
  readonly position: string;
  readonly stream_id: string;
  readonly revision: string;
  readonly id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly metadata: EventMetadata;
  /** Milliseconds since 1970; the driver takes longer for a timestamp than for all the rest of a row. */
  readonly recorded_ms: number;
}

export const EVENT_COLUMNS = `e.position, e.stream_id, e.revision, e.id, e.type, e.schema_version, e.data, e.metadata,
  (extract(epoch FROM e.recorded_at) * 1000)::float8 AS recorded_ms`;

/** A `bigint` as the driver gives it. */
export const toPosition = (decimal: string): Position => decimal as Position;

export const toStoredEvent = (row: EventRow): StoredEvent => ({
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
