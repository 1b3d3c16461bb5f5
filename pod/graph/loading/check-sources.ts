import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type InstanceMapping } from '../../../adapters/contracts/graph-pod/instance-mapping';
import { type DuckdbSession } from '../duckdb/duckdb-session';
import { type GraphProperty, type GraphSchema } from '../engine/graph-schema';
import { type CheckedEdges, checkEdges, type CheckedTable, checkNodes, createKeyTable } from './check-source';
import { type Defect, reportDefects } from './defect';
import { describeEdges, describeNodes, type EdgeSource, type NodeSource } from './source-table';
import { type StorableValues } from './special-values';
import { type StoredColumn } from './stored-column';

/** A definition with valid data. */
export interface CheckedSource<S> extends Omit<CheckedTable, 'defects'> {
  readonly name: string;
  readonly source: S;
}

type CheckedEdgeSource = CheckedSource<EdgeSource> & Pick<CheckedEdges, 'hasLoops'>;

export interface CheckedSources {
  readonly nodes: readonly CheckedSource<NodeSource>[];
  readonly edges: readonly CheckedEdgeSource[];
}

/** Checks all definitions and returns all their defects. `files` by `nodes/<label>`, `edges/<type>`. */
export const checkSources = async (
  session: DuckdbSession,
  mapping: InstanceMapping,
  files: ReadonlyMap<string, readonly string[]>,
  storable: StorableValues,
): Promise<Either<string, CheckedSources>> => {
  const defects: Defect[] = [];
  const nodes: CheckedSource<NodeSource>[] = [];
  const edges: CheckedEdgeSource[] = [];

  for (const definition of mapping.node_definitions) {
    const described = await describeNodes(session, definition, files.get(`nodes/${definition.label}`) ?? []);
    if (isLeft(described)) {
      defects.push(...described.left);
      continue;
    }
    await createKeyTable(session, described.right);
    const checked = await checkNodes(session, described.right, storable);
    defects.push(...checked.defects);
    nodes.push({ name: definition.label, source: described.right, ...checked });
  }
  for (const definition of mapping.edge_definitions) {
    const from = nodes.find(({ name }) => name === definition.from_node)?.source;
    const to = nodes.find(({ name }) => name === definition.to_node)?.source;
    if (from === undefined || to === undefined) continue;
    const keyTypes = { from: from.key.declaredType, to: to.key.declaredType };
    const described = await describeEdges(session, definition, files.get(`edges/${definition.type}`) ?? [], keyTypes);
    if (isLeft(described)) {
      defects.push(...described.left);
      continue;
    }
    const checked = await checkEdges(session, described.right, { from, to }, storable);
    defects.push(...checked.defects);
    edges.push({ name: definition.type, source: described.right, ...checked });
  }
  if (defects.length > 0) return left(reportDefects(defects));
  return right({ nodes, edges });
};

/** The graph schema of the checked definitions. */
export const graphSchema = ({ nodes, edges }: CheckedSources): GraphSchema => ({
  nodeTables: nodes.map((checked) => ({
    label: checked.name,
    primaryKey: graphProperty(checked, checked.source.key),
    properties: checked.source.columns.slice(1).map((column) => graphProperty(checked, column)),
  })),
  edgeTables: edges.map((checked) => ({
    type: checked.name,
    fromNode: checked.source.definition.from_node,
    toNode: checked.source.definition.to_node,
    hasLoops: checked.hasLoops,
    properties: checked.source.columns.slice(2).map((column) => graphProperty(checked, column)),
  })),
});

const graphProperty = (
  { wholeMilliseconds, specialValues }: CheckedSource<NodeSource | EdgeSource>,
  { name, declaredType, type }: StoredColumn,
): GraphProperty => {
  const holds = specialValues.filter((special) => special.name === name).map(({ value }) => value);
  const property = { name, declaredType, type, wholeMilliseconds: wholeMilliseconds.has(name) };
  return holds.length === 0 ? property : { ...property, holds };
};
