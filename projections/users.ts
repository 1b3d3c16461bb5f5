import { insert, type Projection } from './projection';

export const usersProjection: Projection = {
  name: 'users',
  version: 1,
  tables: `
    CREATE TABLE users (
      username text PRIMARY KEY,
      display_name text,
      email text,
      role text NOT NULL,
      is_active boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      role_changed_at timestamptz,
      role_changed_by text
    );`,
  exposes: ['users'],
  on: {
    UserCreated: ({ data, metadata }, sql) =>
      insert(sql, 'users', {
        username: data.username,
        display_name: data.displayName,
        email: data.email,
        role: data.role,
        is_active: true,
        created_at: metadata.occurredAt,
        updated_at: metadata.occurredAt,
      }),
  },
};
