import { itself, name, number, projection, variable } from '../../cypher/build';
import { withTitle } from '../../cypher/column-titles';
import { type Cure, type CureContext } from '../../cypher/cure';
import { shape } from '../../cypher/shape';
import { type Clause, type ProjectionClause } from '../../cypher/tree';
import { changeClauseLists, changeClauses, clausesIn, isProjection } from '../../cypher/walk';
import { MOST } from './great-positions';

/**
 * A RETURN does not sort by a name in backticks, as all are written, by which another clause sorted, and ends the server
 * in a subquery. A WITH sorts, so it computes the columns.
 */
export const sortedAgain: Cure = (query, context) =>
  clausesIn(query).filter(isSorted).length < 2
    ? query
    : changeClauseLists(query, (clauses) =>
        clauses.flatMap((clause) => (isSorted(clause) && clause.kind === 'return' ? inTwo(clause, context) : [clause])),
      );

const isSorted = (clause: Clause): clause is ProjectionClause =>
  isProjection(clause) && clause.orderBy.length > 0 && !clause.items.some(({ value }) => value.kind === 'star');

const inTwo = (clause: ProjectionClause, { text, newName }: CureContext): readonly Clause[] => {
  const names = new Set<string>();
  const items = clause.items.map((item) => {
    const { alias } = withTitle(item, text);
    const column = names.has(alias.text) ? name(newName(), item) : alias;
    names.add(column.text);
    return { ...item, alias: column };
  });
  // After rows are combined, ORDER BY finds the values of the items only by their names.
  const orderBy = clause.orderBy.map((item) => {
    const same = items.find(({ value }) => shape(value) === shape(item.value));
    return same === undefined ? item : { ...item, value: variable(same.alias.text, item) };
  });
  return [{ ...clause, kind: 'with', items, orderBy }, projection('return', itself(names, clause), clause)];
};

/**
 * A sort keeps as many rows as the LIMIT of a later clause, also of one outside of its subquery, although conditions,
 * steps or DISTINCT between them may drop some. So each has a LIMIT of its own.
 */
export const wholeSorts: Cure = (query) => {
  if (!clausesIn(query).some((clause) => isProjection(clause) && clause.limit !== null)) return query;
  return changeClauses(query, (clause) =>
    isProjection(clause) && clause.orderBy.length > 0 && clause.limit === null
      ? { ...clause, limit: number(String(MOST), clause) }
      : clause,
  );
};
