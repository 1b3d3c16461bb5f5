import { and, isNotNull, name, variable } from '../../cypher/build';
import { countingClauses } from '../../cypher/counting-clauses';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type MatchClause } from '../../cypher/tree';
import { changeMatches, clausesIn } from '../../cypher/walk';

/**
 * Steps without a reference to their relationship are products of boolean matrices, where parallel edges, and several
 * nodes between the same two, become one row. So each relationship gets a name and a condition that refers to it,
 * unless the result cannot show how often a row occurs.
 *
 * An OPTIONAL MATCH of several steps always gets them: otherwise names of its first steps keep their values when its
 * last step finds nothing.
 */
export const namedSteps: Quirk = {
  id: 'falkordb-parallel-edges',
  description: 'A relationship that the query does not use matches parallel edges only once.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (a)-[:E]->(b)',
    query: 'MATCH (:N)-[:E]->(:N) RETURN count(*)',
    right: [[2]],
    wrong: [[1]],
  },
  rewrite: (query, { newName }) => {
    const counting = countingClauses(query);
    const needed = new Set([...clausesIn(query)].filter((clause) => needsNames(clause, counting.has(clause))));
    return changeMatches(query, (clause, before) => (needed.has(before) ? withNames(clause, newName) : clause));
  },
};

const singleSteps = ({ paths }: MatchClause): readonly unknown[] =>
  paths
    .filter(({ shortest }) => shortest === null)
    .flatMap(({ steps }) => steps.filter(({ length }) => length === null));

const needsNames = (clause: Clause, counts: boolean): boolean => {
  if (clause.kind !== 'match') return false;
  const steps = singleSteps(clause).length;
  return (counts && steps > 0) || (clause.optional && steps > 1);
};

const withNames = (clause: MatchClause, newName: () => string): MatchClause => {
  const references: ReturnType<typeof isNotNull>[] = [];
  const paths = clause.paths.map((path) => {
    if (path.shortest !== null) return path;
    const steps = path.steps.map((step) => {
      if (step.length !== null) return step;
      const named = step.name ?? name(newName(), step);
      references.push(isNotNull(variable(named.text, named)));
      return { ...step, name: named };
    });
    return { ...path, steps };
  });
  return { ...clause, paths, where: and(clause.where, ...references) };
};
