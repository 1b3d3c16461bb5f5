import { createHash } from 'node:crypto';
import * as t from 'io-ts';
import { canonicalJson, type LoggedEvent } from '../../domain/kernel/canonical-event';
import { fields, integer, optional, text } from '../../domain/kernel/codecs';
import { eventMetadataFields } from '../../domain/kernel/event';

/** Number and hash of a log's events: equal for two logs exactly when they contain the same events. */
export interface LogDigest {
  readonly events: number;
  /** Hexadecimal, of the canonical JSON of every event in the order of the feed, each followed by a newline. */
  readonly sha256: string;
}

/** Counts and hashes the events of a log as they are read. */
export const logDigester = () => {
  const hash = createHash('sha256');
  let events = 0;
  return {
    count: (): number => events,
    /** Adds the next event; returns its canonical JSON. */
    add: (event: LoggedEvent): string => {
      const json = canonicalJson(event);
      hash.update(json).update('\n');
      events++;
      return json;
    },
    end: (): LogDigest => ({ events, sha256: hash.digest('hex') }),
  };
};

const Text = text({ min: 1, max: 4096 });

/** The first line: format and id of the log. */
export const LogFileHeader = fields({ rowgraph_log: t.literal(1), log_id: Text });

/** The last line. A file without it is truncated. */
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
