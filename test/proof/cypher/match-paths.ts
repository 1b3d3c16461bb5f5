import { conditionsOf } from '../../../pod/graph/engine/cypher/build';
import { namesOfPaths } from '../../../pod/graph/engine/cypher/steps';
import {
  type Expression,
  type MatchClause,
  type NodePattern,
  type PathPattern,
  type PatternComprehension,
  type PatternExpression,
  type StepPattern,
} from '../../../pod/graph/engine/cypher/tree';
import { expressionsIn, namesIn } from '../../../pod/graph/engine/cypher/walk';
import { equal } from '../../../pod/graph/engine/evaluate/comparison';
import { type Context, type Row, truthOf, valueOf } from '../../../pod/graph/engine/evaluate/context';
import { fail } from '../../../pod/graph/engine/evaluate/evaluation-fault';
import {
  type Graph,
  GraphNode,
  GraphPath,
  type GraphRelationship,
  isList,
  isMap,
  kindOf,
  type Value,
} from '../../../pod/graph/engine/evaluate/values';

/** The context in which patterns are matched, besides the values of a row. */
interface GraphContext extends Context {
  readonly graph: Graph;
  /** Whether a relationship may match several times in one MATCH. */
  readonly walks: boolean;
}

/** A partial match of the paths of one MATCH. */
interface Found {
  readonly row: Row;
  /** The used relationships: no other step of the MATCH can use them. */
  readonly used: ReadonlySet<GraphRelationship>;
  /** Conditions that need the names of all paths. */
  readonly later: readonly ((row: Row) => boolean)[];
  /** The path so far. */
  readonly nodes: readonly GraphNode[];
  readonly relationships: readonly GraphRelationship[];
}

/** The rows after a MATCH. */
export const matchedRows = (
  { paths, where, optional }: MatchClause,
  row: Row,
  context: GraphContext,
): readonly Row[] => {
  const found = matchPaths(paths, row, context, where).filter(
    (each) => where === null || truthOf(where, each, context) === true,
  );
  if (found.length > 0 || !optional) return found;
  const missing = namesOfPaths(paths).flatMap((text) => (row.has(text) ? [] : [[text, null] as const]));
  return [new Map<string, Value>([...row, ...missing])];
};

/** The value of a pattern: a condition, a shortest path, or the values of its matches. */
export const patternValue = (
  value: PatternExpression | PatternComprehension,
  row: Row,
  context: GraphContext,
): Value => {
  const { path } = value;
  if (value.kind === 'pattern_comprehension') {
    const { where } = value;
    return matchPaths([path], row, context)
      .filter((each) => where === null || truthOf(where, each, context) === true)
      .map((each) => valueOf(value.value, each, context));
  }
  if (path.shortest === null) return matchPaths([path], row, context).length > 0;
  const name = { text: ' path', start: path.start, end: path.end };
  return matchPaths([{ ...path, name }], row, context)[0]?.get(name.text) ?? null;
};

/** For each match of the paths, the row with the names that the match binds. */
const matchPaths = (
  paths: readonly PathPattern[],
  row: Row,
  context: GraphContext,
  where: Expression | null = null,
): readonly Row[] => {
  let found: readonly Found[] = [{ row, used: new Set(), later: [], nodes: [], relationships: [] }];
  for (const path of paths) found = found.flatMap((before) => pathsAfter(before, path, context, where));
  return found.flatMap((each) => (each.later.every((holds) => holds(each.row)) ? [each.row] : []));
};

const pathsAfter = (
  before: Found,
  path: PathPattern,
  context: GraphContext,
  where: Expression | null,
): readonly Found[] => {
  const [first, ...others] = path.nodes;
  if (first === undefined) return [];
  let found: readonly Found[] = candidates(first, before.row, context).flatMap((node) =>
    withNode({ ...before, nodes: [], relationships: [] }, first, node, context),
  );
  for (const [at, node] of others.entries()) {
    const step = path.steps[at];
    if (step !== undefined) found = found.flatMap((each) => stepsAfter(each, step, node, context));
  }
  const { name, shortest } = path;
  const named =
    name === null
      ? found
      : found.map((each) => ({
          ...each,
          row: bound(each.row, name.text, new GraphPath(each.nodes, each.relationships)),
        }));
  if (shortest === null) return named;
  const names = [name, ...path.steps.map((step) => step.name)].flatMap((each) => each?.text ?? []);
  const conditions = conditionsOf(where).filter((condition) => names.some((each) => namesIn(condition).has(each)));
  const isPossible = ({ row }: Found): boolean =>
    conditions.every((condition) => truthOf(condition, row, context) === true);
  // As in Neo4j, there is none from a node back to itself, but the one without steps.
  const isBetween = ({ nodes, relationships }: Found): boolean =>
    relationships.length === 0 || nodes[0] !== nodes.at(-1);
  return shortestOf(named.filter(isBetween).filter(isPossible), shortest);
};

const bound = (row: Row, name: string, value: Value): Row => new Map(row).set(name, value);

const candidates = ({ name }: NodePattern, row: Row, { graph }: GraphContext): readonly GraphNode[] => {
  const value = name === null ? undefined : row.get(name.text);
  if (value === undefined) return graph.nodes;
  if (value === null) return [];
  return value instanceof GraphNode ? [value] : fail(`${kindOf(value)} as a node`);
};

const withNode = (before: Found, pattern: NodePattern, node: GraphNode, context: GraphContext): readonly Found[] => {
  context.step();
  const { name, labels, properties, where } = pattern;
  if (labels !== null) {
    const has = labels.names.map(({ text }) => node.labels.includes(text));
    if (labels.of === 'all' ? has.includes(false) : !has.includes(true)) return [];
  }
  if (name !== null && before.row.has(name.text) && before.row.get(name.text) !== node) return [];
  const row = name === null ? before.row : bound(before.row, name.text, node);
  return withConditions({ ...before, row, nodes: [...before.nodes, node] }, [node], { properties, where }, context);
};

interface Conditions {
  readonly properties: Expression | null;
  readonly where: Expression | null;
}

/** Checks the properties immediately if they are the same for all rows. */
const withConditions = (
  found: Found,
  entities: readonly (GraphNode | GraphRelationship)[],
  { properties, where }: Conditions,
  context: GraphContext,
): readonly Found[] => {
  const later = [...found.later];
  if (where !== null) later.push((row) => truthOf(where, row, context) === true);
  if (properties === null) return [{ ...found, later }];
  const holds = (row: Row): boolean =>
    entities.every((entity) => hasProperties(entity, valueOf(properties, row, context)));
  if ([...expressionsIn(properties)].some(({ kind }) => kind === 'variable'))
    return [{ ...found, later: [...later, holds] }];
  return holds(found.row) ? [{ ...found, later }] : [];
};

const hasProperties = (entity: GraphNode | GraphRelationship, wanted: Value): boolean =>
  isMap(wanted)
    ? [...wanted].every(([key, value]) => equal(entity.properties.get(key) ?? null, value) === true)
    : fail(`${kindOf(wanted)} as properties`);

const stepsAfter = (before: Found, step: StepPattern, node: NodePattern, context: GraphContext): readonly Found[] => {
  const { name } = step;
  const given = name === null ? undefined : before.row.get(name.text);
  if (given === null) return [];
  return trails(before, step, context).flatMap(({ relationships, nodes }) => {
    const value = step.length === null ? (relationships[0] ?? null) : relationships;
    if (given !== undefined && !isSame(given, value)) return [];
    const end = nodes.at(-1);
    if (end === undefined) return [];
    const next = {
      ...before,
      row: name === null ? before.row : bound(before.row, name.text, value),
      used: new Set([...before.used, ...relationships]),
      nodes: [...before.nodes, ...nodes.slice(1, -1)],
      relationships: [...before.relationships, ...relationships],
    };
    // A trail without steps ends at the last node of the path.
    const path = nodes.length === 1 ? { ...next, nodes: before.nodes.slice(0, -1) } : next;
    return withConditions(path, relationships, step, context).flatMap((each) => withNode(each, node, end, context));
  });
};

const isSame = (given: Value, value: Value): boolean =>
  isList(given) && isList(value)
    ? given.length === value.length && given.every((item, at) => item === value[at])
    : given === value;

type Trail = Pick<Found, 'nodes' | 'relationships'>;

/** The possible steps from the last node. */
const trails = (before: Found, step: StepPattern, context: GraphContext): readonly Trail[] => {
  const start = before.nodes.at(-1);
  if (start === undefined) return [];
  const [least, most] = boundsOf(step, before.row, context);
  const found: Trail[] = [];
  let ends: readonly Trail[] = [{ nodes: [start], relationships: [] }];
  for (let length = 0; length <= most && ends.length > 0; length++) {
    if (length >= least) found.push(...ends);
    ends = ends.flatMap((trail) => longer(trail, before.used, step, context));
  }
  return found;
};

const boundsOf = ({ length }: StepPattern, row: Row, context: GraphContext): readonly [number, number] => {
  if (length === null) return [1, 1];
  const bound = (part: Expression | null, otherwise: number): number =>
    part === null ? otherwise : Number(valueOf(part, row, context));
  return [bound(length.min, 1), bound(length.max, Infinity)];
};

const longer = (
  { nodes, relationships }: Trail,
  used: ReadonlySet<GraphRelationship>,
  { types, direction }: StepPattern,
  context: GraphContext,
): readonly Trail[] => {
  const last = nodes.at(-1);
  return (last === undefined ? [] : relationshipsOf(context.graph, last)).flatMap((next) => {
    context.step();
    if (types.length > 0 && !types.some(({ text }) => text === next.type)) return [];
    if (!context.walks && (used.has(next) || relationships.includes(next))) return [];
    // A loop is one relationship, whatever its direction.
    const ends = new Set<GraphNode>();
    if (direction !== 'left' && next.start === last) ends.add(next.end);
    if (direction !== 'right' && next.end === last) ends.add(next.start);
    return [...ends].map((end) => ({ nodes: [...nodes, end], relationships: [...relationships, next] }));
  });
};

const indexes = new WeakMap<Graph, ReadonlyMap<GraphNode, readonly GraphRelationship[]>>();

const relationshipsOf = (graph: Graph, node: GraphNode): readonly GraphRelationship[] => {
  const index = indexes.get(graph) ?? indexOf(graph);
  indexes.set(graph, index);
  return index.get(node) ?? [];
};

const indexOf = (graph: Graph): ReadonlyMap<GraphNode, readonly GraphRelationship[]> => {
  const index = new Map<GraphNode, GraphRelationship[]>(graph.nodes.map((node) => [node, []]));
  for (const relationship of graph.relationships)
    for (const node of new Set([relationship.start, relationship.end])) index.get(node)?.push(relationship);
  return index;
};

/** For each pair of ends, the path with the fewest relationships, or all of these. */
const shortestOf = (found: readonly Found[], which: 'one' | 'all'): readonly Found[] => {
  const best = new Map<string, Found[]>();
  for (const each of found) {
    const ends = `${each.nodes[0]?.id}-${each.nodes.at(-1)?.id}`;
    const before = best.get(ends) ?? [];
    const difference = each.relationships.length - (before[0]?.relationships.length ?? Infinity);
    if (difference < 0) best.set(ends, [each]);
    else if (difference === 0 && which === 'all') before.push(each);
  }
  return [...best.values()].flat();
};
