import { createRequire } from 'node:module';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type Graph from 'graphology';
import { DirectedGraph, UndirectedGraph } from 'graphology';
import { type KernelResult, type KernelRun, type WeightedEdge } from '../algorithm';
import { type CompactGraph, findEdge, weightOf } from '../graph/compact-graph';
import { numberedGroups } from '../graph/partition';
import { type LibraryFunction } from './library-function';

/** Runs a function of the graph library on a copy of the graph in the library's format. */
export const runLibraryFunction = (
  entry: LibraryFunction,
  compact: CompactGraph,
  parameters: Readonly<Record<string, unknown>>,
  run: KernelRun,
): Either<string, KernelResult> => {
  const callable = importFunction(entry.path);
  const graph = libraryGraph(compact);
  const call = (node: number | null): Either<string, unknown> => {
    const ends = { source: run.source, target: run.target, 'each node': node };
    const weight = compact.weights === null ? null : 'weight';
    const values = entry.arguments.map((argument): unknown => {
      if (argument === 'options') return { ...set(parameters), getEdgeWeight: weight };
      return argument === 'weight' ? (weight ?? (() => 1)) : String(ends[argument]);
    });
    try {
      return right(callable(graph, ...values));
    } catch (error) {
      return left(error instanceof Error ? error.message : String(error));
    }
  };
  if (!entry.arguments.includes('each node')) {
    const answer = call(null);
    return isLeft(answer) ? answer : asResult(answer.right, graph, compact, entry);
  }
  const values = new Float64Array(compact.nodeCount);
  for (let node = 0; node < values.length; node++) {
    const answer = call(node);
    if (isLeft(answer)) return answer;
    values[node] = Number(answer.right);
  }
  return right({ type: 'node_values', values });
};

/** The packages are dependencies of `graphology-library` and are resolved from its folder. */
const library = createRequire(require.resolve('graphology-library'));

const importFunction = (path: string): ((...values: readonly unknown[]) => unknown) => {
  const [module = '', name] = path.split('#');
  const loaded: unknown = library(module);
  // A test compares the table of functions with the installed packages.
  return (name === undefined ? loaded : Reflect.get(loaded as object, name)) as ReturnType<typeof importFunction>;
};

/** Without nulls, so that the library uses its own defaults. */
const set = (parameters: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null));

const libraryGraph = (compact: CompactGraph): Graph => {
  const graph = compact.directed ? new DirectedGraph() : new UndirectedGraph();
  for (let node = 0; node < compact.nodeCount; node++) graph.addNode(String(node));
  for (let node = 0; node < compact.nodeCount; node++) {
    for (let edge = compact.offsets[node] ?? 0; edge < (compact.offsets[node + 1] ?? 0); edge++) {
      const target = compact.targets[edge] ?? 0;
      if (compact.directed || node <= target)
        graph.addEdge(String(node), String(target), { weight: weightOf(compact, edge) });
    }
  }
  return graph;
};

const asResult = (
  answer: unknown,
  graph: Graph,
  compact: CompactGraph,
  entry: LibraryFunction,
): Either<string, KernelResult> => {
  const { nodeCount } = compact;
  const { name } = entry;
  if (typeof answer === 'number' || typeof answer === 'boolean') return right({ type: 'scalar', value: answer });
  if (answer === null || answer === undefined) return left('There is no path from source to target.');
  if (Array.isArray(answer)) return fromList(answer, compact, entry);
  if (typeof answer !== 'object') return unreadable(name);
  const entries = Object.entries(answer as Record<string, unknown>);
  if (entries.every(([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value))) {
    if (entries.length === 0) return right({ type: 'node_values', values: new Float64Array(0) });
    const maps = entries.map(([key, value]) => [key, perNode(value as object, nodeCount)] as const);
    return right({ type: 'node_maps', maps: Object.fromEntries(maps) });
  }
  if (!entries.every(([, value]) => typeof value === 'number')) return unreadable(name);
  if (!entries.every(([key]) => graph.hasEdge(key)) || entries.length === 0) {
    return right({ type: 'node_values', values: perNode(answer, nodeCount) });
  }
  const edges = entries.map(([key, value]): WeightedEdge => {
    const [source, target] = graph.extremities(key);
    return [Number(source), Number(target), Number(value)];
  });
  return right({ type: 'edges', edges });
};

const fromList = (
  list: readonly unknown[],
  compact: CompactGraph,
  { name, arguments: taken }: LibraryFunction,
): Either<string, KernelResult> => {
  const { nodeCount } = compact;
  if (list.every((item) => typeof item === 'string')) {
    const nodes = list.map(Number);
    if (!taken.includes('target')) return right({ type: 'order', nodes });
    const weights = nodes.slice(1).map((node, at) => weightOf(compact, findEdge(compact, nodes[at] ?? 0, node)));
    return right({ type: 'path', nodes, totalWeight: weights.reduce((sum, weight) => sum + weight, 0) });
  }
  if (!list.every(Array.isArray) || list.flat().length !== nodeCount) return unreadable(name);
  const labels = new Uint32Array(nodeCount);
  for (const [label, nodes] of list.entries()) for (const node of nodes as unknown[]) labels[Number(node)] = label;
  return right({ type: 'node_values', values: numberedGroups(labels) });
};

/** Nodes missing in the result have Infinity: distances to unreachable nodes. */
const perNode = (values: object, nodeCount: number): Float64Array => {
  const found = new Float64Array(nodeCount).fill(Infinity);
  for (const [node, value] of Object.entries(values)) found[Number(node)] = Number(value);
  return found;
};

const unreadable = (name: string): Either<string, never> =>
  left(`${name} answers something that is neither a number, a path, groups nor values per node or edge.`);
