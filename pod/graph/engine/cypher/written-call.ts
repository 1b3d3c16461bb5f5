import { isAggregate } from './aggregates';
import { asciiUpper } from './cypher-tokens';
import { make } from './template';
import { type Call, type Expression } from './tree';
import { type ValueType } from './value-type';
import { type TypeOf } from './value-types';
import { changeExpressions } from './walk';

/** A template with `_1`, `_2`, …, or a function that returns one for the types of the arguments and the call. */
export type Written = string | ((types: readonly ValueType[], call: Call) => string);

/** How functions are written for an engine, by their names in upper case. */
export type FunctionTable = ReadonlyMap<string, Written>;

/** A call written as in its line of the table; `original`: before its arguments were changed. */
export const writtenCall = (value: Call, original: Call, typeOf: TypeOf, functions: FunctionTable): Expression => {
  const found = functions.get(asciiUpper(value.name));
  if (found === undefined) return value;
  const text = typeof found === 'string' ? found : found(original.arguments.map(typeOf), original);
  const made = make(text, value, ...value.arguments);
  if (!value.distinct) return made;
  return changeExpressions(made, (inner) => (isAggregate(inner) ? { ...inner, distinct: true } : inner));
};
