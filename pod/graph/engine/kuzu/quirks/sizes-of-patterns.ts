import { subquery } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { subqueryOf } from '../../cypher/subquery-of';
import { type Expression } from '../../cypher/tree';
import { changeExpressions } from '../../cypher/walk';

/** Patterns that are counted or listed become subqueries. */
export const sizesOfPatterns: Quirk = {
  id: 'kuzu-sizes-of-patterns',
  description: "size((n)-->()) returns 4 or 5, the length of 'True' or 'False'.",
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2})',
    query: 'MATCH (n:N {id: 1}) RETURN size((n)-[:E]->())',
    right: [[1]],
    wrong: [[4]],
  },
  rewrite: (query) =>
    changeExpressions(query, (value, original) => {
      if (value.kind === 'pattern_comprehension') return subqueryOf(value);
      const isSize = value.kind === 'call' && value.name.toUpperCase() === 'SIZE';
      return isSize && original.kind === 'call' ? countOf(value, value.arguments[0], original.arguments[0]) : value;
    }),
};

const countOf = (size: Expression, list: Expression | undefined, original: Expression | undefined): Expression => {
  const found = list?.kind === 'pattern' ? subqueryOf(list) : list;
  const [[match] = []] = found?.kind === 'subquery' ? found.query.parts : [];
  const isPattern = original?.kind === 'pattern' || original?.kind === 'pattern_comprehension';
  if (!isPattern || found?.kind !== 'subquery' || match === undefined) return size;
  return subquery('COUNT', [match], size);
};
