import { type Cure } from '../../cypher/cure';
import { valueTypes } from '../../cypher/scopes';
import { make } from '../../cypher/template';
import { type Expression } from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { changeExpressions, expressionsIn, operandsOf } from '../../cypher/walk';

/**
 * In a condition, the order of values of two types is false instead of null. NOT inverts the operator, but not for
 * items of lists; there, and beside XOR, false and null differ. Within a list an order is null.
 */
export const comparedTypes: Cure = (query, context) => {
  const typeOf = valueTypes(query, context.schema);
  const mayDiffer = (value: Expression): boolean => {
    if (value.kind !== 'comparison' || value.rest.every(({ operator }) => /^(=|<>)$/.test(operator))) return false;
    const kinds = new Set(operandsOf(value).map((operand) => comparedKind(typeOf(operand))));
    return kinds.size > 1 || kinds.has('unknown');
  };
  const found = new Set(expressionsIn(query).flatMap(conditionsOf).flatMap(expressionsIn).filter(mayDiffer));
  return found.size === 0
    ? query
    : changeExpressions(query, (value, original) => (found.has(original) ? make('[_1][0]', value, value) : value));
};

/** The conditions in which an order must not be false instead of null. */
const conditionsOf = (value: Expression): readonly Expression[] => {
  if (value.kind === 'binary') return value.operator === 'XOR' ? [value] : [];
  const where = value.kind === 'comprehension' || value.kind === 'quantifier' ? value.where : null;
  return where === null ? [] : [where];
};

/** Dates and times are stored as texts. */
const comparedKind = ({ kind }: ValueType): string =>
  kind === 'integer' || kind === 'float' ? 'number' : kind === 'other' ? 'text' : kind;
