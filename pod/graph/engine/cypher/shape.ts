import { type Expression } from './tree';

/** A text that is equal for equal expressions, independent of their place. */
export const shape = (value: Expression): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'start' || key === 'end' ? undefined : inner));
