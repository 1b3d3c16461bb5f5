import { and } from './build';
import { QueryFault } from './query-fault';
import { type Expression, type MatchClause } from './tree';

/** A MATCH with the conditions of its nodes and relationships in its WHERE. */
export const withOuterConditions = (clause: MatchClause): MatchClause => {
  const steps = clause.paths.flatMap((path) => path.steps);
  const conditions = [...clause.paths.flatMap(({ nodes }) => nodes), ...steps].map(({ where }) => where);
  if (conditions.every((where) => where === null)) return clause;
  const long = steps.find(({ length, where }) => length !== null && where !== null);
  if (long !== undefined)
    throw new QueryFault(
      'No condition is possible at each of several steps: write all(r IN relationships(p) WHERE …).',
      long.start,
    );
  const without = <P extends { readonly where: Expression | null }>(part: P): P => ({ ...part, where: null });
  const paths = clause.paths.map((path) => ({
    ...path,
    nodes: path.nodes.map(without),
    steps: path.steps.map(without),
  }));
  return { ...clause, paths, where: and(...conditions, clause.where) };
};
