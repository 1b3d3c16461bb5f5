import { type Quirk } from '../../cypher/quirk';
import { type Expression } from '../../cypher/tree';
import {
  differentIds,
  type NamedStep,
  withDifferentRelationships,
} from '../../cypher/uniqueness/different-relationships';

export const repeatedRelationships: Quirk = {
  id: 'falkordb-repeated-relationships',
  description: 'A relationship may occur several times in one MATCH.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(m:M {id: 2}), (:N {id: 3})-[:E]->(m)',
    query: 'MATCH (a:N)-[:E]->(:M)<-[:E]-(b:N) RETURN a.id, b.id ORDER BY a.id, b.id',
    right: [
      [1, 3],
      [3, 1],
    ],
    wrong: [
      [1, 1],
      [1, 3],
      [3, 1],
      [3, 3],
    ],
  },
  rewrite: (query, context) =>
    context.walks ? query : withDifferentRelationships(query, context, { difference: differenceOf, order: 'sorted' }),
};

/** Steps of several lengths are paths in the engine; they are written out, or carry a warning. */
const differenceOf = (first: NamedStep, second: NamedStep): Expression | null =>
  (first.length ?? second.length) === null ? differentIds(first, second) : null;
