import { allNames, and, isNotNull, projection, variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type MatchClause } from '../../cypher/tree';
import { changeClauseLists } from '../../cypher/walk';
import { expandClauses, type Names } from '../clauses/expand-clauses';

export const nullNodes: Quirk = {
  id: 'falkordb-null-nodes',
  description: 'A node that an earlier clause bound matches (n) even if it is null.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) OPTIONAL MATCH (n)-[:E]->(m) WITH n, m MATCH (m), (k:N) RETURN n.id, m.id, k.id ORDER BY k.id',
    right: [
      [1, 2, 1],
      [1, 2, 2],
    ],
    wrong: [
      [1, 2, 1],
      [2, null, 1],
      [1, 2, 2],
      [2, null, 2],
    ],
  },
  rewrite: (query) =>
    expandClauses(query, (clause, before) => [clause.kind === 'match' ? withPresentNodes(clause, before) : clause]),
};

const withPresentNodes = (clause: MatchClause, before: Names): MatchClause => {
  const bound = clause.paths.flatMap(({ nodes: [node], steps }) => {
    const isBound = steps.length === 0 && node?.name != null && before.includes(node.name.text);
    return isBound ? [isNotNull(variable(node.name.text, node))] : [];
  });
  return bound.length === 0 ? clause : { ...clause, where: and(...bound, clause.where) };
};

export const matchesAfterOptional: Quirk = {
  id: 'falkordb-match-after-optional',
  description: 'MATCH after OPTIONAL MATCH is an error.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) OPTIONAL MATCH (n)-[:E]->(m) MATCH (m) RETURN n.id, m.id',
    right: [[1, 2]],
    wrong: 'error',
  },
  rewrite: (query) =>
    changeClauseLists(query, (clauses) =>
      clauses.flatMap((clause, at) =>
        isMatch(clause, false) && isMatch(clauses[at - 1], true)
          ? [{ ...projection('with', [], clause), items: [allNames(clause)] }, clause]
          : [clause],
      ),
    ),
};

const isMatch = (clause: Clause | undefined, optional: boolean): boolean =>
  clause?.kind === 'match' && clause.optional === optional;
