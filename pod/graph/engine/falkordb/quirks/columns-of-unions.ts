import { itemName } from '../../cypher/column-titles';
import { type Quirk } from '../../cypher/quirk';
import { shape } from '../../cypher/shape';
import { type Clause, type ProjectionClause, type ProjectionItem } from '../../cypher/tree';
import { changeClauses, isProjection, queriesIn } from '../../cypher/walk';

/** The parts of a UNION return their columns in the order of the first one. */
export const columnsOfUnions: Quirk = {
  id: 'falkordb-columns-of-unions',
  description: 'Parts of a UNION whose columns have another order are an error.',
  rewrite: (query) => {
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
  },
};

const inOrderOf = ({ items }: ProjectionClause, clause: ProjectionClause): ProjectionClause => {
  const titles = items.map(titleOf);
  const placeOf = (item: ProjectionItem): number => titles.indexOf(titleOf(item));
  return { ...clause, items: [...clause.items].sort((a, b) => placeOf(a) - placeOf(b)) };
};

const titleOf = (item: ProjectionItem): string => itemName(item) ?? shape(item.value);
