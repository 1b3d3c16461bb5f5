import { type ReadDatabase } from './kit/database';
import { keepUntilMoved } from './kit/keep';
import { type Page } from './kit/list';
import { columnsOf } from './kit/view';
import { UserView } from './views/user';

export const findUser = async (db: ReadDatabase, username: string): Promise<UserView | null> =>
  (await db('read.users').where({ username }).first<UserView | undefined>(columnsOf(UserView))) ?? null;

/** The same, without asking again while no user has changed. */
export const findCaller = (db: ReadDatabase, username: string): Promise<UserView | null> =>
  keepUntilMoved(db, ['users'], `user ${username}`, () => findUser(db, username));

/** Newest first. */
export const listUsers = async (db: ReadDatabase, offset: number, limit: number): Promise<Page<UserView>> => {
  const newest = db('read.users').orderBy('created_at', 'desc').orderBy('username');
  const items = await newest.offset(offset).limit(limit).select<UserView[]>(columnsOf(UserView));
  const [counted] = await db('read.users').count<{ total: number }[]>({ total: '*' });
  return { items, total: counted?.total ?? 0 };
};

/** Names of the users who are active and ops. */
export const listActiveOps = (db: ReadDatabase): Promise<readonly string[]> =>
  db('read.users').where({ role: 'ops', is_active: true }).pluck<string[]>('username');
