import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { Map as ImmutableMap } from 'immutable';
import * as t from 'io-ts';
import { canAccess, type Instance } from './instance';
import { accept, type Actor, deciderOf } from './kernel/decider';
import { type DomainError, domainError, notFound } from './kernel/errors';
import { type EventsOf, eventSpec } from './kernel/event-catalogue';

const ofToken = { instanceId: t.number, tokenId: t.string, username: t.string };

export const accessTokenEvents = {
  /**
   * Until `expiresAt`, the bearer of this token has the rights of the user on the instance. `hash`: its SHA-256,
   * hexadecimal.
   */
  AccessTokenIssued: eventSpec(t.strict({ ...ofToken, hash: t.string, expiresAt: t.string })),
  AccessTokenRevoked: eventSpec(t.strict(ofToken)),
};
export type AccessTokenEvent = EventsOf<typeof accessTokenEvents>;

interface OfInstance {
  readonly instanceId: number;
  /** The instance, null when there is none. */
  readonly instance: Instance | null;
  readonly tokenId: string;
}

export type AccessTokenCommand =
  /** For the actor; `expiresAt`: ISO 8601. */
  | (OfInstance & { readonly type: 'IssueAccessToken'; readonly hash: string; readonly expiresAt: string })
  | (OfInstance & { readonly type: 'RevokeAccessToken' });

interface AccessToken {
  readonly username: string;
  readonly expiresAt: string;
}

/** The tokens of one instance that were not revoked, by id. */
export type AccessTokens = ImmutableMap<string, AccessToken>;

/** Maximum of live tokens per user and instance: a program that exceeds it requests tokens too often. */
const MAX_TOKENS = 50;

export const accessTokensStream = (instanceId: number): string => `access_tokens-${instanceId}`;

/** Rejects a user without access to the instance, with the error for an unknown instance. */
const entered = (
  { instanceId, instance }: OfInstance,
  actor: Actor,
): Either<DomainError<'RESOURCE_NOT_FOUND'>, Instance> =>
  instance !== null && instance.status !== 'deleted' && canAccess(instance, actor)
    ? right(instance)
    : left(notFound('instance', instanceId));

export const accessTokens = deciderOf<AccessTokenCommand, AccessTokenEvent, AccessTokens>()({
  initial: ImmutableMap(),

  decide: {
    IssueAccessToken: (command, tokens, { actor, now }) => {
      const instance = entered(command, actor);
      if (isLeft(instance)) return instance;
      const { instanceId, tokenId, hash, expiresAt } = command;
      const { username } = actor;
      const live = [...tokens.values()].filter((one) => one.username === username && one.expiresAt > now.toISOString());
      if (live.length >= MAX_TOKENS) {
        const message = `${username} has ${live.length} access tokens for instance ${instanceId}; revoke unused ones first.`;
        return left(domainError('INVALID_STATE', message, { current_count: live.length, max_allowed: MAX_TOKENS }));
      }
      return accept([{ type: 'AccessTokenIssued', data: { instanceId, tokenId, username, hash, expiresAt } }]);
    },

    RevokeAccessToken: (command, tokens, { actor }) => {
      const instance = entered(command, actor);
      if (isLeft(instance)) return instance;
      const { instanceId, tokenId } = command;
      const token = tokens.get(tokenId);
      if (token === undefined) return left(notFound('access token', tokenId));
      const { username } = token;
      if (actor.role === 'analyst' && ![username, instance.right.ownerUsername].includes(actor.username)) {
        const message = `The access token ${tokenId} is ${username}'s; only they, the owner of the instance, an admin or ops may revoke it.`;
        const { ownerUsername: owner_username } = instance.right;
        return left(domainError('PERMISSION_DENIED', message, { owner_username, your_role: actor.role }));
      }
      return accept([{ type: 'AccessTokenRevoked', data: { instanceId, tokenId, username } }]);
    },
  },

  evolve: (tokens, { type, data }) =>
    type === 'AccessTokenIssued'
      ? tokens.set(data.tokenId, { username: data.username, expiresAt: data.expiresAt })
      : tokens.delete(data.tokenId),
});
