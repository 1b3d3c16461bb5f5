import { type ReadDatabase } from './kit/database';
import { newestFirst, type Page, type PageBounds, readPage } from './kit/list';
import { AccessTokenView } from './views/access-token';

interface TokenHolder {
  readonly instance_id: number;
  readonly username: string;
  readonly hash: string;
  readonly expires_at: string;
}

/** Whose token this is and for which instance, with the hash of the whole token; null when it is none or was revoked. */
export const findTokenHolder = async (db: ReadDatabase, tokenId: string): Promise<TokenHolder | null> => {
  const found = db('read.access_tokens').where({ id: tokenId });
  return (await found.first<TokenHolder | undefined>('instance_id', 'username', 'hash', 'expires_at')) ?? null;
};

/** The tokens of an instance that hold at a time, of all or of one user, newest first. */
export const listAccessTokens = (
  db: ReadDatabase,
  { instanceId, username, now }: { readonly instanceId: number; readonly username: string | null; readonly now: Date },
  page: PageBounds,
): Promise<Page<AccessTokenView>> => {
  const tokens = db('read.access_tokens').where('instance_id', instanceId).where('expires_at', '>', now);
  return readPage(newestFirst(username === null ? tokens : tokens.where({ username })), page, AccessTokenView);
};
