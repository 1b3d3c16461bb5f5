import { type PlacedToken } from '../../query/word-roles';

/** Each item of a list or map that is written out takes some 65 KB of the engine's memory, counted nowhere. */
export const MAX_WRITTEN_ITEMS = 1_000;

/** The items of lists, maps and calls in a text. */
export interface WrittenItems {
  readonly count: number;
  /** Offset of the first one too many. */
  readonly excessAt: number | null;
}

/** Each begins after the bracket of a list or map, or after a comma between brackets. */
export const writtenItems = (tokens: readonly PlacedToken[]): WrittenItems => {
  const before = tokens.filter(({ kind, text, depth }, index) => {
    if (kind !== 'symbol') return false;
    if (text === ',') return depth > 0;
    return text === '[' ? tokens[index + 1]?.text !== ']' : text === '{' && tokens[index + 1]?.text !== '}';
  });
  return { count: before.length, excessAt: before[MAX_WRITTEN_ITEMS]?.end ?? null };
};

/** How many items a value has in all its lists and maps. */
export const itemsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, item) => sum + 1 + itemsOf(item), 0)
    : 0;
