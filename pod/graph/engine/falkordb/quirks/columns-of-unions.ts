import { itemName } from '../../cypher/column-titles';
import { shape } from '../../cypher/shape';
import { type Clause, type ProjectionClause, type ProjectionItem, type Query } from '../../cypher/tree';
import { changeClauses, isProjection, queriesIn } from '../../cypher/walk';

/** Parts of a UNION whose columns have another order are an error, so all return them in the order of the first one. */
export const columnsOfUnions = (query: Query): Query => {
  const firsts = new Map(
    queriesIn(query).flatMap(({ parts }): readonly (readonly [Clause | undefined, Clause | undefined])[] => {
      const [first, ...others] = parts.map((clauses) => clauses.at(-1));
      return others.map((last) => [last, first]);
    }),
  );
  return changeClauses(query, (clause, original) => {
    const first = firsts.get(original);
    return first !== undefined && isProjection(first) && isProjection(clause) ? inOrderOf(first, clause) : clause;
  });
};

const inOrderOf = ({ items }: ProjectionClause, clause: ProjectionClause): ProjectionClause => {
  const titles = items.map(titleOf);
  const placeOf = (item: ProjectionItem): number => titles.indexOf(titleOf(item));
  return { ...clause, items: [...clause.items].sort((a, b) => placeOf(a) - placeOf(b)) };
};

const titleOf = (item: ProjectionItem): string => itemName(item) ?? shape(item.value);
