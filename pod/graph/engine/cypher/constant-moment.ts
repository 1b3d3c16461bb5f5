import { type Moment, momentOf, readMoment, TIME_PARTS } from '../moments';
import { type Expression } from './tree';

/**
 * The moment of a text or of a map of numbers in a query; null if it is invalid, undefined for other values. `hasTime`:
 * whether the text may contain a time of day.
 */
export const constantMoment = (value: Expression | undefined, hasTime: boolean): Moment | null | undefined => {
  if (value?.kind === 'literal') return typeof value.value === 'string' ? readMoment(value.value, hasTime) : undefined;
  if (value?.kind !== 'map') return undefined;
  const parts = value.entries.flatMap(({ key, value: part }) =>
    part.kind === 'number' && TIME_PARTS.includes(key.text) ? [[key.text, Number(part.text)] as const] : [],
  );
  return parts.length === value.entries.length ? momentOf(Object.fromEntries(parts)) : undefined;
};
