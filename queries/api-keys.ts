import { type ReadDatabase, toTimestamp, toTimestampOrNull } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';

/** A key as its user sees it; what it is made of is nowhere. */
export interface ApiKeyView {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly expires_at: string | null;
}

interface Row extends Omit<ApiKeyView, 'created_at' | 'expires_at'> {
  readonly username: string;
  readonly hash: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
}

/** Whose key this is, and the hash (hexadecimal SHA-256) of the whole key; null when there is none or it was revoked. */
export const findKeyHolder = async (
  db: ReadDatabase,
  keyId: string,
): Promise<{ readonly username: string; readonly hash: string; readonly expiresAt: Date | null } | null> => {
  const row = await db('read.api_keys').where({ id: keyId }).first<Row | undefined>('*');
  return row === undefined ? null : { username: row.username, hash: row.hash, expiresAt: row.expires_at };
};

/** The keys of a user, newest first. */
export const listApiKeys = (db: ReadDatabase, username: string, page: PageBounds): Promise<Page<ApiKeyView>> => {
  const newest = db('read.api_keys').where({ username }).orderBy('created_at', 'desc').orderBy('id');
  return readPage(newest, page, ({ created_at, expires_at, id, name, created_by }: Row) => ({
    ...{ id, name, created_at: toTimestamp(created_at), created_by },
    expires_at: toTimestampOrNull(expires_at),
  }));
};
