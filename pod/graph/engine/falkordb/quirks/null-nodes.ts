import { allNames, and, isNotNull, list, number, projection, unwind, variable } from '../../cypher/build';
import { type Cure } from '../../cypher/cure';
import { type Names } from '../../cypher/names-after';
import { make } from '../../cypher/template';
import { type Clause, type MatchClause, type ProjectionClause, type Query } from '../../cypher/tree';
import { changeClauseLists, changeExpressions } from '../../cypher/walk';
import { expandClauses } from '../clauses/expand-clauses';

/** A node that an earlier clause bound matches (n) even if it is null. */
export const nullNodes: Cure = (query) =>
  expandClauses(query, (clause, before) => [clause.kind === 'match' ? withPresentNodes(clause, before) : clause]);

const withPresentNodes = (clause: MatchClause, before: Names): MatchClause => {
  const bound = clause.paths.flatMap(({ nodes: [node], steps }) => {
    const isBound = steps.length === 0 && node?.name != null && before.includes(node.name.text);
    return isBound ? [isNotNull(variable(node.name.text, node))] : [];
  });
  return bound.length === 0 ? clause : { ...clause, where: and(...bound, clause.where) };
};

/** MATCH after OPTIONAL MATCH is an error; after a `CALL { … UNION … }` its condition is lost, or an error. */
export const matchesAfterOthers: Cure = (query) =>
  separated(query, (before, match) => {
    const sinceWith = before.slice(before.findLastIndex(({ kind }) => kind === 'with') + 1);
    return sinceWith.some((clause) =>
      clause.kind === 'match'
        ? clause.optional && !match.optional
        : clause.kind === 'call_query' && clause.query.parts.length > 1,
    );
  });

/** A query with `WITH *` before some MATCH clauses. */
const separated = (query: Query, isNeeded: (before: readonly Clause[], match: MatchClause) => boolean): Query =>
  changeClauseLists(query, (clauses) =>
    clauses.flatMap((clause, at) => {
      if (clause.kind !== 'match' || !isNeeded(clauses.slice(0, at), clause)) return [clause];
      return [{ ...projection('with', [], clause), items: [allNames(clause)] }, clause];
    }),
  );

/** Behind an OPTIONAL MATCH at the beginning, the condition of a WITH keeps a row whose nodes are null. */
export const optionalAtBeginning: Cure = (query, { newName }) =>
  changeClauseLists(query, (clauses) => {
    const [first] = clauses;
    if (first?.kind !== 'match' || !first.optional) return clauses;
    return [unwind(list([number('1', first)], first), newName(), first), ...clauses];
  });

/** A node that WITH computes, as head(collect(n)), is an error in the next MATCH. */
export const computedNodes: Cure = (query) =>
  separated(query, (clauses, match) => {
    const before = clauses.at(-1);
    return before?.kind === 'with' && bindsComputed(match, before);
  });

const bindsComputed = ({ paths }: MatchClause, { items }: ProjectionClause): boolean => {
  const computed = items.flatMap(({ value, alias }) => (value.kind === 'variable' ? [] : [alias?.text]));
  return paths.some(({ nodes }) => nodes.some(({ name }) => name !== null && computed.includes(name.text)));
};

/** A map projection of null is a map of nulls. */
export const nullMaps: Cure = (query) =>
  changeExpressions(query, (value) =>
    value.kind === 'map_projection'
      ? make('CASE WHEN _1 IS NOT NULL THEN _2 END', value, variable(value.of.text, value.of), value)
      : value,
  );
