import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type InstanceMapping } from '../../../adapters/contracts/graph-pod/instance-mapping';
import { type DomainError, domainError, invalidField } from '../../../domain/kernel/errors';
import { type GraphProperty, type NodeTable, scalar } from '../engine/graph-schema';
import { totalRows } from '../instance';
import { type LoadedGraph, type LoadedTable } from '../loading/load-graph';
import { type Algorithm, estimatedSeconds, type GraphSize } from './algorithm';
import { type GraphSource } from './algorithm-job';
import { type AlgorithmRequest } from './algorithm-request';

/** A request that was checked against the graph. */
export interface PlannedRun {
  readonly request: AlgorithmRequest;
  readonly graph: GraphSource;
  /** Labels of the nodes on which values are stored, in the order of `graph.nodes`. */
  readonly labels: readonly string[];
  /** The property that stores the values; null: values are not stored. */
  readonly property: GraphProperty | null;
  /** Null: unknown. */
  readonly estimatedSeconds: number | null;
}

type Refused = DomainError<'VALIDATION_FAILED'>;

const NUMERIC = new Set(['INT64', 'INT32', 'INT16', 'INT8', 'DOUBLE', 'FLOAT']);

/** Checks the labels, the edge types, the weight, the result property and the size. */
export const planRun = (
  request: AlgorithmRequest,
  graph: LoadedGraph,
  mapping: InstanceMapping,
): Either<Refused, PlannedRun> => {
  const { algorithm, nodeLabels, directed, fields } = request;
  if (nodeLabels?.length === 0) return left(invalidField(fields.label, 'must name a label; leave it out for all'));
  const known = graph.schema.nodeTables.map(({ label }) => label);
  const unknown = nodeLabels?.find((label) => !known.includes(label));
  if (unknown !== undefined) {
    return left(invalidField(fields.label, `has ${unknown}; labels of this graph: ${known.join(', ')}`));
  }
  const tables = graph.schema.nodeTables.filter(({ label }) => nodeLabels?.includes(label) ?? true);
  const edges = edgesBetween(tables, request, graph, mapping);
  if (isLeft(edges)) return edges;
  const property = propertyOf(request);
  const nodes = tables.map(({ label, primaryKey }) => ({
    ...rowsOf(graph.nodes, label),
    label,
    keyColumn: primaryKey.name,
  }));
  const size = { nodes: totalRows(nodes), edges: totalRows(edges.right) };
  const refusal =
    (property === null ? null : propertyRefusal(tables, property, fields.property)) ?? sizeRefusal(algorithm, size);
  if (refusal !== null) return left(refusal);
  return right({
    request,
    graph: { directed, parallel: algorithm.weights?.parallel ?? 'sum', nodes, edges: edges.right },
    labels: tables.map(({ label }) => label),
    property,
    estimatedSeconds: estimatedSeconds(algorithm, size, request.parameters),
  });
};

const edgesBetween = (
  tables: readonly NodeTable[],
  { edgeTypes, weightProperty, fields }: AlgorithmRequest,
  graph: LoadedGraph,
  { edge_definitions: definitions }: InstanceMapping,
): Either<Refused, GraphSource['edges']> => {
  const place = (label: string): number => tables.findIndex((table) => table.label === label);
  const usable = definitions.filter(({ from_node, to_node }) => place(from_node) >= 0 && place(to_node) >= 0);
  const unknown = (edgeTypes ?? []).find((wanted) => usable.every(({ type }) => type !== wanted));
  if (unknown !== undefined) {
    const known = usable.map(({ type }) => type).join(', ') || 'none';
    return left(invalidField(fields.types, `has ${unknown}; edge types that join these nodes: ${known}`));
  }
  const chosen = usable.filter(({ type }) => edgeTypes === null || edgeTypes.includes(type));
  const numeric = (type: string): readonly string[] =>
    graph.schema.edgeTables
      .filter((table) => table.type === type)
      .flatMap(({ properties }) => properties.filter(({ declaredType }) => NUMERIC.has(declaredType)))
      .map(({ name }) => name);
  if (weightProperty !== null && chosen.every(({ type }) => !numeric(type).includes(weightProperty))) {
    const known = [...new Set(chosen.flatMap(({ type }) => numeric(type)))].join(', ') || 'none';
    return left(invalidField('weight_property', `must be a numeric property of the chosen edges: ${known}`));
  }
  return right(
    chosen.map(({ type, from_key, to_key, from_node, to_node }) => ({
      ...rowsOf(graph.edges, type),
      fromColumn: from_key,
      toColumn: to_key,
      from: place(from_node),
      to: place(to_node),
      weightColumn: weightProperty !== null && numeric(type).includes(weightProperty) ? weightProperty : null,
    })),
  );
};

const propertyOf = ({ algorithm: { valueType }, propertyName, writeBack }: AlgorithmRequest): GraphProperty | null =>
  propertyName === null || valueType === null || !writeBack
    ? null
    : { name: propertyName, declaredType: valueType, type: scalar(valueType), wholeMilliseconds: false };

/** Why a result cannot be stored in a property of one of the labels. */
const propertyRefusal = (tables: readonly NodeTable[], wanted: GraphProperty, field: string): Refused | null => {
  const same = ({ name }: GraphProperty): boolean => name.toLowerCase() === wanted.name.toLowerCase();
  for (const { label, primaryKey, properties } of tables) {
    if (same(primaryKey)) return invalidField(field, `must not be ${primaryKey.name}, the primary key of ${label}`);
    const existing = properties.find(same);
    if (existing === undefined) continue;
    const { name, declaredType } = existing;
    if (name === wanted.name && declaredType === wanted.declaredType) continue;
    const conflict = `names the property ${name} of ${label}, of type ${declaredType}; the result is ${wanted.declaredType}`;
    return invalidField(field, `${conflict}; choose another name`);
  }
  return null;
};

const sizeRefusal = (
  { name, maxNodes, maxEdges }: Algorithm,
  { nodes: nodeCount, edges: edgeCount }: GraphSize,
): Refused | null => {
  const refuse = (what: 'nodes' | 'edges', most: number, count: number): Refused => {
    const message = `${name} takes at most ${most} ${what}, the chosen graph has ${count}; choose a node_label or edge_types, or another algorithm.`;
    const limit = what === 'nodes' ? { most_nodes: most, nodes: count } : { most_edges: most, edges: count };
    return domainError('VALIDATION_FAILED', message, { algorithm: name, ...limit });
  };
  if (maxNodes !== null && nodeCount > maxNodes) return refuse('nodes', maxNodes, nodeCount);
  return maxEdges !== null && edgeCount > maxEdges ? refuse('edges', maxEdges, edgeCount) : null;
};

const rowsOf = (tables: readonly LoadedTable[], name: string): Pick<LoadedTable, 'files' | 'rowCount'> => {
  const { files = [], rowCount = 0 } = tables.find((table) => table.name === name) ?? {};
  return { files, rowCount };
};
