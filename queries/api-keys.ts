import { type ReadDatabase } from './kit/database';
import { type Page } from './kit/list';
import { columnsOf } from './kit/view';
import { ApiKeyView } from './views/api-key';

interface KeyHolder {
  readonly username: string;
  readonly hash: string;
  readonly expires_at: string | null;
}

/** Whose key this is, and the hash (hexadecimal SHA-256) of the whole key; null when there is none or it was revoked. */
export const findKeyHolder = async (db: ReadDatabase, keyId: string): Promise<KeyHolder | null> => {
  const found = db('read.api_keys').where({ id: keyId });
  return (await found.first<KeyHolder | undefined>('username', 'hash', 'expires_at')) ?? null;
};

/** The keys of a user, newest first. */
export const listApiKeys = async (
  db: ReadDatabase,
  username: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Page<ApiKeyView>> => {
  const query = db('read.api_keys').where({ username });
  const [counted] = await query.clone().count<{ total: number }[]>({ total: '*' });
  const newest = query.orderBy('created_at', 'desc').orderBy('id').offset(offset).limit(limit);
  return { items: await newest.select<ApiKeyView[]>(columnsOf(ApiKeyView)), total: counted?.total ?? 0 };
};
