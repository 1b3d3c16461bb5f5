import * as t from 'io-ts';
import { oneOf } from '../kernel/codecs';
import { type Actor } from '../kernel/decider';

/** `users`: the listed users and the owner. */
export const AccessMode = oneOf('everyone', 'users', 'owner');

/** The users with access to an instance. `users` is empty in the other modes. */
export const InstanceAccess = t.strict({ mode: AccessMode, users: t.readonlyArray(t.string) });
export type InstanceAccess = t.TypeOf<typeof InstanceAccess>;

export const FOR_EVERYONE: InstanceAccess = { mode: 'everyone', users: [] };

/** The fields that determine access. */
export interface AccessControlled {
  readonly ownerUsername: string;
  readonly access: InstanceAccess;
}

/**
 * Whether a user may access an instance. Other users get the error for an unknown instance. Lists apply the same rule
 * in SQL.
 */
export const canAccess = ({ ownerUsername, access }: AccessControlled, { username, role }: Actor): boolean =>
  role !== 'analyst' || access.mode === 'everyone' || username === ownerUsername || access.users.includes(username);
