import { aggregatesIn, isAggregate, operandsOf } from '../../cypher/aggregates';
import { name, variable } from '../../cypher/build';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { shape } from '../../cypher/scopes';
import { type Clause, type Expression, type ProjectionClause, type Query } from '../../cypher/tree';
import { changeExpressions, clausesIn } from '../../cypher/walk';

/**
 * A property in the same expression as an aggregate is null, also where it is a column. So the columns and the aggregates
 * are made by a WITH of their own, and combined after it.
 */
export const groupedValues: Quirk = {
  id: 'falkordb-grouped-values',
  description: 'A property that is combined with an aggregate is null.',
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
  clause.items.some(({ value }) => aggregatesIn(value).length > 0 && hasProperty(value)) &&
  !clause.items.some(({ value }) => value.kind === 'star');

/** Whether a property stands beside the aggregates of an expression. */
const hasProperty = (value: Expression): boolean =>
  !isAggregate(value) && (value.kind === 'property' || operandsOf(value).some(hasProperty));

const inTwo = (clause: ProjectionClause, { text, newName }: QuirkContext): readonly Clause[] => {
  const { start, end } = clause;
  const values = [...clause.items, ...clause.orderBy].map(({ value }) => value);
  const groups = clause.items.map(({ value }) => value).filter((value) => aggregatesIn(value).length === 0);
  const named = new Map<string, { readonly value: Expression; readonly called: string }>();
  for (const value of [...groups, ...values.flatMap(aggregatesIn)]) {
    if (!named.has(shape(value))) named.set(shape(value), { value, called: newName() });
  }
  const byName = (value: Expression): Expression => {
    const found = named.get(shape(value));
    return found === undefined ? value : variable(found.called, value);
  };
  // The aggregates first: what is inside of them stays.
  const combined = <P>(part: P): P =>
    changeExpressions(
      changeExpressions(part, (value) => (isAggregate(value) ? byName(value) : value)),
      byName,
    );
  const items = clause.items.map((item) => ({
    ...item,
    value: combined(item.value),
    alias: item.alias ?? name(item.value.kind === 'variable' ? item.value.name : titleOf(text, item.value), item),
  }));
  const first: Clause = {
    kind: 'with',
    distinct: false,
    items: [...named.values()].map(({ value, called }) => ({ value, alias: name(called, value), start, end })),
    orderBy: [],
    skip: null,
    limit: null,
    where: null,
    start,
    end,
  };
  return [first, { ...clause, items, orderBy: combined(clause.orderBy), where: combined(clause.where) }];
};

/** The columns of all parts of a UNION need the same names. */
const titleOf = (text: string, { start, end }: Expression): string => text.slice(start, end).replaceAll('`', "'");
