import { type Projection, type TableWriter } from './projection';

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
    UserCreated: ({ data, metadata }, tables) =>
      tables.insert('users', {
        username: data.username,
        display_name: data.displayName,
        email: data.email,
        role: data.role,
        is_active: true,
        created_at: metadata.occurredAt,
        updated_at: metadata.occurredAt,
      }),
    UserProfileChanged: ({ data, metadata }, tables) =>
      updateUser(tables, data.username, metadata.occurredAt, { display_name: data.displayName, email: data.email }),
    UserRoleChanged: ({ data, metadata }, tables) =>
      updateUser(tables, data.username, metadata.occurredAt, {
        role: data.to,
        role_changed_at: metadata.occurredAt,
        role_changed_by: metadata.actor,
      }),
    UserDeactivated: ({ data, metadata }, tables) =>
      updateUser(tables, data.username, metadata.occurredAt, { is_active: false }),
    UserReactivated: ({ data, metadata }, tables) =>
      updateUser(tables, data.username, metadata.occurredAt, { is_active: true }),
  },
};

const updateUser = (
  tables: TableWriter,
  username: string,
  updatedAt: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> => tables.update('users', username, { ...columns, updated_at: updatedAt }, 'username');
