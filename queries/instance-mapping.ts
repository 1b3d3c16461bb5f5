import { type EdgeDefinition, type NodeDefinition } from '../domain/mapping';
import { type ReadDatabase } from './kit/database';

interface Row {
  readonly snapshot_id: number;
  readonly mapping_id: number;
  readonly mapping_version: number;
  readonly storage_path: string;
  readonly node_definitions: readonly NodeDefinition[];
  readonly edge_definitions: readonly EdgeDefinition[];
}

/** The mapping version of an instance, from which a pod loads its graph; null without instance or snapshot. */
export const findInstanceMapping = async (db: ReadDatabase, instanceId: number) => {
  const row = await db('instances as i')
    .join('snapshots as s', 's.id', 'i.snapshot_id')
    .join('mapping_versions as v', (on) =>
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
    ...row,
    node_definitions: row.node_definitions.map(({ sql: _sql, ...definition }) => definition),
    edge_definitions: row.edge_definitions.map(({ sql: _sql, ...definition }) => definition),
  };
};
