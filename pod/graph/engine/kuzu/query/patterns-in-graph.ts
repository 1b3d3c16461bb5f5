import { type GraphSchema, type EdgeTable } from '../../graph-schema';
import { type AnalysedQuery, type Refusal } from '../../query/analyse-query';
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
import { type PlacedToken, positionAt } from '../../query/cypher-tokens';
import { projectionOf } from '../../query/result-shape';

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

/** The labels a node can have, by its name. */
type Labels = ReadonlyMap<string, readonly string[]>;

/**
 * Why a query is rejected that has, in an optional pattern or a condition, a step its edge type does not have: KNOWS from
 * a city, where only people know each other. The engine would return the edges of other nodes.
 */
export const unmatchableStep = ({ text, query }: AnalysedQuery, schema: GraphSchema): Refusal | null => {
  for (const clauses of allParts(query)) {
    let labels: Labels = new Map();
    for (const clause of clauses) {
      const before = labels;
      labels = labelsAfter(clause, before, schema);
      const optional = clause.name === 'OPTIONAL MATCH' ? stepsOf(clause) : [];
      const inside = clause.subqueries.flatMap((subquery) => allClauses(subquery.query)).flatMap(stepsOf);
      const conditions = [...stepsInExpressions(clause.condition ?? []), ...inside];
      const reason = [
        ...optional.map((step) => [step, complaint(step, before, schema)] as const),
        ...conditions.map((step) => [step, complaint(step, labels, schema)] as const),
      ].find(([, message]) => message !== null);
      if (reason === undefined) continue;
      const [step, message] = reason;
      return { message: message ?? '', position: positionAt(text, step.tokens[0]?.start ?? 0) };
    }
  }
  return null;
};

const complaint = (step: Step, labels: Labels, { nodeTables, edgeTables }: GraphSchema): string | null => {
  const [type, other] = step.types;
  const table = edgeTables.find((edge) => edge.type === type);
  if (table === undefined || other !== undefined || step.direction === 'both' || step.length !== null) return null;
  for (const [node, label] of endsOf(step, table)) {
    const written = node.labels.filter((name) => nodeTables.some((known) => known.label === name));
    const possible = labels.get(plainName(node.variable ?? '')) ?? written;
    if (possible.length === 0 || possible.includes(label)) continue;
    return (
      `${node.variable ?? `(:${written.join('|')})`} is ${possible.join(' or ')}, and ${table.type} leads from ${table.fromNode} to ${table.toNode}: ` +
      'this pattern cannot match. Reverse the step, or omit it.'
    );
  }
  return null;
};

/** The nodes of a step with the labels an edge table has there. */
const endsOf = ({ left, right, direction }: Step, { fromNode, toNode }: EdgeTable): readonly [PatternNode, string][] =>
  direction === 'left'
    ? [
        [right, fromNode],
        [left, toNode],
      ]
    : [
        [left, fromNode],
        [right, toNode],
      ];

const labelsAfter = (clause: Clause, before: Labels, schema: GraphSchema): Labels => {
  if (clause.name === 'WITH') {
    const { items } = projectionOf(clause);
    const isStar = items.some(({ expression }) => expression[0]?.text === '*');
    const kept = items.flatMap(({ expression, name }) => {
      const possible = expression.length === 1 ? before.get(plainName(expression[0]?.text ?? '')) : undefined;
      return name === null || possible === undefined ? [] : [[plainName(name), possible] as const];
    });
    return new Map([...(isStar ? before : []), ...kept]);
  }
  const narrowed = isMatch(clause) ? narrowedBy(clause, before, schema) : before;
  // The labels in an OPTIONAL MATCH need not apply to nodes found before.
  return clause.name === 'OPTIONAL MATCH' ? new Map([...narrowed, ...before]) : narrowed;
};

/** Each node keeps the labels written with it, and those its steps have at their ends. */
const narrowedBy = ({ body }: Clause, before: Labels, { nodeTables, edgeTables }: GraphSchema): Labels => {
  const labels = new Map(before);
  const all = nodeTables.map(({ label }) => label);
  const narrow = ({ variable }: PatternNode, possible: readonly string[]): void => {
    if (variable === null) return;
    const known = labels.get(plainName(variable)) ?? all;
    labels.set(
      plainName(variable),
      known.filter((label) => possible.includes(label)),
    );
  };
  const paths = pathPatterns(body);
  for (const node of paths.flatMap(({ nodes }) => nodes)) {
    narrow(node, node.labels.some((label) => all.includes(label)) ? node.labels : all);
  }
  const canBe = ({ variable, labels: written }: PatternNode, label: string): boolean =>
    (labels.get(plainName(variable ?? '')) ?? (written.length > 0 ? written : [label])).includes(label);
  const steps = paths.flatMap((path) => path.steps).filter(({ length }) => length === null);
  for (const step of [...steps, ...steps]) {
    const ends = edgeTables
      .filter(({ type }) => step.types.length === 0 || step.types.includes(type))
      .flatMap((table) =>
        step.direction === 'both' ? [endsOf(step, table), endsOf(step, turned(table))] : [endsOf(step, table)],
      )
      .filter((pair) => pair.every(([node, label]) => canBe(node, label)));
    for (const node of [step.left, step.right]) {
      narrow(
        node,
        ends.flat().flatMap(([end, label]) => (end === node ? [label] : [])),
      );
    }
  }
  return labels;
};

const turned = (table: EdgeTable): EdgeTable => ({ ...table, fromNode: table.toNode, toNode: table.fromNode });
