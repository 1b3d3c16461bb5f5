import { unstorableCharacter } from './codecs';
import { type NewEvent } from './event';

/**
 * The path of the first text, value or key, that not every event store can keep: one with U+0000 or half a surrogate
 * pair. As `data.name` or `data.node_definitions[0].sql`; a key is named by its object. Null when there is
 * none.
 */
export const findInvalidText = (events: readonly NewEvent[]): string | null => {
  for (const { data, metadata } of events) {
    const path = find(data, 'data') ?? find(metadata, 'metadata');
    if (path !== null) return path;
  }
  return null;
};

const find = (value: unknown, path: string): string | null => {
  if (typeof value === 'string') return unstorableCharacter(value) === null ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return firstOf(value.entries(), (index) => `${path}[${index}]`);
  const entries = Object.entries(value);
  if (entries.some(([key]) => unstorableCharacter(key) !== null)) return path;
  return firstOf(entries, (key) => `${path}.${key}`);
};

const firstOf = <K>(entries: Iterable<readonly [K, unknown]>, pathOf: (key: K) => string): string | null => {
  for (const [key, value] of entries) {
    if (typeof value !== 'string' && typeof value !== 'object') continue;
    const path = find(value, pathOf(key));
    if (path !== null) return path;
  }
  return null;
};
