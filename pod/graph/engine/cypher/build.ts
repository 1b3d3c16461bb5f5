import {
  type Binary,
  type Call,
  type Clause,
  type Comparison,
  type Expression,
  type ListLiteral,
  type Literal,
  type MatchClause,
  type Name,
  type NullTest,
  type NumberLiteral,
  type PathPattern,
  type ProjectionClause,
  type ProjectionItem,
  type PropertyAccess,
  type Span,
  type SubqueryExpression,
  type UnwindClause,
  type Variable,
} from './tree';

// Creates parts of a tree that the text does not contain. Each has the place of the part it is created for.

const at = ({ start, end }: Span): Span => ({ start, end });

export const name = (text: string, place: Span): Name => ({ text, ...at(place) });

export const variable = (text: string, place: Span): Variable => ({ kind: 'variable', name: text, ...at(place) });

export const literal = (value: Literal['value'], place: Span): Literal => ({ kind: 'literal', value, ...at(place) });

export const number = (text: string, place: Span): NumberLiteral => ({ kind: 'number', text, ...at(place) });

export const call = (called: string, values: readonly Expression[], place: Span): Call => ({
  kind: 'call',
  name: called,
  distinct: false,
  arguments: values,
  ...at(place),
});

export const property = (of: Expression, text: string, place: Span = of): PropertyAccess => ({
  kind: 'property',
  of,
  name: name(text, place),
  ...at(place),
});

export const list = (items: readonly Expression[], place: Span): ListLiteral => ({ kind: 'list', items, ...at(place) });

/** `*` as an item of a projection. */
export const allNames = (place: Span): ProjectionItem => ({
  value: { kind: 'star', ...at(place) },
  alias: null,
  ...at(place),
});

export const isNotNull = (of: Expression): NullTest => ({ kind: 'null_test', of, negated: true, ...at(of) });

/** The conjunction of all conditions; null without conditions. */
export const and = (...conditions: readonly (Expression | null)[]): Expression | null =>
  conditions.reduce<Expression | null>((all, next) => {
    if (all === null || next === null) return all ?? next;
    return { kind: 'binary', operator: 'AND', left: all, right: next, ...at(all) } satisfies Binary;
  }, null);

/** `a < b < c` as `a < b` and `b < c`. */
export const inPairs = (value: Comparison): readonly Comparison[] =>
  value.rest.map((next, at) => ({ ...value, first: value.rest[at - 1]?.right ?? value.first, rest: [next] }));

/** The conditions whose conjunction equals a condition. */
export const conditionsOf = (condition: Expression | null): readonly Expression[] => {
  if (condition === null) return [];
  if (condition.kind !== 'binary' || condition.operator !== 'AND') return [condition];
  return [...conditionsOf(condition.left), ...conditionsOf(condition.right)];
};

/** Values by their names. */
export type Columns = readonly (readonly [value: Expression, alias: string])[];

/** Names as columns of the same name. */
export const itself = (names: Iterable<string>, place: Span): Columns =>
  [...names].map((text) => [variable(text, place), text]);

/** A WITH or RETURN of named values. */
export const projection = (kind: ProjectionClause['kind'], values: Columns, place: Span): ProjectionClause => ({
  kind,
  distinct: false,
  items: values.map(([value, alias]) => ({
    value,
    alias: value.kind === 'variable' && value.name === alias ? null : name(alias, place),
    ...at(place),
  })),
  orderBy: [],
  skip: null,
  limit: null,
  where: null,
  ...at(place),
});

export const unwind = (list: Expression, called: string, place: Span): UnwindClause => ({
  kind: 'unwind',
  list,
  name: name(called, place),
  ...at(place),
});

/** A MATCH of paths. */
export const matching = (paths: readonly PathPattern[], where: Expression | null, place: Span): MatchClause => ({
  kind: 'match',
  optional: false,
  paths,
  where,
  ...at(place),
});

export const subquery = (
  word: SubqueryExpression['word'],
  clauses: readonly Clause[],
  place: Span,
): SubqueryExpression => ({ kind: 'subquery', word, query: { parts: [clauses], unions: [] }, ...at(place) });

/** Creates names that a query does not contain; they begin with underscores and `first`. */
export const freshNames = (text: string, first = '_r'): (() => string) => {
  let prefix = first;
  while (text.includes(prefix)) prefix = `_${prefix}`;
  let made = 0;
  return () => `${prefix}${++made}`;
};

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
