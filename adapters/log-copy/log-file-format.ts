import * as t from 'io-ts';
import { fields, integer, optional, text } from '../../domain/kernel/codecs';
import { eventMetadataFields } from '../../domain/kernel/event';
import { type LogDigest, type LoggedEvent } from './logged-event';

const Text = text({ min: 1, max: 4096 });

/** The first line: what this is, and of which log. */
export const LogFileHeader = fields({ rowgraph_log: t.literal(1), log_id: Text });

/** The last line. A file without it was cut off. */
export const LogFileEnd = fields({ end: fields({ events: integer(0), sha256: Text }) });

/** Any line between them. */
export const LogFileEvent = fields({
  stream_id: Text,
  revision: integer(0),
  id: Text,
  type: Text,
  schema_version: integer(1),
  data: t.unknown,
  metadata: fields({ ...eventMetadataFields, traceparent: optional(t.string) }),
});

export const headerLine = (logId: string): string =>
  JSON.stringify({ rowgraph_log: 1, log_id: logId } satisfies t.TypeOf<typeof LogFileHeader>);

export const endLine = (end: LogDigest): string => JSON.stringify({ end } satisfies t.TypeOf<typeof LogFileEnd>);

export const eventLine = (event: LoggedEvent): string => JSON.stringify(fromLoggedEvent(event));

export const fromLoggedEvent = ({ streamId, revision, id, type, schemaVersion, data, metadata }: LoggedEvent) => ({
  stream_id: streamId,
  revision,
  id,
  type,
  schema_version: schemaVersion,
  data: data ?? null,
  metadata,
});

export const toLoggedEvent = (line: t.TypeOf<typeof LogFileEvent>): LoggedEvent => ({
  streamId: line.stream_id,
  revision: line.revision,
  id: line.id,
  type: line.type,
  schemaVersion: line.schema_version,
  data: line.data,
  metadata: line.metadata,
});
