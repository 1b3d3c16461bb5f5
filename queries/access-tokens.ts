import { type ReadDatabase } from './kit/database';
import { filterList, type ListQuery, type Page, type PageBounds, readPage, sorted } from './kit/list';
import { AccessTokenView } from './views/access-token';

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
