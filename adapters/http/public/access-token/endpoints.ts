import * as t from 'io-ts';
import { Duration, fields } from '../../../../domain/kernel/codecs';
import { AccessTokenView } from '../../../../queries/views/instance';
import { created, data, endpoint, list, PathId, PathText } from '../../kit';
import { listFields } from '../codecs';
import { oneInstance } from '../instance/endpoints';

export const accessTokenEndpoints = {
  issueAccessToken: endpoint('POST /instances/{id}/access-tokens', {
    ...oneInstance,
    summary: 'Create a token with your rights on this instance only, for at most a day; `token` is shown only once',
    body: fields({ expires_in: Duration }),
    success: created(t.strict({ id: t.string, token: t.string, expires_at: t.string })),
    errors: ['ALREADY_EXISTS', 'INVALID_STATE'],
  }),
  listAccessTokens: endpoint('GET /instances/{id}/access-tokens', {
    ...oneInstance,
    summary: 'List valid access tokens: your own, or all of your instance',
    query: fields(listFields('created_at', 'username', 'expires_at')),
    success: list(AccessTokenView),
  }),
  revokeAccessToken: endpoint('DELETE /instances/{id}/access-tokens/{token_id}', {
    ...oneInstance,
    summary: 'Revoke an access token; it is rejected from the next request on',
    params: fields({ id: PathId, token_id: PathText }),
    success: data(t.strict({ deleted: t.literal(true) })),
    errors: ['PERMISSION_DENIED'],
  }),
};
