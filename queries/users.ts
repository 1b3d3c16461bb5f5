import { type ReadDatabase } from './kit/database';
import { columnsOf, type Page, type PageBounds, readPage } from './kit/list';
import { UserView } from './views/user';

export const findUser = async (db: ReadDatabase, username: string): Promise<UserView | null> =>
  (await db('read.users').where({ username }).first<UserView | undefined>(columnsOf(UserView))) ?? null;

/** Newest first. */
export const listUsers = (db: ReadDatabase, page: PageBounds): Promise<Page<UserView>> =>
  readPage(db('read.users').orderBy('created_at', 'desc').orderBy('username'), page, UserView);

/** Whether anybody has ever been let in. */
export const hasUsers = async (db: ReadDatabase): Promise<boolean> =>
  (await db('read.users').first<object | undefined>('username')) !== undefined;

/** Names of the users who are active and ops. */
export const listActiveOps = (db: ReadDatabase): Promise<readonly string[]> =>
  db('read.users').where({ role: 'ops', is_active: true }).pluck<string[]>('username');
