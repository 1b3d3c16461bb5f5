import { type UserRole } from '../domain/user';
import { type ReadDatabase, toTimestamp, toTimestampOrNull } from './kit/database';
import { keepUntilMoved } from './kit/keep';
import { type Page } from './kit/list';

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

/** The same, without asking again while no user has changed. */
export const findCaller = (db: ReadDatabase, username: string): Promise<UserView | null> =>
  keepUntilMoved(db, ['users'], `user ${username}`, () => findUser(db, username));

/** Newest first. */
export const listUsers = async (db: ReadDatabase, offset: number, limit: number): Promise<Page<UserView>> => {
  const newest = db('read.users').orderBy('created_at', 'desc').orderBy('username');
  const rows = await newest.offset(offset).limit(limit).select<Row[]>('*');
  const counted = await db('read.users').count<{ total: string }[]>({ total: '*' });
  return { items: rows.map(toView), total: Number(counted[0]?.total ?? 0) };
};

/** Names of the users who are active and ops. */
export const listActiveOps = (db: ReadDatabase): Promise<readonly string[]> =>
  db('read.users').where({ role: 'ops', is_active: true }).pluck<string[]>('username');
