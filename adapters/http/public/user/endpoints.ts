import * as t from 'io-ts';
import { fields, optional, nullable, text } from '../../../../domain/kernel/codecs';
import { UserRole } from '../../../../domain/user';
import { UserView } from '../../../../queries/views/user';
import { created, data, endpoint, list, pageFields } from '../../kit';

const UserParams = fields({ username: t.string });

const person = {
  display_name: optional(nullable(text({ min: 1, max: 255, notBlank: true }))),
  email: optional(nullable(text({ min: 3, max: 320 }))),
};

const profile = {
  ...person,
  username: text({
    min: 1,
    max: 255,
    pattern: {
      regexp: /^[!-+\--~](?:[ -+\--~]*[!-+\--~])?$/,
      words: 'must be printable ASCII without comma and without outer spaces',
    },
  }),
};

export const userEndpoints = {
  bootstrap: endpoint({
    method: 'POST',
    path: '/users/bootstrap',
    summary: 'Create the first ops user; works once',
    access: 'anybody',
    body: fields(profile),
    success: created(t.intersection([UserView, t.partial({ api_key: t.string })])),
    errors: ['ALREADY_EXISTS'],
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/users',
    summary: 'Create a user',
    access: 'admin',
    createsResource: true,
    body: fields({ ...profile, role: optional(UserRole) }),
    success: created(UserView),
    errors: ['ALREADY_EXISTS', 'FORBIDDEN'],
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/users',
    summary: 'List the users, newest first',
    access: 'admin',
    query: fields(pageFields),
    success: list(UserView),
  }),
  getUser: endpoint({
    method: 'GET',
    path: '/users/{username}',
    summary: 'One user; analysts may read themselves',
    access: 'user',
    resource: 'user',
    params: UserParams,
    success: data(UserView),
    errors: ['FORBIDDEN', 'RESOURCE_NOT_FOUND'],
  }),
  updateUser: endpoint({
    method: 'PUT',
    path: '/users/{username}',
    summary: 'Change name, address or activity of a user; what is absent stays',
    access: 'admin',
    resource: 'user',
    params: UserParams,
    body: fields({ ...person, is_active: optional(t.boolean) }),
    success: data(UserView),
    errors: ['FORBIDDEN', 'RESOURCE_NOT_FOUND', 'INVALID_STATE'],
  }),
  changeUserRole: endpoint({
    method: 'PUT',
    path: '/users/{username}/role',
    summary: 'Change the role of a user; only ops make or change ops',
    access: 'admin',
    resource: 'user',
    params: UserParams,
    body: fields({ role: UserRole }),
    success: data(UserView),
    errors: ['FORBIDDEN', 'RESOURCE_NOT_FOUND', 'INVALID_STATE'],
  }),
  deactivateUser: endpoint({
    method: 'DELETE',
    path: '/users/{username}',
    summary: 'Deactivate a user; the record stays',
    access: 'admin',
    resource: 'user',
    params: UserParams,
    success: data(UserView),
    errors: ['FORBIDDEN', 'RESOURCE_NOT_FOUND', 'INVALID_STATE'],
  }),
};
