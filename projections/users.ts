import { insert, type Projection, type Sql, update } from './projection';

export const usersProjection: Projection = {
  name: 'users',
  version: 2,
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
    UserProfileChanged: ({ data, metadata }, sql) =>
      updateUser(sql, data.username, metadata.occurredAt, { display_name: data.displayName, email: data.email }),
    UserRoleChanged: ({ data, metadata }, sql) =>
      updateUser(sql, data.username, metadata.occurredAt, {
        role: data.to,
        role_changed_at: metadata.occurredAt,
        role_changed_by: metadata.actor,
      }),
    UserDeactivated: ({ data, metadata }, sql) =>
      updateUser(sql, data.username, metadata.occurredAt, { is_active: false }),
    UserReactivated: ({ data, metadata }, sql) =>
      updateUser(sql, data.username, metadata.occurredAt, { is_active: true }),
  },
};

const updateUser = (
  sql: Sql,
  username: string,
  updatedAt: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> => update(sql, 'users', username, { ...columns, updated_at: updatedAt }, 'username');
