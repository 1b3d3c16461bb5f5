import { type ReadDatabase } from './kit/database';
import { filterList, type ListQuery, type Page, type PageBounds, readPage, sorted } from './kit/list';
import { AccessTokenView } from './views/instance';
import { ApiKeyView } from './views/user';

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

interface TokenHolder {
  readonly instance_id: number;
  readonly username: string;
  readonly hash: string;
  readonly expires_at: string;
}

/** The user and instance of a token, with the hash of the whole token; null for an unknown or revoked token. */
export const findTokenHolder = async (db: ReadDatabase, tokenId: string): Promise<TokenHolder | null> => {
  const found = db('access_tokens').where({ id: tokenId });
  return (await found.first<TokenHolder | undefined>('instance_id', 'username', 'hash', 'expires_at')) ?? null;
};

/** The tokens of an instance that are valid at a time, of all users or of one. */
export const listAccessTokens = (
  db: ReadDatabase,
  { instanceId, username, now }: { readonly instanceId: number; readonly username: string | null; readonly now: Date },
  filters: ListQuery,
  page: PageBounds,
): Promise<Page<AccessTokenView>> => {
  const tokens = db('access_tokens').where('instance_id', instanceId).where('expires_at', '>', now);
  if (username !== null) tokens.where({ username });
  filterList(tokens, filters, ['username']);
  return readPage(sorted(tokens, filters), page, AccessTokenView);
};
