import { and, type Columns, isNotNull, itself, name, number, projection, variable } from '../../cypher/build';
import { type Cure } from '../../cypher/cure';
import { type Names, namesAfter } from '../../cypher/names-after';
import { QueryFault } from '../../cypher/query-fault';
import { make } from '../../cypher/template';
import {
  type Clause,
  type Expression,
  type MatchClause,
  type Name,
  type NodePattern,
  type PathPattern,
  type StepPattern,
} from '../../cypher/tree';
import { clausesIn, namesIn } from '../../cypher/walk';
import { expandClauses } from '../clauses/expand-clauses';

/**
 * The engine supports `shortestPath` as a value, along the arrow, and `allShortestPaths` between nodes named by a WITH.
 */
export const shortestPaths: Cure = (query, { newName }) => {
  if (!clausesIn(query).some(hasShortest)) return query;
  return expandClauses(query, (clause, before) => (hasShortest(clause) ? searched(clause, before, newName) : [clause]));
};

const hasShortest = (clause: Clause): clause is MatchClause => clause.kind === 'match' && clause.paths.some(isShortest);
const isShortest = ({ shortest }: PathPattern): boolean => shortest !== null;

/** A search for a path between two named nodes. */
interface Search {
  readonly path: PathPattern & { readonly name: Name };
  readonly ends: readonly (NodePattern & { readonly name: Name })[];
  readonly step: StepPattern;
}

const searched = (clause: MatchClause, before: Names, newName: () => string): readonly Clause[] => {
  const search = searchOf(clause, newName);
  const isKnown = search.ends.every(
    (node) => node.labels === null && node.properties === null && before.includes(node.name.text),
  );
  const others = clause.paths.filter((path) => !isShortest(path));
  if (clause.optional && (!isKnown || others.length > 0)) {
    throw new QueryFault('Find both ends by a MATCH before the OPTIONAL MATCH of a shortest path.', clause.start);
  }
  const paths = [...others, ...(isKnown ? [] : search.ends.map((node) => alone(node, search.path)))];
  const first: MatchClause = { ...clause, optional: false, paths };
  const names = namesAfter(first, before);
  const all = projection('with', itself(names, clause), clause);
  const found = paths.length > 0 ? [first, all] : [{ ...all, where: clause.optional ? null : clause.where }];
  return [...found, ...pathBetween(search, names, clause)];
};

const searchOf = (clause: MatchClause, newName: () => string): Search => {
  const [path, ...more] = clause.paths.filter(isShortest);
  const [step, ...others] = path?.steps ?? [];
  if (path === undefined || step === undefined || more.length > 0 || others.length > 0) {
    throw new QueryFault('Write one shortest path of one step in each MATCH.', clause.start);
  }
  const { length, properties, where } = step;
  if (properties !== null || where !== null) {
    throw new QueryFault(
      'FalkorDB tests no condition in a shortest path; use * and all(r IN relationships(p) WHERE …).',
      step.start,
    );
  }
  if (length?.min?.kind === 'number' && Number(length.min.text) > 1) {
    throw new QueryFault('A shortest path has a length from 0 or 1: write *, or *..5.', length.start);
  }
  const named = { ...path, name: path.name ?? name(newName(), path) };
  const used = namesIn(clause.where);
  for (const found of [named.name, step.name]) {
    if (found !== null && used.has(found.text)) {
      throw new QueryFault(`Test ${found.text} after the search: WITH * WHERE ….`, clause.where?.start ?? clause.start);
    }
  }
  const ends = path.nodes.map((node) => ({ ...node, name: node.name ?? name(newName(), node) }));
  return { path: named, ends, step };
};

const alone = (node: NodePattern, path: PathPattern): PathPattern => ({
  ...path,
  name: null,
  shortest: null,
  nodes: [node],
  steps: [],
});

/** The clauses that search between named nodes. */
const pathBetween = ({ path, ends, step }: Search, names: Names, clause: MatchClause): readonly Clause[] => {
  const { start, end } = clause;
  const nodes = ends.map((node) => ({ ...node, labels: null, properties: null, where: null }));
  const between: PathPattern = { ...path, nodes, steps: [{ ...step, name: null }] };
  const found = variable(path.name.text, path.name);
  const all = itself(names, clause);
  const withAll = (...columns: Columns): Clause => projection('with', [...all, ...columns], clause);
  const rename: Clause[] = [];
  // Without a path, the row of an OPTIONAL MATCH remains.
  const condition = clause.optional ? clause.where : null;
  if (condition !== null && path.shortest === 'one')
    rename.push(withAll([make('CASE WHEN _1 THEN _2 END', clause, condition, found), found.name]));
  if (step.name !== null)
    rename.push(withAll([found, found.name], [make('relationships(_1)', step, found), step.name.text]));
  if (path.shortest === 'one' && step.direction === 'right') {
    const value: Expression = { kind: 'pattern', path: { ...between, name: null }, start, end };
    const where = clause.optional ? null : isNotNull(found);
    return [{ ...projection('with', [...all, [value, found.name]], clause), where }, ...rename];
  }
  if (step.length?.min?.kind === 'number' && Number(step.length.min.text) === 0)
    throw new QueryFault(
      'FalkorDB finds a path without steps only by shortestPath((a)-[*0..]->(b)); write * and test the nodes beside it.',
      step.length.start,
    );
  // The engine returns to the same node by allShortestPaths, but not by shortestPath.
  const [from, to] = ends.map((node) => variable(node.name.text, node));
  const differ = from === undefined || to === undefined ? null : make('_1 <> _2', path, from, to);
  const where = path.shortest === 'all' ? and(differ, condition) : differ;
  const search: MatchClause = { ...clause, paths: [{ ...between, shortest: 'all' }], where };
  if (path.shortest === 'all') return [search, ...rename];
  const result = clause.optional
    ? projection('return', [[make('collect(_1)[0]', path, found), found.name]], clause)
    : { ...projection('return', [[found, found.name]], clause), limit: number('1', clause) };
  const query = { parts: [[{ ...search, optional: false }, result]], unions: [] };
  const imports = [...new Set(ends.map((node) => node.name.text))].map((text) => name(text, clause));
  return [{ kind: 'call_query', imports, query, start, end }, ...rename];
};
