import * as t from 'io-ts';
import { eventSpec, type EventsOf } from './kernel/event-catalogue';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { accept, type Actor, deciderOf } from './kernel/decider';
import { type DomainError, domainError } from './kernel/errors';
import { type User, userNotFound } from './user';

const ofKey = { username: t.string, keyId: t.string };

export const apiKeyEvents = {
  /** A user may call with this key. `hash`: SHA-256 of the key, hexadecimal; the key itself is not stored. */
  ApiKeyCreated: eventSpec(
    t.strict({ ...ofKey, name: t.string, hash: t.string, expiresAt: t.union([t.string, t.null]) }),
  ),
  ApiKeyRevoked: eventSpec(t.strict(ofKey)),
};
export type ApiKeyEvent = EventsOf<typeof apiKeyEvents>;

interface OfUser {
  readonly username: string;
  readonly keyId: string;
  /** The user's record, null when there is none. */
  readonly user: User | null;
}

export type ApiKeyCommand =
  | (OfUser & {
      readonly type: 'CreateApiKey';
      readonly name: string;
      readonly hash: string;
      /** ISO 8601; null: never. */
      readonly expiresAt: string | null;
    })
  | (OfUser & { readonly type: 'RevokeApiKey' });

export interface ApiKey {
  readonly name: string;
  readonly expiresAt: string | null;
}

/** The keys of one user that were not revoked, by id. */
export type ApiKeys = ReadonlyMap<string, ApiKey>;

/** Maximum of live keys per user: a program that exceeds it does not revoke its keys. */
const MAX_KEYS = 50;

export const apiKeysStream = (username: string): string => `api_keys-${username}`;

export const apiKeyNotFound = (keyId: string): DomainError<'RESOURCE_NOT_FOUND'> =>
  domainError('RESOURCE_NOT_FOUND', `Unknown API key ${keyId}; it may have been revoked. List the keys.`, {
    api_key_id: keyId,
  });

/**
 * Rejects an actor who may not list or change the keys of a user. Users manage their own keys, admins those of other
 * users; the keys of ops users are managed by ops only.
 */
export const canManageKeys = (
  actor: Actor,
  username: string,
  user: Pick<User, 'role'> | null,
): Either<DomainError<'FORBIDDEN'>, void> => {
  if (actor.role === 'system' || actor.role === 'ops' || actor.username === username) return right(undefined);
  const required = user?.role === 'ops' ? 'ops' : 'admin';
  if (actor.role === required) return right(undefined);
  const message = `Only ${username} and ${required === 'ops' ? 'ops' : 'admins'} may manage the API keys of ${username}.`;
  return left(domainError('FORBIDDEN', message, { required_role: required, your_role: actor.role }));
};

const HANDED_OUT_MS = 30 * 24 * 3_600_000;

/** When a key expires that the system handed out, so that it lasts until its user has created another. */
export const handedOutKeyExpiry = (now: Date): string => new Date(now.getTime() + HANDED_OUT_MS).toISOString();

/** Rejects a change of the keys of an unknown user, or of another user by an analyst. */
const checkOwner = (
  { username, user }: OfUser,
  actor: Actor,
): Either<DomainError<'FORBIDDEN' | 'RESOURCE_NOT_FOUND'>, void> => {
  const allowed = canManageKeys(actor, username, user);
  return isLeft(allowed) || user !== null ? allowed : left(userNotFound(username));
};

export const apiKeys = deciderOf<ApiKeyCommand, ApiKeyEvent, ApiKeys>()({
  initial: new Map(),

  decide: {
    CreateApiKey: (command, keys, { actor, now }) => {
      const checked = checkOwner(command, actor);
      if (isLeft(checked)) return checked;
      const { username, keyId, name, hash, expiresAt } = command;
      const live = [...keys.values()].filter((key) => key.expiresAt === null || key.expiresAt > now.toISOString());
      if (live.some((key) => key.name === name)) {
        const message = `${username} has an API key named ${name} already. Revoke it, or choose another name.`;
        return left(domainError('ALREADY_EXISTS', message, { name }));
      }
      if (live.length >= MAX_KEYS) {
        const message = `${username} has ${live.length} API keys; revoke unused ones first.`;
        return left(domainError('INVALID_STATE', message, { current_count: live.length, max_allowed: MAX_KEYS }));
      }
      return accept([{ type: 'ApiKeyCreated', data: { username, keyId, name, hash, expiresAt } }]);
    },

    RevokeApiKey: (command, keys, { actor }) => {
      const checked = checkOwner(command, actor);
      if (isLeft(checked)) return checked;
      const { username, keyId } = command;
      return keys.has(keyId)
        ? accept([{ type: 'ApiKeyRevoked', data: { username, keyId } }])
        : left(apiKeyNotFound(keyId));
    },
  },

  evolve: (keys, { type, data }) => {
    const next = new Map(keys);
    if (type === 'ApiKeyCreated') next.set(data.keyId, { name: data.name, expiresAt: data.expiresAt });
    else next.delete(data.keyId);
    return next;
  },
});
