import { insert, type Projection, type Sql } from './projection';

/**
 * What people have marked. Reads join it with the resources, so that a mark is gone in the very transaction that drops
 * the resource's row, whichever projection is first.
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
    FavoriteAdded: ({ data, metadata }, sql) =>
      insert(sql, 'favorites', {
        username: data.username,
        resource_type: data.resourceType,
        resource_id: data.resourceId,
        created_at: metadata.occurredAt,
      }),
    FavoriteRemoved: ({ data }, sql) =>
      sql('DELETE FROM favorites WHERE username = $1 AND resource_type = $2 AND resource_id = $3', [
        data.username,
        data.resourceType,
        data.resourceId,
      ]),
    MappingDeleted: ({ data }, sql) => dropResource(sql, 'mapping', data.mappingId),
    SnapshotDeleted: ({ data }, sql) => dropResource(sql, 'snapshot', data.snapshotId),
    InstanceDeleted: ({ data }, sql) => dropResource(sql, 'instance', data.instanceId),
  },
};

const dropResource = (sql: Sql, resourceType: string, resourceId: number): Promise<void> =>
  sql('DELETE FROM favorites WHERE resource_type = $1 AND resource_id = $2', [resourceType, resourceId]);
