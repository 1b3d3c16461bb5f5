import * as t from 'io-ts';
import { type Actor } from '../kernel/decider';

/** `users`: those named, beside the owner. */
export const AccessMode = t.keyof({ everyone: null, users: null, owner: null });

/** Who gets in to an instance. `users` is empty in the other modes. */
export const InstanceAccess = t.strict({ mode: AccessMode, users: t.readonlyArray(t.string) });
export type InstanceAccess = t.TypeOf<typeof InstanceAccess>;

export const FOR_EVERYONE: InstanceAccess = { mode: 'everyone', users: [] };

/** What decides who gets in. */
export interface Guarded {
  readonly ownerUsername: string;
  readonly access: InstanceAccess;
}

/** Whether a user may see an instance. For other users it does not exist. Lists say the same in SQL. */
export const mayEnter = ({ ownerUsername, access }: Guarded, { username, role }: Actor): boolean =>
  role !== 'analyst' || access.mode === 'everyone' || username === ownerUsername || access.users.includes(username);
