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

/** The server's own projections read `$correlationId` and `$causationId`. */
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

/** The size of an append as counted by the server, to compare with its limit. */
export const bytesOf = (records: readonly OutgoingRecord[]): number =>
  records.reduce((sum, { type, data, metadata }) => sum + 2 * type.length + data.length + metadata.length, 0);

/**
 * Decodes an event of this log. An event of another program, without this log's metadata or not JSON, does not have
 * data, so that readers distinguish it from an event of a newer version and skip it.
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

/** The commit and prepare positions of ordinary events are equal. */
export const placeOf = (position: Position): LogPlace => {
  const commit = BigInt(position);
  return { commit, prepare: commit };
};
