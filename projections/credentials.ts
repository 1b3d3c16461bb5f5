import { type Projection } from './projection';

export const apiKeysProjection: Projection = {
  name: 'api_keys',
  version: 1,
  tables: `
    CREATE TABLE api_keys (
      id text PRIMARY KEY,
      username text NOT NULL,
      name text NOT NULL,
      hash text NOT NULL,
      created_at timestamptz NOT NULL,
      created_by text NOT NULL,
      expires_at timestamptz
    );`,
  indexes: `
    CREATE INDEX ON api_keys (username, created_at, id);`,
  exposes: ['api_keys'],
  on: {
    ApiKeyCreated: ({ data, metadata }, tables) =>
      tables.insert('api_keys', {
        id: data.keyId,
        username: data.username,
        name: data.name,
        hash: data.hash,
        created_at: metadata.occurredAt,
        created_by: metadata.actor,
        expires_at: data.expiresAt,
      }),
    ApiKeyRevoked: ({ data }, tables) => tables.delete('api_keys', { id: data.keyId }),
    ApiKeysRevokedForPromotion: ({ data }, tables) =>
      tables.sql('DELETE FROM api_keys WHERE id = ANY($1)', [data.keyIds]),
  },
};

/** Tokens are removed when they are revoked or their instance is deleted. */
export const accessTokensProjection: Projection = {
  name: 'access_tokens',
  version: 1,
  tables: `
    CREATE TABLE access_tokens (
      id text PRIMARY KEY,
      instance_id bigint NOT NULL,
      username text NOT NULL,
      hash text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX ON access_tokens (instance_id, created_at, id);`,
  exposes: ['access_tokens'],
  on: {
    AccessTokenIssued: ({ data, metadata }, tables) =>
      tables.insert('access_tokens', {
        id: data.tokenId,
        instance_id: data.instanceId,
        username: data.username,
        hash: data.hash,
        created_at: metadata.occurredAt,
        expires_at: data.expiresAt,
      }),
    AccessTokenRevoked: ({ data }, tables) => tables.delete('access_tokens', { id: data.tokenId }),
    InstanceDeleted: ({ data }, tables) => tables.delete('access_tokens', { instance_id: data.instanceId }),
  },
};
