import { type GraphSchema } from '../../graph-schema';
import { type AnalysedQuery } from '../../query/analyse-query';
import { allClauses, allParts, isMatch, type Clause } from '../../query/clauses';
import {
  pathPatterns,
  plainName,
  stepsInExpressions,
  stepText,
  type PathPattern,
  type PatternNode,
  type Step,
} from '../../query/patterns';
import { type PlacedToken } from '../../query/word-roles';

/** One sentence for each pattern for which the engine may not count all walks of this graph, where that matters. */
export const walkWarnings = (
  { text, tokens, start, query, counting }: AnalysedQuery,
  { edgeTables }: GraphSchema,
): readonly string[] => {
  const isExplained = start > 0;
  if (isExplained) return [];
  const loops = edgeTables.filter(({ hasLoops }) => hasLoops).map(({ type }) => type);
  const warnings = allClauses(query).flatMap((clause) => [
    ...pathsOf(clause).flatMap(optionalPathWarning(clause)),
    ...optionalPartsWarning(clause),
    ...(counting.has(clause) ? stepsOf(clause) : []).flatMap((step) => loopWarnings(step, stepText(text, step), loops)),
    ...[...stepsOf(clause), ...stepsInExpressions(clause.condition ?? [])].flatMap((step) =>
      zeroWarnings(step, stepText(text, step)),
    ),
  ]);
  const circles = allParts(query).flatMap((clauses) =>
    stepsThatCloseCircles(namesEdges(clauses, tokens) ? clauses : clauses.filter((it) => counting.has(it))),
  );
  return [...new Set([...warnings, ...circles.map((step) => circleWarning(stepText(text, step)))])];
};

const pathsOf = (clause: Clause): readonly PathPattern[] => (isMatch(clause) ? pathPatterns(clause.body) : []);
const stepsOf = (clause: Clause): readonly Step[] => pathsOf(clause).flatMap(({ steps }) => steps);

const loopWarnings = ({ direction, types }: Step, pattern: string, loops: readonly string[]): readonly string[] => {
  const found = loops.filter((type) => types.length === 0 || types.includes(type));
  if (direction !== 'both' || found.length === 0) return [];
  return [
    `Kuzu finds a loop twice in ${pattern}, because it has no direction: ${found.join(', ')} has edges from a node to ` +
      'itself. Give it a direction, or count with DISTINCT.',
  ];
};

const zeroWarnings = ({ length }: Step, pattern: string): readonly string[] => {
  if (length === null || length.restricted || (length.min ?? 0) > 0) return [];
  return [
    `Kuzu may answer ${pattern} wrongly: with length 0 it finds only nodes of the labels its edges have, and counts ` +
      'walks that return to their first node more than once. Begin with length 1, and match the nodes separately.',
  ];
};

const circleWarning = (pattern: string): string =>
  `Kuzu may answer too few rows where edges are parallel, because ${pattern} closes a circle of steps. Match the ends ` +
  'first, keep them with WITH, and match this step in a separate MATCH.';

const optionalPathWarning =
  ({ name }: Clause) =>
  ({ variable }: PathPattern): readonly string[] =>
    variable === null || name !== 'OPTIONAL MATCH'
      ? []
      : [`Kuzu never makes ${variable} null, even if its OPTIONAL MATCH finds nothing; test one of its nodes instead.`];

/** Earlier matches are lost with the missing ones when several parts of a pattern are filtered together. */
const optionalPartsWarning = (clause: Clause): readonly string[] => {
  const isFiltered = clause.condition !== null || clause.body.some(({ text }) => text === '{');
  if (clause.name !== 'OPTIONAL MATCH' || !isFiltered || pathsOf(clause).length < 2) return [];
  return [
    'Kuzu may return null for values from before an OPTIONAL MATCH of several parts with a condition, if it finds ' +
      'nothing. Write a separate OPTIONAL MATCH for each part.',
  ];
};

/** Whether the query uses an edge of these patterns: then parallel edges differ even in distinct rows. */
const namesEdges = (clauses: readonly Clause[], tokens: readonly PlacedToken[]): boolean =>
  clauses.flatMap(stepsOf).some(({ variable }) => {
    if (variable === null) return false;
    return tokens.filter(({ text }) => plainName(text) === plainName(variable)).length > 1;
  });

/**
 * Steps between nodes that earlier steps connect already: then the engine joins all of them at once, and counts parallel
 * edges as one. It plans each MATCH with those before it, up to a WITH.
 */
const stepsThatCloseCircles = (clauses: readonly Clause[]): readonly Step[] => {
  let connected = new Map<Node, Node>();
  return clauses.flatMap((clause) => {
    if (clause.name === 'WITH') connected = new Map();
    const known = clause.name === 'OPTIONAL MATCH' ? new Map<Node, Node>() : connected;
    return stepsOf(clause).filter((step) => !connects(step, known));
  });
};

/** A node's name, or the node itself if it has none. */
type Node = string | PatternNode;

const connects = ({ left, right }: Step, connected: Map<Node, Node>): boolean => {
  const [from, to] = [left, right].map((node) => (node.variable === null ? node : plainName(node.variable)));
  if (from === undefined || to === undefined || from === to) return true;
  const rootOf = (node: Node): Node => {
    const next = connected.get(node);
    return next === undefined ? node : rootOf(next);
  };
  const isNew = rootOf(from) !== rootOf(to);
  if (isNew) connected.set(rootOf(from), rootOf(to));
  return isNew;
};
