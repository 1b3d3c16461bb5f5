import * as t from 'io-ts';
import { Duration, fields, nullable, optional } from '../../../../domain/kernel/codecs';
import { ApiKeyView } from '../../../../queries/views/user';
import { created, data, endpoint, list, PathText } from '../../kit';
import { listFields, Name } from '../codecs';

const ofUser = {
  access: 'user',
  resource: 'user',
  params: fields({ username: PathText }),
} as const;

export const apiKeyEndpoints = {
  createApiKey: endpoint('POST /users/{username}/api-keys', {
    ...ofUser,
    summary: 'Create an API key; `key` is shown only once',
    body: fields({ name: Name, ttl: optional(nullable(Duration)) }),
    success: created(t.strict({ ...ApiKeyView.type.props, key: t.string })),
    errors: ['FORBIDDEN', 'ALREADY_EXISTS', 'INVALID_STATE'],
  }),
  listApiKeys: endpoint('GET /users/{username}/api-keys', {
    ...ofUser,
    summary: 'List the API keys of a user that were not revoked, newest first',
    query: fields(listFields('created_at', 'name', 'expires_at')),
    success: list(ApiKeyView),
    errors: ['FORBIDDEN'],
  }),
  revokeApiKey: endpoint('DELETE /users/{username}/api-keys/{key_id}', {
    ...ofUser,
    summary: 'Revoke an API key; it is rejected from the next request on',
    resource: 'api key',
    params: fields({ username: PathText, key_id: PathText }),
    success: data(t.strict({ deleted: t.literal(true) })),
    errors: ['FORBIDDEN'],
  }),
};
