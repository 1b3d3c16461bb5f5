import { type ApiKeyCommand, type ApiKeyEvent, apiKeys } from '../../domain/api-keys';
import { type User } from '../../domain/user';
import { by, given } from '../support/given-when-then';

const person = (username: string, role: User['role']): User => ({
  ...{ username, role, displayName: null, email: null, isActive: true },
});
const ada = { record: person('ada', 'analyst'), revision: 0 };
const key = { username: 'ada', keyId: 'k1', name: 'laptop', hash: 'abc', expiresAt: null };
const create: ApiKeyCommand = { type: 'CreateApiKey', ...key, user: ada };
const created: ApiKeyEvent = { type: 'ApiKeyCreated', data: key };
const revoke: ApiKeyCommand = { type: 'RevokeApiKey', username: 'ada', keyId: 'k1', user: ada };
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: { username: 'ada', keyId: 'k1' } };

describe('the API keys of a user', () => {
  it('are created and revoked by the user and by admins', () => {
    for (const actor of [by('ada'), by('anna', 'admin'), by('olivia', 'ops')]) {
      given(apiKeys).when(create, actor).happens(created);
      given(apiKeys, created).when(revoke, actor).happens(revoked);
    }
    given(apiKeys).when(create, by('bob')).isRefused('FORBIDDEN', { required_role: 'admin', your_role: 'analyst' });
    given(apiKeys, created).when(revoke, by('bob')).isRefused('FORBIDDEN');
  });

  it('the keys of ops users are managed by ops only', () => {
    const ofOlivia = { ...create, username: 'olivia', user: { record: person('olivia', 'ops'), revision: 0 } };
    given(apiKeys).when(ofOlivia, by('anna', 'admin')).isRefused('FORBIDDEN', { required_role: 'ops' });
    const happens = { type: 'ApiKeyCreated', data: { ...key, username: 'olivia' } } as const;
    given(apiKeys).when(ofOlivia, by('otto', 'ops')).happens(happens);
  });

  it('have unique names; the name of a revoked or expired key is free', () => {
    const again: ApiKeyCommand = { ...create, keyId: 'k2' };
    const second: ApiKeyEvent = { type: 'ApiKeyCreated', data: { ...key, keyId: 'k2' } };
    given(apiKeys, created).when(again).isRefused('ALREADY_EXISTS', { name: 'laptop' });
    given(apiKeys, created, revoked).when(again).happens(second);
    const expiring = (expiresAt: string): ApiKeyEvent => ({ type: 'ApiKeyCreated', data: { ...key, expiresAt } });
    given(apiKeys, expiring('2026-03-01T11:59:59.000Z')).when(again).happens(second);
    given(apiKeys, expiring('2026-03-01T12:00:01.000Z')).when(again).isRefused('ALREADY_EXISTS');
  });

  it('are limited to fifty', () => {
    const many = Array.from({ length: 50 }, (_, index): ApiKeyEvent => {
      const id = `n${index}`;
      return { type: 'ApiKeyCreated', data: { ...key, keyId: id, name: id } };
    });
    given(apiKeys, ...many.slice(1))
      .when(create)
      .happens(created);
    given(apiKeys, ...many)
      .when(create)
      .isRefused('INVALID_STATE', { current_count: 50 });
  });

  it('require a user, and a key to revoke', () => {
    given(apiKeys)
      .when({ ...create, user: { record: null, revision: -1 } })
      .isRefused('RESOURCE_NOT_FOUND', { username: 'ada' });
    given(apiKeys).when(revoke).isRefused('RESOURCE_NOT_FOUND', { api_key_id: 'k1' });
  });
});
