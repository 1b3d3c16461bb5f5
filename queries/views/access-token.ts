import * as t from 'io-ts';

/** An access token without its secret. */
export const AccessTokenView = t.strict({
  id: t.string,
  username: t.string,
  created_at: t.string,
  expires_at: t.string,
});
export type AccessTokenView = t.TypeOf<typeof AccessTokenView>;
