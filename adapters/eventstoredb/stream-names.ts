import { type LogRecord } from './log-client';

/** The streams of this log, and their names on the server. */
export interface StreamNames {
  /** The name of the stream with the log's id. It does not match a category, so readers do not receive it. */
  readonly ofIdentity: string;
  /** Prefixes of the names of this log's streams. */
  readonly prefixes: readonly string[];
  /** Throws for an id without a known category: readers would never receive its events. */
  nameOf(streamId: string): string;
  streamIdOf(name: string): string;
  /** Whether an event belongs to this log: not one of the server, a link, a tombstone or another system's. */
  isOurs(record: LogRecord): boolean;
}

/** Streams are named `<prefix><category>-<id>`; the server's own tools parse the category in the same way. */
export const streamNames = (prefix: string, categories: readonly string[]): StreamNames => {
  const known = new Set(categories);
  const isOfOurs = (name: string): boolean => {
    if (!name.startsWith(prefix)) return false;
    const dash = name.indexOf('-', prefix.length);
    return dash > 0 && known.has(name.slice(prefix.length, dash));
  };
  return {
    ofIdentity: `${prefix}log-identity`,
    prefixes: categories.map((category) => `${prefix}${category}-`),
    nameOf: (streamId) => {
      const name = `${prefix}${streamId}`;
      if (isOfOurs(name)) return name;
      throw new Error(`The stream ${streamId} has no known category; add its category to those of the log.`);
    },
    streamIdOf: (name) => name.slice(prefix.length),
    isOurs: ({ streamId, type }) => !type.startsWith('$') && isOfOurs(streamId),
  };
};
