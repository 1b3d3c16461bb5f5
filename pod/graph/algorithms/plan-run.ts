import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fieldErrors } from '../../../domain/kernel/codecs';
import { domainError, invalidField, type DomainError } from '../../../domain/kernel/errors';
import { type InstanceMapping } from '../contract/instance-mapping';
import { type GraphProperty } from '../engine/graph-schema';
import { type LoadedGraph } from '../loading/load-graph';
import { type AlgorithmJob } from './algorithm-job';
import { type NativeAlgorithm, type NodeValuesRun } from './native-algorithms';

/** A request that has been checked against the graph. */
export interface PlannedRun {
  readonly run: NodeValuesRun;
  readonly property: GraphProperty;
  readonly nodes: AlgorithmJob['nodes'];
  readonly edges: AlgorithmJob['edges'];
}

/** Checks a request: its fields, the label, the edge types and the property the values go to. */
export const planRun = (
  algorithm: NativeAlgorithm,
  body: unknown,
  graph: LoadedGraph,
  mapping: InstanceMapping,
): Either<DomainError, PlannedRun> => {
  const decoded = algorithm.decode(body);
  if (isLeft(decoded)) {
    const errors = fieldErrors(decoded.left);
    const message = `${errors.map(({ field, message: words }) => `${field} ${words}`).join('; ')}.`;
    return left(domainError('VALIDATION_FAILED', message, { errors }));
  }
  const run = decoded.right;
  const property = targetProperty(algorithm, run, graph);
  if (isLeft(property)) return property;
  const edges = edgesBetween(run, graph, mapping);
  if (isLeft(edges)) return edges;
  return right({
    run,
    property: property.right,
    nodes: { files: filesOf(graph.nodes, run.nodeLabel), keyColumn: keyOf(graph, run.nodeLabel) },
    edges: edges.right,
  });
};

const targetProperty = (
  { resultType, resultTypeName }: NativeAlgorithm,
  { nodeLabel, propertyName }: NodeValuesRun,
  { schema }: LoadedGraph,
): Either<DomainError, GraphProperty> => {
  const table = schema.nodeTables.find(({ label }) => label === nodeLabel);
  if (table === undefined) {
    const known = schema.nodeTables.map(({ label }) => label).join(', ');
    return left(invalidField('node_label', `must be one of the labels of this graph: ${known}`));
  }
  const same = ({ name }: GraphProperty): boolean => name.toLowerCase() === propertyName.toLowerCase();
  if (same(table.primaryKey)) {
    return left(invalidField('property_name', `must not be ${table.primaryKey.name}, the primary key of ${nodeLabel}`));
  }
  const existing = table.properties.find(same);
  if (existing !== undefined && (existing.name !== propertyName || existing.declaredType !== resultTypeName)) {
    const words = `names the property ${existing.name} of type ${existing.declaredType}; the result is ${resultTypeName}`;
    return left(invalidField('property_name', `${words}, so choose another name`));
  }
  return right({ name: propertyName, declaredType: resultTypeName, type: resultType, wholeMilliseconds: false });
};

const edgesBetween = (
  { nodeLabel, edgeTypes }: NodeValuesRun,
  graph: LoadedGraph,
  { edge_definitions: definitions }: InstanceMapping,
): Either<DomainError, AlgorithmJob['edges']> => {
  const usable = definitions.filter(({ from_node, to_node }) => from_node === nodeLabel && to_node === nodeLabel);
  const unknown = (edgeTypes ?? []).find((wanted) => usable.every(({ type }) => type !== wanted));
  if (unknown !== undefined) {
    const known = usable.map(({ type }) => type).join(', ');
    return left(
      invalidField('edge_types', `has ${unknown}; the edge types that join ${nodeLabel} nodes are: ${known}`),
    );
  }
  const chosen = usable.filter(({ type }) => edgeTypes === null || edgeTypes.includes(type));
  return right(
    chosen.map(({ type, from_key, to_key }) => ({
      files: filesOf(graph.edges, type),
      fromColumn: from_key,
      toColumn: to_key,
    })),
  );
};

const filesOf = (tables: LoadedGraph['nodes'], name: string): readonly string[] =>
  tables.find((table) => table.name === name)?.files ?? [];

const keyOf = ({ schema }: LoadedGraph, label: string): string =>
  schema.nodeTables.find((table) => table.label === label)?.primaryKey.name ?? '';
