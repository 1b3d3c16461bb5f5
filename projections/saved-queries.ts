import { type Projection } from './projection';

/** The saved queries of users, until they or the mapping are deleted. Reads join the mappings, as for favorites. */
export const savedQueriesProjection: Projection = {
  name: 'saved_queries',
  version: 1,
  tables: `
    CREATE TABLE saved_queries (
      username text NOT NULL,
      mapping_id bigint NOT NULL,
      name text NOT NULL,
      query text NOT NULL,
      parameters text NOT NULL,
      drawing text,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (username, mapping_id, name)
    );
    CREATE INDEX ON saved_queries (mapping_id);`,
  exposes: ['saved_queries'],
  on: {
    QuerySaved: ({ data, metadata }, tables) =>
      tables.sql(
        `INSERT INTO saved_queries (username, mapping_id, name, query, parameters, drawing, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (username, mapping_id, name)
         DO UPDATE SET query = $4, parameters = $5, drawing = $6, updated_at = $7`,
        [data.username, data.mappingId, data.name, data.query, data.parameters, data.drawing, metadata.occurredAt],
      ),
    SavedQueryDeleted: ({ data }, tables) =>
      tables.delete('saved_queries', { username: data.username, mapping_id: data.mappingId, name: data.name }),
    MappingDeleted: ({ data }, tables) => tables.delete('saved_queries', { mapping_id: data.mappingId }),
  },
};
