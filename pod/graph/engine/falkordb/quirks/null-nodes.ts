import { allNames, and, isNotNull, itself, list, number, projection, unwind, variable } from '../../cypher/build';
import { type Cure } from '../../cypher/cure';
import { type Names } from '../../cypher/names-after';
import { make } from '../../cypher/template';
import { type Clause, type MatchClause, type PathPattern, type ProjectionClause, type Query } from '../../cypher/tree';
import { changeClauseLists, changeExpressions } from '../../cypher/walk';
import { expandClauses } from '../clauses/expand-clauses';
import { optionalRows } from '../clauses/lifted-subquery';
import { labelTest } from './matched-parts';

/**
 * A node that an earlier clause bound matches (n) even if it is null, several of them are an error, and OPTIONAL MATCH
 * finds the path of one whatever its condition.
 */
export const boundNodes: Cure = (query, { newName }) =>
  expandClauses(query, (clause, before, after) => {
    if (clause.kind !== 'match') return [clause];
    const changed = withConditions(clause, before);
    const isPath = clause.optional && clause.paths.some(({ name, steps }) => name !== null && steps.length === 0);
    if (!isPath) return changed;
    const rows = changed.map((each) => (each.kind === 'match' ? { ...each, optional: false } : each));
    return optionalRows(rows, [before, after], clause, newName);
  });

/** Whether a path is one of the nodes with these names. */
export const isBoundNode = ({ nodes: [node], steps }: PathPattern, names: Names): boolean =>
  steps.length === 0 && node?.name != null && names.includes(node.name.text);

/** A MATCH with conditions in place of the nodes that are bound, or only the conditions. */
const withConditions = (clause: MatchClause, before: Names): readonly Clause[] => {
  const bound = clause.paths.flatMap((path) => {
    const [node] = path.nodes;
    if (node?.name == null || !isBoundNode(path, before)) return [];
    const value = variable(node.name.text, node);
    return [{ path, conditions: [isNotNull(value), node.labels === null ? null : labelTest(value, node.labels)] }];
  });
  const removed = new Set(bound.flatMap(({ path }) => (path.name === null ? [path] : [])));
  const where = and(...bound.flatMap(({ conditions }) => conditions), clause.where);
  const paths = clause.paths.filter((path) => !removed.has(path));
  if (paths.length > 0) return [{ ...clause, paths, where }];
  return clause.optional ? [] : [{ ...projection('with', itself(before, clause), clause), where }];
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
