import { type Cure } from '../../cypher/cure';
import { type TypeOf } from '../../cypher/expression-types';
import { valueTypes } from '../../cypher/scopes';
import { make } from '../../cypher/template';
import { type Expression } from '../../cypher/tree';
import { INTEGER_LIMIT, mayBeInteger, mostOf } from '../../cypher/value-type';
import { operandsOf, replaceOutermost } from '../../cypher/walk';
import { failingIf, FLOAT_LIMIT } from '../functions';

/**
 * An integer beyond 64 bits becomes another one, and one from 2^53 on is divided as a double. Results that may be wrong,
 * by the types and the greatest values of their operands, are tested in each row: whether the sum or product of the
 * absolute values has 64 bits. Nested operations have one test.
 */
export const overflowingIntegers: Cure = (query, context) => {
  const typeOf = valueTypes(query, context.schema);
  const tested = (value: Expression): Expression | null => {
    if (!isOperation(value, typeOf)) return null;
    const inside: Inside = (part) =>
      replaceOutermost(part, (each) => (isOperation(each, typeOf) ? null : replaceOutermost(each, tested)));
    const result = inside(value);
    const [first, ...others] = failuresOf(value, typeOf, inside);
    if (first === undefined) return result;
    const failure = failingIf('_2');
    const form = typeOf(value).kind === 'integer' ? `_1 + ${failure}` : `[_v IN [_1] WHERE ${failure} = 0 | _v][0]`;
    return make(
      form,
      value,
      result,
      others.reduce((all, each) => make('_1 OR _2', value, all, each), first),
    );
  };
  return replaceOutermost(query, tested);
};

/** Tests the operations in the operands of an operation. */
type Inside = (part: Expression) => Expression;

/** Whether it computes an integer from integers, in some rows. */
const isOperation = (value: Expression, typeOf: TypeOf): boolean =>
  ((value.kind === 'binary' && /^[-+*/]$/.test(value.operator)) ||
    (value.kind === 'unary' && value.operator === '-' && value.of.kind !== 'number') ||
    (value.kind === 'call' && /^abs$/i.test(value.name))) &&
  operandsOf(value)
    .map(typeOf)
    .every((type) => type.kind === 'integer' || mayBeInteger(type));

/** The conditions of which none is true if the result is right. */
const failuresOf = (value: Expression, typeOf: TypeOf, inside: Inside): readonly Expression[] => {
  const divisions = inexactDivisions(value, typeOf).map((left) =>
    make(`typeOf(_1) = 'Integer' AND ${SIZE} >= 9007199254740992.0`, value, inside(left)),
  );
  if (mostOf(typeOf(value)) < INTEGER_LIMIT) return divisions;
  return [make(`_1 >= ${FLOAT_LIMIT}`, value, boundOf(value, typeOf, inside)), ...divisions];
};

/** A value that the absolute value of no part of the result exceeds; a float in an operand counts as 1. */
const boundOf = (value: Expression, typeOf: TypeOf, inside: Inside): Expression => {
  if (!isOperation(value, typeOf)) {
    const isInteger = typeOf(value).kind === 'integer';
    return make(isInteger ? SIZE : `CASE WHEN typeOf(_1) = 'Integer' THEN ${SIZE} ELSE 1.0 END`, value, inside(value));
  }
  const [left = value, right] = operandsOf(value).map((each) => boundOf(each, typeOf, inside));
  if (value.kind !== 'binary' || right === undefined || value.operator === '/') return left;
  return make(value.operator === '*' ? '_1 * _2' : '_1 + _2', value, left, right);
};

const SIZE = 'abs(1.0 * _1)';

/** The values that are divided by integers; doubles represent integers below 2^53 exactly. */
const inexactDivisions = (value: Expression, typeOf: TypeOf): readonly Expression[] => {
  if (!isOperation(value, typeOf)) return [];
  const others = operandsOf(value).flatMap((each) => inexactDivisions(each, typeOf));
  const isInexact = value.kind === 'binary' && value.operator === '/' && mostOf(typeOf(value.left)) > 2 ** 53;
  return isInexact ? [...others, value.left] : others;
};
