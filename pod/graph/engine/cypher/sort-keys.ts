import { combinesRows } from './aggregates';
import { variable } from './build';
import { withTitle } from './column-titles';
import { shape } from './shape';
import { type Expression, type ProjectionClause } from './tree';

/**
 * Puts `first(value)` before each sort key for which `isChanged` holds. After rows are combined, ORDER BY finds the
 * values of the items only by their names. `text`: of the query.
 */
export const withFirstKeys = (
  clause: ProjectionClause,
  text: string,
  isChanged: (value: Expression) => boolean,
  first: (value: Expression) => Expression,
): ProjectionClause => {
  if (!clause.orderBy.some(({ value }) => isChanged(value))) return clause;
  const items = combinesRows(clause) ? clause.items.map((item) => withTitle(item, text)) : clause.items;
  const orderBy = clause.orderBy.flatMap((item) => {
    if (!isChanged(item.value)) return [item];
    const alias = items.find(({ value }) => shape(value) === shape(item.value))?.alias ?? null;
    const value = alias === null ? item.value : variable(alias.text, item);
    return [
      { ...item, value: first(value) },
      { ...item, value },
    ];
  });
  return { ...clause, items, orderBy };
};
