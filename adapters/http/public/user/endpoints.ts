import * as t from 'io-ts';
import { fields, nullable, optional } from '../../../../domain/kernel/codecs';
import { UserRole } from '../../../../domain/user';
import { UserView } from '../../../../queries/views/user';
import { created, data, endpoint, list, PathText, Username } from '../../kit';
import { asOfField } from '../as-of/as-of-field';
import { DisplayName, EmailAddress, listFields } from '../codecs';

const oneUser = { resource: 'user', params: fields({ username: PathText }) } as const;
const change = {
  ...oneUser,
  access: 'admin',
  success: data(UserView),
  errors: ['FORBIDDEN', 'INVALID_STATE'],
} as const;

/** An API key that a promotion revoked. */
const RevokedApiKey = t.strict({ id: t.string, name: t.string, created_by: t.string });

const person = {
  display_name: optional(nullable(DisplayName)),
  email: optional(nullable(EmailAddress)),
};

const profile = {
  ...person,
  username: Username,
};

export const userEndpoints = {
  bootstrap: endpoint('POST /users/bootstrap', {
    summary: 'Create the first ops user; works once. With OpenID Connect it is the bearer of the token',
    access: 'first_user',
    body: fields({ ...person, username: optional(Username) }),
    success: created(t.intersection([UserView, t.partial({ api_key: t.string, api_key_expires_at: t.string })])),
    errors: ['ALREADY_EXISTS', 'FORBIDDEN'],
  }),
  createUser: endpoint('POST /users', {
    summary: 'Create a user',
    access: 'admin',
    createsResource: true,
    body: fields({ ...profile, role: optional(UserRole) }),
    success: created(UserView),
    errors: ['ALREADY_EXISTS', 'FORBIDDEN'],
  }),
  listUsers: endpoint('GET /users', {
    summary: 'List the users, newest first',
    access: 'admin',
    query: fields(listFields('created_at', 'username', 'display_name', 'role', 'updated_at')),
    success: list(UserView),
  }),
  getUser: endpoint('GET /users/{username}', {
    ...oneUser,
    summary: 'One user; analysts may read themselves',
    query: fields(asOfField),
    access: 'user',
    success: data(UserView),
    errors: ['FORBIDDEN'],
  }),
  updateUser: endpoint('PUT /users/{username}', {
    ...change,
    summary: 'Change name, address or activity of a user; absent fields are unchanged',
    body: fields({ ...person, is_active: optional(t.boolean) }),
  }),
  changeUserRole: endpoint('PUT /users/{username}/role', {
    ...change,
    summary:
      'Change the role of a user; only ops can assign or remove the role ops. A promotion revokes the API keys that others created, and those created with them',
    success: data(t.strict({ ...UserView.type.props, revoked_api_keys: t.readonlyArray(RevokedApiKey) })),
    body: fields({ role: UserRole }),
  }),
  deactivateUser: endpoint('DELETE /users/{username}', {
    ...change,
    summary: 'Deactivate a user; the record is kept',
  }),
};
