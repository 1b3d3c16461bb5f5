import { engineOfKind, type Kind } from '../../support/engine-of-kind';
import { type LoadedEngine, loadedEngine, scratchDirectory } from '../../support/loaded-engine';
import { createSnapshot, mappingOf } from '../../support/snapshot';

/** Nodes by label, edges by type: the ends are keys of nodes. */
export interface Multigraph {
  readonly nodes: readonly { readonly id: number; readonly label: string }[];
  readonly edges: readonly { readonly type: string; readonly from: number; readonly to: number; readonly w: number }[];
}

/** Loads a graph whose edges of one type all lead from one label to one label. */
export const loadMultigraph = async (kind: Kind, { nodes, edges }: Multigraph): Promise<LoadedEngine> => {
  const snapshot = await createSnapshot();
  const labelOf = new Map(nodes.map(({ id, label }) => [id, label]));
  const labels = [...new Set(nodes.map(({ label }) => label))];
  const types = [...new Set(edges.map(({ type }) => type))];
  for (const label of labels) {
    const rows = nodes.filter((node) => node.label === label).map(({ id }) => `(${id}::BIGINT)`);
    await snapshot.export(`nodes/${label}`, `SELECT * FROM (VALUES ${rows.join(', ')}) AS t(id)`);
  }
  for (const type of types) {
    const rows = edges
      .filter((edge) => edge.type === type)
      .map(({ from, to, w }) => `(${from}::BIGINT, ${to}::BIGINT, ${w}::BIGINT)`);
    await snapshot.export(`edges/${type}`, `SELECT * FROM (VALUES ${rows.join(', ')}) AS t(s, d, w)`);
  }
  const mapping = mappingOf(snapshot, {
    node_definitions: labels.map((label) => ({ label, primary_key: { name: 'id', type: 'INT64' }, properties: [] })),
    edge_definitions: types.map((type) => {
      const { from = 0, to = 0 } = edges.find((edge) => edge.type === type) ?? {};
      return {
        type,
        from_node: labelOf.get(from) ?? '',
        to_node: labelOf.get(to) ?? '',
        from_key: 's',
        to_key: 'd',
        properties: [{ name: 'w', type: 'INT64' }],
      };
    }),
  });
  const directory = await scratchDirectory();
  const loaded = await loadedEngine(engineOfKind(kind, directory), mapping, snapshot, directory);
  await snapshot.remove();
  return loaded;
};
