import { type UserRole } from '../domain/user';
import { type ReadDatabase, toTimestamp, toTimestampOrNull } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';

export interface UserView {
  readonly username: string;
  readonly display_name: string | null;
  readonly email: string | null;
  readonly role: UserRole;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly role_changed_at: string | null;
  readonly role_changed_by: string | null;
}

interface Row extends Omit<UserView, 'created_at' | 'updated_at' | 'role_changed_at'> {
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly role_changed_at: Date | null;
}

const toView = (row: Row): UserView => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
  role_changed_at: toTimestampOrNull(row.role_changed_at),
});

export const findUser = async (db: ReadDatabase, username: string): Promise<UserView | null> => {
  const row = await db('read.users').where({ username }).first<Row | undefined>('*');
  return row === undefined ? null : toView(row);
};

/** Newest first. */
export const listUsers = (db: ReadDatabase, page: PageBounds): Promise<Page<UserView>> =>
  readPage(db('read.users').orderBy('created_at', 'desc').orderBy('username'), page, toView);

/** Names of the users who are active and ops. */
export const listActiveOps = (db: ReadDatabase): Promise<readonly string[]> =>
  db('read.users').where({ role: 'ops', is_active: true }).pluck<string[]>('username');
