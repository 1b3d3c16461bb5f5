import { type EdgeDefinition, type NodeDefinition } from '../domain/mapping';
import { type ReadDatabase, toNumber } from './kit/database';

/** What a pod needs to load its graph. */
export interface InstanceMappingView {
  readonly snapshot_id: number;
  readonly mapping_id: number;
  readonly mapping_version: number;
  readonly storage_path: string;
  readonly node_definitions: readonly Omit<NodeDefinition, 'sql'>[];
  readonly edge_definitions: readonly Omit<EdgeDefinition, 'sql'>[];
}

interface Row {
  readonly snapshot_id: string;
  readonly mapping_id: string;
  readonly mapping_version: number;
  readonly storage_path: string;
  readonly node_definitions: readonly NodeDefinition[];
  readonly edge_definitions: readonly EdgeDefinition[];
}

/** The definitions of the version the instance was made for; null for an unknown instance or one without snapshot. */
export const findInstanceMapping = async (
  db: ReadDatabase,
  instanceId: number,
): Promise<InstanceMappingView | null> => {
  const row = await db('read.instances as i')
    .join('read.snapshots as s', 's.id', 'i.snapshot_id')
    .join('read.mapping_versions as v', (on) =>
      on.on('v.mapping_id', 'i.mapping_id').andOn('v.version', 'i.mapping_version'),
    )
    .where('i.id', instanceId)
    .first<Row | undefined>(
      'i.snapshot_id',
      'i.mapping_id',
      'i.mapping_version',
      's.storage_path',
      'v.node_definitions',
      'v.edge_definitions',
    );
  if (row === undefined) return null;
  return {
    snapshot_id: toNumber(row.snapshot_id),
    mapping_id: toNumber(row.mapping_id),
    mapping_version: row.mapping_version,
    storage_path: row.storage_path,
    node_definitions: row.node_definitions.map(({ sql: _sql, ...definition }) => definition),
    edge_definitions: row.edge_definitions.map(({ sql: _sql, ...definition }) => definition),
  };
};
