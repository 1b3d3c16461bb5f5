import { type ReadDatabase } from './kit/database';
import { columnsOf, filterList, type ListQuery, type Page, type PageBounds, readPage, sorted } from './kit/list';
import { UserView } from './views/user';

export const findUser = async (db: ReadDatabase, username: string): Promise<UserView | null> =>
  (await db('users').where({ username }).first<UserView | undefined>(columnsOf(UserView))) ?? null;

/** Searches names and email addresses. */
export const listUsers = (db: ReadDatabase, filters: ListQuery, page: PageBounds): Promise<Page<UserView>> => {
  const query = db('users');
  filterList(query, filters, ['username', 'display_name', 'email']);
  return readPage(sorted(query, filters, ['display_name'], 'username'), page, UserView);
};

/** Whether any user exists. */
export const hasUsers = async (db: ReadDatabase): Promise<boolean> =>
  (await db('users').first<object | undefined>('username')) !== undefined;

/** Usernames of the active ops users. */
export const listActiveOps = (db: ReadDatabase): Promise<readonly string[]> =>
  db('users').where({ role: 'ops', is_active: true }).pluck<string[]>('username');
