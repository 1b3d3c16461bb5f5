import { aggregatesIn, isAggregate, operandsOf } from '../../cypher/aggregates';
import { projection } from '../../cypher/build';
import { byNames } from '../../cypher/by-names';
import { withTitle } from '../../cypher/column-titles';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { shape } from '../../cypher/shape';
import { type Clause, type Expression, type ProjectionClause, type Query } from '../../cypher/tree';
import { clausesIn, expressionsIn } from '../../cypher/walk';

/**
 * A property in the same expression as an aggregate is null, even if it is a column. So a separate WITH computes the
 * columns and the aggregates, which are combined after it.
 */
export const groupedValues: Quirk = {
  id: 'falkordb-grouped-values',
  description: 'A property in an expression with an aggregate is null.',
  shown: {
    graph: 'CREATE (:N {id: 1, size: 2}), (:N {id: 2, size: 2})',
    query: 'MATCH (n:N) RETURN n.size, count(*) + n.size',
    right: [[2, 4]],
    wrong: [[2, null]],
  },
  rewrite: (query, context) => ([...clausesIn(query)].some(isMixed) ? split(query, context) : query),
};

const split = (query: Query, context: QuirkContext): Query => ({
  ...query,
  parts: query.parts.map((clauses) => clauses.flatMap((clause) => splitClause(clause, context))),
});

const splitClause = (clause: Clause, context: QuirkContext): readonly Clause[] => {
  if (clause.kind === 'call_query') return [{ ...clause, query: split(clause.query, context) }];
  return isMixed(clause) ? inTwo(clause, context) : [clause];
};

const isMixed = (clause: Clause): clause is ProjectionClause =>
  (clause.kind === 'with' || clause.kind === 'return') &&
  (clause.items.some(({ value }) => aggregatesIn(value).length > 0 && (hasProperty(value) || isReduced(value))) ||
    clause.orderBy.some(({ value }) => aggregatesIn(value).length > 0 && !isItem(value, clause))) &&
  !clause.items.some(({ value }) => value.kind === 'star');

const isItem = (value: Expression, { items }: ProjectionClause): boolean =>
  items.some((item) => shape(item.value) === shape(value));

/** `reduce` does not contain aggregates, and neither do the items of a list comprehension. */
const isReduced = (value: Expression): boolean =>
  [...expressionsIn(value)].some((inner) => 'list' in inner && aggregatesIn(inner).length > 0);

/** Whether an expression contains a property next to its aggregates. */
const hasProperty = (value: Expression): boolean =>
  !isAggregate(value) && (value.kind === 'property' || operandsOf(value).some(hasProperty));

const inTwo = (clause: ProjectionClause, { text, newName }: QuirkContext): readonly Clause[] => {
  const values = [...clause.items, ...clause.orderBy].map(({ value }) => value);
  const groups = clause.items.map(({ value }) => value).filter((value) => aggregatesIn(value).length === 0);
  const named = new Map<string, { readonly value: Expression; readonly called: string }>();
  for (const value of [...groups, ...values.flatMap(aggregatesIn)]) {
    if (!named.has(shape(value))) named.set(shape(value), { value, called: newName() });
  }
  const combined = byNames(named);
  const items = clause.items.map((item) => ({ ...withTitle(item, text), value: combined(item.value) }));
  const first = projection(
    'with',
    [...named.values()].map(({ value, called }) => [value, called]),
    clause,
  );
  return [first, { ...clause, items, orderBy: combined(clause.orderBy), where: combined(clause.where) }];
};
