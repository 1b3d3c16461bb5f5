import { matching, projection, subquery } from './build';
import { type Expression } from './tree';

/**
 * A pattern in an expression as a subquery with the same value: EXISTS, COUNT within `size(…)`, COLLECT for a
 * comprehension. Other expressions are returned unchanged. `condition`: of a pattern.
 */
export const subqueryOf = (value: Expression, condition: Expression | null = null): Expression => {
  if (value.kind === 'pattern') return subquery('EXISTS', [matching([value.path], condition, value)], value);
  if (value.kind === 'pattern_comprehension') {
    const match = matching([value.path], value.where, value);
    return subquery('COLLECT', [match, projection('return', [[value.value, 'value']], value)], value);
  }
  const [only] = value.kind === 'call' ? value.arguments : [];
  if (value.kind !== 'call' || only?.kind !== 'subquery' || only.word !== 'EXISTS') return value;
  const word = value.name.toUpperCase();
  if (word === 'EXISTS') return only;
  return word === 'SIZE' ? { ...only, word: 'COUNT' } : value;
};
