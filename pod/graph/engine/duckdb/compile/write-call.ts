import { type Call } from '../../cypher/tree';
import { asFloat } from './any-value';
import { type Frame } from './frame';
import { eachUsedOnce } from './list-map';
import { isNumeric, NULL, type Type, typed, type Value } from './type';

/** Writes a call; returns null if the function does not have a value for these types. */
export type Write = (values: readonly Value[], frame: Frame, call: Call) => Value | null;

/** What a function accepts; `double`: a number, which is converted to a float. */
type Kind = 'text' | 'integer' | 'float' | 'boolean' | 'list' | 'number' | 'double';

/** The type of a result, which may depend on the first argument. */
type ResultType = Type | ((first: Value) => Type);

const accepted = (kind: Kind, value: Value): Value | null => {
  if (kind === 'double') return asFloat(value);
  return (kind === 'number' ? isNumeric(value.type) : value.type.kind === kind) ? value : null;
};

const written =
  (kinds: readonly Kind[], type: ResultType, write: (values: readonly Value[], frame: Frame) => string): Write =>
  (given, frame) => {
    const values = kinds.flatMap((kind, at) => accepted(kind, given[at] ?? NULL) ?? []);
    if (values.length < kinds.length) return null;
    return typed(typeof type === 'function' ? type(given[0] ?? NULL) : type, write(values, frame));
  };

const sqlOf = ({ sql }: Value): string => sql;

/** A function of values of these kinds, whose SQL uses each of them once. */
export const of = (kinds: readonly Kind[], type: ResultType, write: (...values: string[]) => string): Write =>
  written(kinds, type, (values) => write(...values.map(sqlOf)));

/** A function of values of these kinds, whose SQL uses them several times. */
export const ofRepeated = (kinds: readonly Kind[], type: ResultType, write: (...values: string[]) => string): Write =>
  written(kinds, type, (values, frame) => eachUsedOnce(values, frame, (...once) => write(...once.map(sqlOf))));

/** The first of several functions that has a value. */
export const firstOf =
  (...writes: readonly Write[]): Write =>
  (values, frame, call) => {
    for (const write of writes) {
      const value = write(values, frame, call);
      if (value !== null) return value;
    }
    return null;
  };
