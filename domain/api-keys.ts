import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { accept, type Actor, deciderOf } from './kernel/decider';
import { type DomainError, domainError } from './kernel/errors';
import { type EventsOf, eventSpec } from './kernel/event-catalogue';
import { type User, userNotFound } from './user';

const ofKey = { username: t.string, keyId: t.string };

export const apiKeyEvents = {
  /**
   * A user may call with this key. `hash`: SHA-256 of the key, hexadecimal; the key itself is not stored. `createdWith`: the
   * key of the request that created it.
   */
  ApiKeyCreated: eventSpec(
    t.exact(
      t.intersection([
        t.type({ ...ofKey, name: t.string, hash: t.string, expiresAt: t.union([t.string, t.null]) }),
        t.partial({ createdWith: t.string }),
      ]),
    ),
  ),
  ApiKeyRevoked: eventSpec(t.strict(ofKey)),
  /**
   * The user is promoted by the next event of its stream after `revision`, or not at all: the keys that other users
   * created, and those created with them, are revoked, and others create further ones only when they have seen a later event of that stream.
   */
  ApiKeysRevokedForPromotion: eventSpec(
    t.strict({ username: t.string, revision: t.number, keyIds: t.readonlyArray(t.string) }),
  ),
};
export type ApiKeyEvent = EventsOf<typeof apiKeyEvents>;

interface OfUser {
  readonly username: string;
  readonly keyId: string;
  readonly user: ReadUser;
}

/** A user's record, null when there is none, and the revision of its stream with which it was read. */
export interface ReadUser {
  readonly record: User | null;
  readonly revision: number;
}

export type ApiKeyCommand =
  | (OfUser & {
      readonly type: 'CreateApiKey';
      readonly name: string;
      readonly hash: string;
      /** ISO 8601; null: never. */
      readonly expiresAt: string | null;
      readonly createdWith?: string | undefined;
    })
  | (OfUser & { readonly type: 'RevokeApiKey' })
  | {
      readonly type: 'RevokeForPromotion';
      readonly username: string;
      /** The last revision of the user's stream before the promotion. */
      readonly revision: number;
      /** The keys that other users may know. */
      readonly keyIds: readonly string[];
    };

export interface ApiKey {
  readonly name: string;
  readonly expiresAt: string | null;
}

/** The keys of one user. */
export interface ApiKeys {
  /** Those that were not revoked, by id. */
  readonly keys: ReadonlyMap<string, ApiKey>;
  /** The revision of the user's stream before its last promotion; -1: none. */
  readonly promotedAfter: number;
}

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
  { username, user: { record } }: OfUser,
  actor: Actor,
): Either<DomainError<'FORBIDDEN' | 'RESOURCE_NOT_FOUND'>, void> => {
  const allowed = canManageKeys(actor, username, record);
  return isLeft(allowed) || record !== null ? allowed : left(userNotFound(username));
};

export const apiKeys = deciderOf<ApiKeyCommand, ApiKeyEvent, ApiKeys>()({
  initial: { keys: new Map(), promotedAfter: -1 },

  decide: {
    CreateApiKey: (command, { keys, promotedAfter }, { actor, now }) => {
      const checked = checkOwner(command, actor);
      if (isLeft(checked)) return checked;
      const { username, keyId, name, hash, expiresAt, createdWith } = command;
      if (actor.role === 'admin' && actor.username !== username && command.user.revision <= promotedAfter) {
        const message = `${username} was promoted at the same time; try again, or ask ops.`;
        return left(domainError('CONFLICT', message));
      }
      const live = [...keys.values()].filter((key) => key.expiresAt === null || key.expiresAt > now.toISOString());
      if (live.some((key) => key.name === name)) {
        const message = `${username} has an API key named ${name} already. Revoke it, or choose another name.`;
        return left(domainError('ALREADY_EXISTS', message, { name }));
      }
      if (live.length >= MAX_KEYS) {
        const message = `${username} has ${live.length} API keys; revoke unused ones first.`;
        return left(domainError('INVALID_STATE', message, { current_count: live.length, max_allowed: MAX_KEYS }));
      }
      const data = { username, keyId, name, hash, expiresAt, ...(createdWith === undefined ? {} : { createdWith }) };
      return accept([{ type: 'ApiKeyCreated', data }]);
    },

    RevokeApiKey: (command, { keys }, { actor }) => {
      const checked = checkOwner(command, actor);
      if (isLeft(checked)) return checked;
      const { username, keyId } = command;
      return keys.has(keyId)
        ? accept([{ type: 'ApiKeyRevoked', data: { username, keyId } }])
        : left(apiKeyNotFound(keyId));
    },

    RevokeForPromotion: ({ type: _type, ...data }) => accept([{ type: 'ApiKeysRevokedForPromotion', data }]),
  },

  evolve: ({ keys: before, promotedAfter }, { type, data }) => {
    const keys = new Map(before);
    if (type === 'ApiKeyCreated') keys.set(data.keyId, { name: data.name, expiresAt: data.expiresAt });
    else for (const keyId of type === 'ApiKeyRevoked' ? [data.keyId] : data.keyIds) keys.delete(keyId);
    return { keys, promotedAfter: type === 'ApiKeysRevokedForPromotion' ? data.revision : promotedAfter };
  },
});
