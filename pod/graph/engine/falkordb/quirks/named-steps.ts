import { and, isNotNull, name, variable } from '../../cypher/build';
import { countingClauses } from '../../cypher/counting-clauses';
import { type Quirk } from '../../cypher/quirk';
import { scopesOf, UNLISTED } from '../../cypher/scopes';
import { type Clause, type MatchClause, type ProjectionClause } from '../../cypher/tree';
import { changeClauses, clausesIn } from '../../cypher/walk';

/**
 * Steps without a reference to their relationship are products of boolean matrices, where parallel edges, and several
 * nodes between the same two, become one row. So each relationship gets a name and a condition that refers to it, unless
 * the result cannot show how often a row occurs. `*` is listed then, because it would include those names.
 *
 * An OPTIONAL MATCH of several steps always gets them: otherwise names of its first steps keep their values where its
 * last step finds nothing.
 */
export const namedSteps: Quirk = {
  id: 'falkordb-parallel-edges',
  description: 'Parallel edges count once in a step whose relationship the query does not use.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (a)-[:E]->(b)',
    query: 'MATCH (:N)-[:E]->(:N) RETURN count(*)',
    right: [[2]],
    wrong: [[1]],
  },
  rewrite: (query, { newName }) => {
    const counting = countingClauses(query);
    const needed = new Set([...clausesIn(query)].filter((clause) => needsNames(clause, counting.has(clause))));
    if (needed.size === 0) return query;
    const before = scopesOf(query).before;
    const stars = new Map([...before].map(([clause, scope]) => [clause.start, [...scope.keys()]]));
    const names = new Set([...needed].map(({ start }) => start));
    return changeClauses(query, (clause) => {
      if (clause.kind === 'match') return names.has(clause.start) ? withNames(clause, newName) : clause;
      if (clause.kind !== 'with' && clause.kind !== 'return') return clause;
      return withListedStar(clause, stars.get(clause.start) ?? []);
    });
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

/** The engine sorts the columns of `*` by name. */
const withListedStar = (clause: ProjectionClause, names: readonly string[]): ProjectionClause => {
  // A procedure without YIELD makes no names in this engine.
  const sorted = names
    .filter((text) => text !== UNLISTED)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const items = clause.items.flatMap((item) =>
    item.value.kind === 'star' && item.value.of === null
      ? sorted.map((text) => ({ ...item, value: variable(text, item) }))
      : [item],
  );
  return { ...clause, items };
};
