import { type Expression, type MatchClause, type PathPattern, type Query, type Span } from './tree';
import { projection } from './build';

/**
 * A pattern in an expression as a subquery with the same value: EXISTS, COUNT inside of `size(…)`, COLLECT for a
 * comprehension. Any other expression as it is. `condition`: of a pattern.
 */
export const subqueryOf = (value: Expression, condition: Expression | null = null): Expression => {
  const { start, end } = value;
  if (value.kind === 'pattern') {
    return { kind: 'subquery', word: 'EXISTS', query: matching([value.path], condition, value), start, end };
  }
  if (value.kind === 'pattern_comprehension') {
    const { parts } = matching([value.path], value.where, value);
    const result = projection('return', [[value.value, 'value']], value);
    return {
      kind: 'subquery',
      word: 'COLLECT',
      query: { parts: parts.map((clauses) => [...clauses, result]), unions: [] },
      start,
      end,
    };
  }
  const [only] = value.kind === 'call' ? value.arguments : [];
  if (value.kind !== 'call' || only?.kind !== 'subquery' || only.word !== 'EXISTS') return value;
  const word = value.name.toUpperCase();
  if (word === 'EXISTS') return only;
  return word === 'SIZE' ? { ...only, word: 'COUNT' } : value;
};

const matching = (paths: readonly PathPattern[], where: Expression | null, { start, end }: Span): Query => {
  const match: MatchClause = { kind: 'match', optional: false, paths, where, hint: null, start, end };
  return { parts: [[match]], unions: [] };
};
