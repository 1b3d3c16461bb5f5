import * as t from 'io-ts';
import {
  type EventMetadata,
  eventMetadataFields,
  type NewEvent,
  type Position,
  type StoredEvent,
} from '../../domain/kernel/event';
import { type LogPlace, type LogRecord, type OutgoingRecord } from './log-client';

const METADATA = t.intersection([
  t.type({ ...eventMetadataFields, schemaVersion: t.number }),
  t.partial({ traceparent: t.string }),
]);

const FOREIGN: EventMetadata = {
  commandId: '',
  correlationId: '',
  causationId: '',
  actor: '',
  role: '',
  occurredAt: '',
};

/** The server's own projections look for `$correlationId` and `$causationId`. */
export const toRecord = ({ id, type, schemaVersion, data, metadata }: NewEvent): OutgoingRecord => ({
  id,
  type,
  data: Buffer.from(JSON.stringify(data ?? null)),
  metadata: Buffer.from(
    JSON.stringify({
      ...metadata,
      $correlationId: metadata.correlationId,
      $causationId: metadata.causationId,
      schemaVersion,
    }),
  ),
});

/** What an append counts on the server, to compare with its limit. */
export const bytesOf = (records: readonly OutgoingRecord[]): number =>
  records.reduce((sum, { type, data, metadata }) => sum + 2 * type.length + data.length + metadata.length, 0);

/**
 * An event of ours. One of another program, without our metadata or not JSON, has no data, so
 * that readers distinguish it from one of a newer version and set it aside.
 */
export const toStoredEvent = (record: LogRecord, place: LogPlace, streamId: string): StoredEvent => {
  const { metadata, isJson } = record;
  const isOfOurs = isJson && METADATA.is(metadata);
  return {
    id: record.id,
    type: record.type,
    streamId,
    revision: Number(record.revision),
    position: positionOf(place),
    recordedAt: record.created.toISOString(),
    schemaVersion: isOfOurs ? metadata.schemaVersion : 1,
    data: isOfOurs ? (record.data ?? null) : null,
    metadata: isOfOurs ? eventMetadata(metadata) : FOREIGN,
  };
};

const eventMetadata = (given: EventMetadata): EventMetadata => ({
  commandId: given.commandId,
  correlationId: given.correlationId,
  causationId: given.causationId,
  actor: given.actor,
  role: given.role,
  occurredAt: given.occurredAt,
  ...(given.traceparent !== undefined && { traceparent: given.traceparent }),
});

/** The decimal offset of the commit. */
export const positionOf = ({ commit }: LogPlace): Position => commit.toString() as Position;

/** Ordinary events have their commit where they are prepared. */
export const placeOf = (position: Position): LogPlace => {
  const commit = BigInt(position);
  return { commit, prepare: commit };
};
