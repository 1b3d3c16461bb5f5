import { type NewEvent, type StoredEvent } from './event';

/**
 * The parts of an event that are equal in every copy of a log. The store sets its position and the time of recording.
 */
export type LoggedEvent = NewEvent & Pick<StoredEvent, 'streamId' | 'revision'>;

/** An event as JSON that is the same in every store: keys sorted, without fields that a store adds. */
export const canonicalJson = ({ streamId, revision, id, type, schemaVersion, data, metadata }: LoggedEvent): string =>
  JSON.stringify([streamId, revision, id, type, schemaVersion, sorted(data ?? null), sorted(metadata)]);

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, sorted(item)]);
  // Objects list integer-like keys first in any case; sorting orders the others.
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
};
