import { type ReadDatabase } from './kit/database';
import { filterList, type ListQuery, type Page, type PageBounds, readPage, sorted } from './kit/list';
import { ApiKeyView } from './views/api-key';

interface KeyHolder {
  readonly username: string;
  readonly hash: string;
  readonly expires_at: string | null;
}

/** The user of a key, and the hash (hexadecimal SHA-256) of the whole key; null for an unknown or revoked key. */
export const findKeyHolder = async (db: ReadDatabase, keyId: string): Promise<KeyHolder | null> => {
  const found = db('api_keys').where({ id: keyId });
  return (await found.first<KeyHolder | undefined>('username', 'hash', 'expires_at')) ?? null;
};

/** The keys of a user. */
export const listApiKeys = (
  db: ReadDatabase,
  username: string,
  filters: ListQuery,
  page: PageBounds,
): Promise<Page<ApiKeyView>> => {
  const keys = db('api_keys').where({ username });
  filterList(keys, filters, ['name']);
  return readPage(sorted(keys, filters, ['expires_at']), page, ApiKeyView);
};
