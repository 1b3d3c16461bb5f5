import { type Expression, type Query } from './tree';
import { changeExpressions } from './walk';

/** Values in place of parameters, by their names. */
export type Literals = ReadonlyMap<string, Expression>;

export const withLiterals = (query: Query, literals: Literals): Query =>
  literals.size === 0
    ? query
    : changeExpressions(query, (value) => (value.kind === 'parameter' ? (literals.get(value.name) ?? value) : value));
