import { matching, projection, subquery } from './build';
import { type Expression } from './tree';

/**
 * A pattern in an expression as a subquery with the same value: EXISTS, or COLLECT for a comprehension. Other
 * expressions are returned unchanged. `condition`: of a pattern.
 */
export const subqueryOf = (value: Expression, condition: Expression | null = null): Expression => {
  if (value.kind === 'pattern') return subquery('EXISTS', [matching([value.path], condition, value)], value);
  if (value.kind !== 'pattern_comprehension') return value;
  const match = matching([value.path], value.where, value);
  return subquery('COLLECT', [match, projection('return', [[value.value, 'value']], value)], value);
};
