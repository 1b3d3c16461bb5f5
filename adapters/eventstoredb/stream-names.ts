import { type LogRecord } from './log-client';

/** Which of the server's streams are ours, and what they are called there. */
export interface StreamNames {
  /** The name of the stream that holds the log's id. No category has it, so it reaches no reader. */
  readonly ofIdentity: string;
  /** What the names of our streams begin with. */
  readonly prefixes: readonly string[];
  /** Throws for an id without a known category: no reader would ever see its events. */
  nameOf(streamId: string): string;
  streamIdOf(name: string): string;
  /** Whether an event belongs to this log: not the server's own, a link, a tombstone or another system's. */
  isOurs(record: LogRecord): boolean;
}

/** Streams are `<prefix><category>-<id>`, which is what the server's own tools take for the category, too. */
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
