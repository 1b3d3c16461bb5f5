import { claimAt } from '../../../adapters/oidc/verify-token';

test.each([
  ['roles', { roles: ['a'] }, ['a']],
  ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
  ['https://example.org/roles', { 'https://example.org/roles': 'a b' }, 'a b'],
  ['resource_access.rowgraph.test.roles', { resource_access: { 'rowgraph.test': { roles: ['a'] } } }, ['a']],
  ['realm_access.roles', { realm_access: ['roles'] }, undefined],
  ['realm_access.roles', { realm_access: null }, undefined],
  ['constructor.name', {}, undefined],
  ['a.b', { a: { b: 1 }, 'a.b': 2 }, 2],
])('%s of %j is %j', (name, claims, found) => expect(claimAt(claims, name)).toEqual(found));
