import { fail } from '../evaluation-fault';
import { kindOf, type Value } from '../values';

/** Functions by their names in upper case. */
export type FunctionTable = Readonly<Record<string, (...values: readonly Value[]) => Value>>;

/** A function that returns null if an argument is null. */
export const strict =
  (apply: (...values: readonly Value[]) => Value) =>
  (...values: readonly Value[]): Value =>
    values.includes(null) ? null : apply(...values);

export const wrong = (name: string, ...values: readonly Value[]): never =>
  fail(`${name} of ${values.map(kindOf).join(', ')}`);
