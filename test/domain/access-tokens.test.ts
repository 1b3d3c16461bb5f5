import { type AccessTokenCommand, type AccessTokenEvent, accessTokens } from '../../domain/access-tokens';
import { instance } from '../../domain/instance';
import { instanceDeleted, instanceRequested, instanceStopping } from '../support/domain-samples';
import { by, given, NOON } from '../support/given-when-then';

const open = given(instance, instanceRequested).state();
const closed = given(instance, instanceRequested, {
  type: 'InstanceAccessChanged',
  data: { instanceId: 7, ownerUsername: 'ada', access: { mode: 'owner', users: [] } },
}).state();
const gone = given(instance, instanceRequested, instanceStopping, instanceDeleted).state();
const later = (seconds: number): string => new Date(NOON.getTime() + seconds * 1000).toISOString();
const issue = (tokenId: string, of = open): AccessTokenCommand => ({
  ...{ type: 'IssueAccessToken', instanceId: 7, instance: of, tokenId, hash: 'h', expiresAt: later(60) },
});
const revoke = (tokenId: string, of = open): AccessTokenCommand => ({
  ...{ type: 'RevokeAccessToken', instanceId: 7, instance: of, tokenId },
});
const issued = (tokenId: string, username: string, expiresAt = later(60)): AccessTokenEvent => ({
  type: 'AccessTokenIssued',
  data: { instanceId: 7, tokenId, username, hash: 'h', expiresAt },
});
const revoked = (tokenId: string, username: string): AccessTokenEvent => ({
  type: 'AccessTokenRevoked',
  data: { instanceId: 7, tokenId, username },
});

describe('access tokens of an instance', () => {
  it('are issued to users with access to it', () => {
    given(accessTokens).when(issue('t1'), by('bob')).happens(issued('t1', 'bob'));
    given(accessTokens).when(issue('t1', closed), by('anna', 'admin')).happens(issued('t1', 'anna'));
    for (const state of [closed, gone, null]) {
      for (const command of [issue('t1', state), revoke('t1', state)]) {
        given(accessTokens, issued('t1', 'bob'))
          .when(command, by('bob'))
          .isRefused('RESOURCE_NOT_FOUND', { instance_id: 7 });
      }
    }
  });

  it('are limited to 50 valid ones per user', () => {
    const many = Array.from({ length: 50 }, (_, n) => issued(`t${n}`, 'bob'));
    given(accessTokens, ...many)
      .when(issue('t50'), by('bob'))
      .isRefused('INVALID_STATE', { max_allowed: 50 });
    given(accessTokens, ...many)
      .when(issue('t50'), by('carl'))
      .happens(issued('t50', 'carl'));
    given(accessTokens, ...many.slice(1), issued('t0', 'bob', later(-1)))
      .when(issue('t50'), by('bob'))
      .happens(issued('t50', 'bob'));
  });

  it('are revoked by their user, the owner, admins and ops', () => {
    const bobs = given(accessTokens, issued('t1', 'bob'));
    for (const who of [by('bob'), by('ada'), by('anna', 'admin'), by('olivia', 'ops')]) {
      bobs.when(revoke('t1'), who).happens(revoked('t1', 'bob'));
    }
    bobs.when(revoke('t1'), by('carl')).isRefused('PERMISSION_DENIED', { owner_username: 'ada', your_role: 'analyst' });
    bobs.when(revoke('t2'), by('bob')).isRefused('RESOURCE_NOT_FOUND', { access_token_id: 't2' });
    given(accessTokens, issued('t1', 'bob'), revoked('t1', 'bob'))
      .when(revoke('t1'), by('bob'))
      .isRefused('RESOURCE_NOT_FOUND');
  });
});
