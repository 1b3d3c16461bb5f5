import { allNames, and, isNotNull, projection, variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type MatchClause, type ProjectionClause } from '../../cypher/tree';
import { changeClauseLists } from '../../cypher/walk';
import { expandClauses, type Names } from '../clauses/expand-clauses';

export const nullNodes: Quirk = {
  id: 'falkordb-null-nodes',
  description: 'A node that an earlier clause bound matches (n) even if it is null.',
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

export const computedNodes: Quirk = {
  id: 'falkordb-computed-nodes',
  description: 'A node that WITH computes, as head(collect(n)), is an error in the next MATCH.',
  rewrite: (query) =>
    changeClauseLists(query, (clauses) =>
      clauses.flatMap((clause, at) => {
        const next = clauses[at + 1];
        const isComputed = clause.kind === 'with' && next?.kind === 'match' && bindsComputed(next, clause);
        return isComputed ? [clause, { ...projection('with', [], clause), items: [allNames(clause)] }] : [clause];
      }),
    ),
};

const bindsComputed = ({ paths }: MatchClause, { items }: ProjectionClause): boolean => {
  const computed = items.flatMap(({ value, alias }) => (value.kind === 'variable' ? [] : [alias?.text]));
  return paths.some(({ nodes }) => nodes.some(({ name }) => name !== null && computed.includes(name.text)));
};
