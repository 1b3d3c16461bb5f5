import { aggregatesIn, isAggregate } from '../../cypher/aggregates';
import { projection, variable } from '../../cypher/build';
import { withTitle } from '../../cypher/column-titles';
import { type Cure, type CureContext } from '../../cypher/cure';
import { shape } from '../../cypher/shape';
import { type Clause, type Expression, type ProjectionClause } from '../../cypher/tree';
import { changeClauseLists, changeExpressions, expressionsIn, isProjection, operandsOf } from '../../cypher/walk';

/**
 * A property in the same expression as an aggregate is null, even if it is a column. So a separate WITH computes the
 * columns and the aggregates, which are combined after it.
 */
export const groupedValues: Cure = (query, context) =>
  changeClauseLists(query, (clauses) =>
    clauses.flatMap((clause) => (isMixed(clause) ? inTwo(clause, context) : [clause])),
  );

const isMixed = (clause: Clause): clause is ProjectionClause =>
  isProjection(clause) &&
  (clause.items.some(({ value }) => aggregatesIn(value).length > 0 && (hasProperty(value) || isReduced(value))) ||
    clause.orderBy.some(({ value }) => aggregatesIn(value).length > 0 && !isItem(value, clause))) &&
  !clause.items.some(({ value }) => value.kind === 'star');

const isItem = (value: Expression, { items }: ProjectionClause): boolean =>
  items.some((item) => shape(item.value) === shape(value));

/** `reduce` does not contain aggregates, and neither do the items of a list comprehension. */
const isReduced = (value: Expression): boolean =>
  expressionsIn(value).some((inner) => 'list' in inner && aggregatesIn(inner).length > 0);

/** Whether an expression contains a property next to its aggregates. */
const hasProperty = (value: Expression): boolean =>
  !isAggregate(value) && (value.kind === 'property' || operandsOf(value).some(hasProperty));

const inTwo = (clause: ProjectionClause, { text, newName }: CureContext): readonly Clause[] => {
  const values = [...clause.items, ...clause.orderBy].map(({ value }) => value);
  const groups = clause.items.map(({ value }) => value).filter((value) => aggregatesIn(value).length === 0);
  const columns = new Map<string, readonly [value: Expression, name: string]>();
  for (const value of [...groups, ...values.flatMap(aggregatesIn)]) {
    if (!columns.has(shape(value))) columns.set(shape(value), [value, newName()]);
  }
  const byName = (value: Expression): Expression => {
    const [, name] = columns.get(shape(value)) ?? [];
    return name === undefined ? value : variable(name, value);
  };
  // Aggregates are replaced before the values inside them.
  const combined = <P>(part: P): P =>
    changeExpressions(
      changeExpressions(part, (value) => (isAggregate(value) ? byName(value) : value)),
      byName,
    );
  const items = clause.items.map((item) => ({ ...withTitle(item, text), value: combined(item.value) }));
  const first = projection('with', [...columns.values()], clause);
  return [first, { ...clause, items, orderBy: combined(clause.orderBy), where: combined(clause.where) }];
};
