import { type Projection, type TableWriter } from './projection';

/**
 * The favorites of users. Reads join them with the resources, so that a favorite disappears in the transaction that
 * deletes the resource's row, regardless of the order of projections.
 */
export const favoritesProjection: Projection = {
  name: 'favorites',
  version: 2,
  tables: `
    CREATE TABLE favorites (
      username text NOT NULL,
      resource_type text NOT NULL,
      resource_id bigint NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (username, resource_type, resource_id)
    );
    CREATE INDEX ON favorites (resource_type, resource_id);`,
  exposes: ['favorites'],
  on: {
    FavoriteAdded: ({ data, metadata }, tables) =>
      tables.insert('favorites', {
        username: data.username,
        resource_type: data.resourceType,
        resource_id: data.resourceId,
        created_at: metadata.occurredAt,
      }),
    FavoriteRemoved: ({ data }, tables) =>
      tables.delete('favorites', {
        username: data.username,
        resource_type: data.resourceType,
        resource_id: data.resourceId,
      }),
    MappingDeleted: ({ data }, tables) => dropResource(tables, 'mapping', data.mappingId),
    SnapshotDeleted: ({ data }, tables) => dropResource(tables, 'snapshot', data.snapshotId),
    InstanceDeleted: ({ data }, tables) => dropResource(tables, 'instance', data.instanceId),
  },
};

const dropResource = (tables: TableWriter, resourceType: string, resourceId: number): Promise<void> =>
  tables.delete('favorites', { resource_type: resourceType, resource_id: resourceId });
