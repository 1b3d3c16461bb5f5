import { itself, list, number, projection, unwind, variable } from '../../cypher/build';
import { make } from '../../cypher/template';
import { type Clause, type Span } from '../../cypher/tree';
import { type Names } from './expand-clauses';
import { called } from './lifted-subquery';

/**
 * The rows of clauses, or one with nulls, as an OPTIONAL MATCH, which has one pattern and one condition only. `before`
 * and `after`: the names before and after it.
 */
export const optionalRows = (
  clauses: readonly Clause[],
  [before, after]: readonly [before: Names, after: Names],
  place: Span,
  newName: () => string,
): readonly Clause[] => {
  const [rows, row] = [newName(), newName()];
  const added = after.filter((text) => !before.includes(text));
  const items = added.map((text) => variable(text, place));
  const all = make('collect(_1)', place, list(items, place));
  const values = added.map(
    (text, at) => [make('_1[_2]', place, variable(row, place), number(String(at), place)), text] as const,
  );
  return [
    called({ parts: [[...clauses, projection('return', [[all, rows]], place)]], unions: [] }, before, place),
    unwind(make('CASE WHEN size(_1) = 0 THEN [null] ELSE _1 END', place, variable(rows, place)), row, place),
    projection('with', [...itself(before, place), ...values], place),
  ];
};
