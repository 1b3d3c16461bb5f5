import { type EventOf, type Projection, type TableWriter } from './projection';

export const mappingsProjection: Projection = {
  name: 'mappings',
  version: 3,
  tables: `
    CREATE TABLE mappings (
      id bigint PRIMARY KEY,
      owner_username text NOT NULL,
      name text NOT NULL,
      description text NOT NULL,
      current_version integer NOT NULL,
      ttl text,
      inactivity_timeout text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE TABLE mapping_versions (
      mapping_id bigint NOT NULL,
      version integer NOT NULL,
      change_description text,
      node_definitions jsonb NOT NULL,
      edge_definitions jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      created_by text NOT NULL,
      created_by_name text NOT NULL,
      PRIMARY KEY (mapping_id, version)
    );`,
  indexes: `
    CREATE INDEX ON mappings (created_at, id);
    CREATE INDEX ON mappings (owner_username, created_at, id);
    CREATE INDEX ON mappings (name, id);
    CREATE INDEX ON mappings (current_version, id);
    SELECT es.index_text('mappings', 'name'), es.index_text('mappings', 'description');`,
  exposes: ['mappings', 'mapping_versions'],
  on: {
    MappingCreated: async ({ data, metadata }, tables) => {
      const at = metadata.occurredAt;
      await tables.insert('mappings', {
        id: data.mappingId,
        owner_username: data.ownerUsername,
        name: data.name,
        description: data.description,
        current_version: 1,
        ttl: data.ttl,
        inactivity_timeout: data.inactivityTimeout,
        created_at: at,
        updated_at: at,
      });
      const { ownerUsername: createdBy, ownerName: createdByName } = data;
      const first = { version: 1, changeDescription: null, createdBy, createdByName };
      await insertVersion(tables, { ...data, ...first }, at);
    },
    MappingVersionCreated: async ({ data, metadata }, tables) => {
      const at = metadata.occurredAt;
      await tables.update('mappings', data.mappingId, { current_version: data.version, updated_at: at });
      await insertVersion(tables, data, at);
    },
    MappingHeaderChanged: ({ data, metadata }, tables) =>
      tables.update('mappings', data.mappingId, {
        name: data.name,
        description: data.description,
        updated_at: metadata.occurredAt,
      }),
    MappingLifecycleChanged: ({ data, metadata }, tables) =>
      tables.update('mappings', data.mappingId, {
        ttl: data.ttl,
        inactivity_timeout: data.inactivityTimeout,
        updated_at: metadata.occurredAt,
      }),
    MappingDeleted: async ({ data }, tables) => {
      await tables.delete('mappings', { id: data.mappingId });
      await tables.delete('mapping_versions', { mapping_id: data.mappingId });
    },
  },
};

type Version = Pick<
  EventOf<'MappingVersionCreated'>['data'],
  'mappingId' | 'version' | 'nodeDefinitions' | 'edgeDefinitions' | 'createdBy' | 'createdByName'
> & { readonly changeDescription: string | null };

const insertVersion = (tables: TableWriter, data: Version, createdAt: string): Promise<void> =>
  tables.insert('mapping_versions', {
    mapping_id: data.mappingId,
    version: data.version,
    change_description: data.changeDescription,
    node_definitions: data.nodeDefinitions,
    edge_definitions: data.edgeDefinitions,
    created_at: createdAt,
    created_by: data.createdBy,
    created_by_name: data.createdByName,
  });
