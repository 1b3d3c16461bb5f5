import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError, invalidField, type DomainError } from '../../../domain/kernel/errors';
import { type InstanceMapping } from '../../../adapters/contracts/graph-pod/instance-mapping';
import { scalar } from '../engine/column-type';
import { type GraphProperty, type NodeTable } from '../engine/graph-schema';
import { rowCountOf } from '../instance';
import { type LoadedGraph } from '../loading/load-graph';
import { type GraphSource } from './algorithm-job';
import { type ValueType } from './kernel';
import { type RunRequest } from './run-request';

/** A request that has been checked against the graph. */
export interface PlannedRun {
  readonly request: RunRequest;
  readonly graph: GraphSource;
  /** Where values are stored, in the order of `graph.nodes`; empty when the result is answered. */
  readonly targets: readonly { readonly label: string; readonly property: GraphProperty }[];
}

const NUMERIC = new Set(['INT64', 'INT32', 'INT16', 'INT8', 'DOUBLE', 'FLOAT']);

/** Checks the label, the edge types, the weight, the property the values go to, and the size. */
export const planRun = (
  request: RunRequest,
  graph: LoadedGraph,
  mapping: InstanceMapping,
): Either<DomainError, PlannedRun> => {
  const tables = graph.schema.nodeTables.filter(
    ({ label }) => request.nodeLabel === null || label === request.nodeLabel,
  );
  if (request.nodeLabel !== null && tables.length === 0) {
    const known = graph.schema.nodeTables.map(({ label }) => label).join(', ');
    return left(invalidField('node_label', `must be one of the labels of this graph: ${known}`));
  }
  const edges = edgesBetween(tables, request, graph, mapping);
  if (isLeft(edges)) return edges;
  const targets = targetsOf(tables, request);
  if (isLeft(targets)) return targets;
  const tooLarge = sizeRefusal(request, graph, tables, edges.right);
  if (tooLarge !== null) return left(tooLarge);
  const nodes = tables.map(({ label, primaryKey }) => ({
    label,
    files: filesOf(graph.nodes, label),
    keyColumn: primaryKey.name,
  }));
  return right({
    request,
    graph: { directed: request.directed, nodes, edges: edges.right.map(({ source }) => source) },
    targets: targets.right,
  });
};

interface PlannedEdges {
  readonly type: string;
  readonly source: GraphSource['edges'][number];
}

const edgesBetween = (
  tables: readonly NodeTable[],
  { edgeTypes, weightProperty }: RunRequest,
  graph: LoadedGraph,
  { edge_definitions: definitions }: InstanceMapping,
): Either<DomainError, readonly PlannedEdges[]> => {
  const place = (label: string): number => tables.findIndex((table) => table.label === label);
  const usable = definitions.filter(({ from_node, to_node }) => place(from_node) >= 0 && place(to_node) >= 0);
  const unknown = (edgeTypes ?? []).find((wanted) => usable.every(({ type }) => type !== wanted));
  if (unknown !== undefined) {
    const known = usable.map(({ type }) => type).join(', ') || 'none';
    return left(invalidField('edge_types', `has ${unknown}; the edge types that join these nodes are: ${known}`));
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
      type,
      source: {
        files: filesOf(graph.edges, type),
        fromColumn: from_key,
        toColumn: to_key,
        from: place(from_node),
        to: place(to_node),
        weightColumn: weightProperty !== null && numeric(type).includes(weightProperty) ? weightProperty : null,
      },
    })),
  );
};

const targetsOf = (
  tables: readonly NodeTable[],
  { entry, propertyName }: RunRequest,
): Either<DomainError, PlannedRun['targets']> => {
  if (propertyName === null || entry.valueType === null) return right([]);
  const property = resultProperty(propertyName, entry.valueType);
  for (const table of tables) {
    const refusal = propertyRefusal(table, property);
    if (refusal !== null) return left(refusal);
  }
  return right(tables.map(({ label }) => ({ label, property })));
};

export const resultProperty = (name: string, valueType: ValueType): GraphProperty => ({
  name,
  declaredType: valueType,
  type: scalar(valueType),
  wholeMilliseconds: false,
});

/** Why a result cannot be stored in a property of a label; `field` is what the request calls it. */
export const propertyRefusal = (
  { label, primaryKey, properties }: NodeTable,
  { name: wanted, declaredType }: GraphProperty,
  field = 'property_name',
): DomainError | null => {
  const same = ({ name }: GraphProperty): boolean => name.toLowerCase() === wanted.toLowerCase();
  if (same(primaryKey)) return invalidField(field, `must not be ${primaryKey.name}, the primary key of ${label}`);
  const existing = properties.find(same);
  if (existing === undefined || (existing.name === wanted && existing.declaredType === declaredType)) return null;
  const words = `names the property ${existing.name} of ${label}, of type ${existing.declaredType}; the result is ${declaredType}`;
  return invalidField(field, `${words}, so choose another name`);
};

const sizeRefusal = (
  { entry: { name, mostNodes, mostEdges } }: RunRequest,
  graph: LoadedGraph,
  tables: readonly NodeTable[],
  edges: readonly PlannedEdges[],
): DomainError | null => {
  const nodeCount = tables.reduce((sum, { label }) => sum + rowCountOf(graph.nodes, label), 0);
  const edgeCount = edges.reduce((sum, { type }) => sum + rowCountOf(graph.edges, type), 0);
  const refuse = (what: 'nodes' | 'edges', most: number, count: number): DomainError => {
    const message = `${name} takes at most ${most} ${what}, the chosen graph has ${count}; choose a node_label or edge_types, or another algorithm.`;
    const limit = what === 'nodes' ? { most_nodes: most, nodes: count } : { most_edges: most, edges: count };
    return domainError('VALIDATION_FAILED', message, { algorithm: name, ...limit });
  };
  if (mostNodes !== null && nodeCount > mostNodes) return refuse('nodes', mostNodes, nodeCount);
  return mostEdges !== null && edgeCount > mostEdges ? refuse('edges', mostEdges, edgeCount) : null;
};

const filesOf = (tables: LoadedGraph['nodes'], name: string): readonly string[] =>
  tables.find((table) => table.name === name)?.files ?? [];
