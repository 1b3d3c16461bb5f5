import { isCollection, isKeyed } from 'immutable';

/** A value as JSON that is equal for equal values: keys and members of sets are sorted. */
export const canonicalText = (value: unknown): string => JSON.stringify(canonical(value));

const canonical = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(canonical);
  if (value instanceof Set) return sortedMembers([...value]);
  if (value instanceof Map) return sortedEntries([...value]);
  if (isCollection(value)) return isKeyed(value) ? sortedEntries([...value.entries()]) : sortedMembers([...value]);
  return sortedEntries(Object.entries(value));
};

const sortedMembers = (members: readonly unknown[]): unknown =>
  members.map(canonical).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const sortedEntries = (entries: readonly (readonly [unknown, unknown])[]): unknown =>
  Object.fromEntries(
    entries.map(([key, item]) => [String(key), canonical(item)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
