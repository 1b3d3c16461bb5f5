import { type Expression } from './tree';

/** A text that is the same for equal expressions, wherever they stand. */
export const shape = (value: Expression): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'start' || key === 'end' ? undefined : inner));
