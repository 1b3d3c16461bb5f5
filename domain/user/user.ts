import { type Either, left, right } from 'fp-ts/Either';
import { accept, type Actor, deciderOf } from '../kernel/decider';
import { mapRight } from '../kernel/either';
import { type DomainError, domainError } from '../kernel/errors';
import { type OpsGuardEvent, type UserEvent, type UserRole } from './events';

export type UserProfile = Extract<UserEvent, { type: 'UserProfileChanged' }>['data'];

/** A change of an existing user. Absent fields do not change. */
export type ChangeUser =
  | {
      readonly type: 'UpdateUser';
      readonly username: string;
      readonly displayName?: string | null | undefined;
      readonly email?: string | null | undefined;
      readonly isActive?: boolean | undefined;
    }
  | { readonly type: 'ChangeRole'; readonly username: string; readonly role: UserRole }
  | { readonly type: 'DeactivateUser'; readonly username: string };

export type UserCommand =
  | (UserProfile & { readonly type: 'Bootstrap' })
  | (UserProfile & { readonly type: 'CreateFirstUser' })
  | (UserProfile & { readonly type: 'CreateUser'; readonly role: UserRole })
  | ChangeUser;

export interface User extends UserProfile {
  readonly role: UserRole;
  readonly isActive: boolean;
}

/** The name of the stream makes the username unique. */
export const userStream = (username: string): string => `user-${username}`;
/** The fixed name of the stream makes the first ops user unique. */
export const BOOTSTRAP_STREAM = 'user_bootstrap-cluster';

/** Roles by the rights that they give, lowest first. */
export const ROLE_RANK: Readonly<Record<UserRole, number>> = { analyst: 0, admin: 1, ops: 2 };

/** Whether a change gives an existing user more rights. */
export const isPromotion = (before: User | null, after: User | null): boolean =>
  before !== null && after !== null && ROLE_RANK[after.role] > ROLE_RANK[before.role];

export const isActiveOps = (user: User | null): boolean => user?.role === 'ops' && user.isActive;

export const userNotFound = (username: string): DomainError<'RESOURCE_NOT_FOUND'> =>
  domainError('RESOURCE_NOT_FOUND', `Unknown user ${username}; list the users to find the right name.`, {
    username,
  });

export const user = deciderOf<UserCommand, UserEvent, User | null>()({
  initial: null,

  decide: {
    Bootstrap: ({ type: _type, ...data }, state) =>
      state === null
        ? accept([{ type: 'SystemBootstrapped', data }])
        : left(domainError('ALREADY_EXISTS', 'The first ops user exists already; ask an ops user to create yours.')),

    CreateUser: ({ type: _type, ...data }, state, { actor }) => {
      const { username } = data;
      if (data.role === 'ops' && !isOps(actor)) return left(onlyOps('create an ops user', actor));
      return state === null ? accept([{ type: 'UserCreated', data }]) : left(usernameTaken(username));
    },

    // With an identity provider the first ops user may already have a record with another role.
    CreateFirstUser: ({ type: _type, ...data }, state) =>
      state === null
        ? accept([{ type: 'UserCreated', data: { ...data, role: 'ops' } }])
        : accept([
            ...profileChange({ displayName: data.displayName ?? undefined, email: data.email ?? undefined }, state),
            ...roleChange(state, 'ops'),
          ]),

    UpdateUser: (command, state, { actor }) =>
      mapRight(changeable(command, state, actor), (user) => [
        ...profileChange(command, user),
        ...activity(user, command.isActive ?? user.isActive),
      ]),

    DeactivateUser: (command, state, { actor }) =>
      mapRight(changeable(command, state, actor), (user) => activity(user, false)),

    ChangeRole: (command, state, { actor }) => {
      const { role: to } = command;
      if (to === 'ops' && !isOps(actor)) return left(onlyOps('promote a user to ops', actor));
      return mapRight(changeable(command, state, actor), (user) => roleChange(user, to));
    },
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'SystemBootstrapped':
        return { ...event.data, role: 'ops', isActive: true };
      case 'UserCreated':
        return { ...event.data, isActive: true };
      case 'UserProfileChanged':
        return state && { ...state, ...event.data };
      case 'UserRoleChanged':
        return state && { ...state, role: event.data.to };
      case 'UserDeactivated':
        return state && { ...state, isActive: false };
      case 'UserReactivated':
        return state && { ...state, isActive: true };
    }
  },
});

const usernameTaken = (username: string) =>
  domainError('ALREADY_EXISTS', `The username ${username} is taken; choose another.`, { username });

/** The user, where the actor may change it. `INVALID_STATE`: the ops guard keeps the last active ops user. */
const changeable = (
  { username }: ChangeUser,
  state: User | null,
  actor: Actor,
): Either<DomainError<'RESOURCE_NOT_FOUND' | 'FORBIDDEN' | 'INVALID_STATE'>, User> => {
  if (state === null) return left(userNotFound(username));
  return state.role === 'ops' && !isOps(actor) ? left(onlyOps('change an ops user', actor)) : right(state);
};

const profileChange = (
  { displayName, email }: Pick<Extract<ChangeUser, { type: 'UpdateUser' }>, 'displayName' | 'email'>,
  state: User,
): readonly UserEvent[] => {
  const { username } = state;
  const data = {
    username,
    displayName: displayName === undefined ? state.displayName : displayName,
    email: email === undefined ? state.email : email,
  };
  const isSame = data.displayName === state.displayName && data.email === state.email;
  return isSame ? [] : [{ type: 'UserProfileChanged', data }];
};

const roleChange = ({ username, role: from }: User, to: UserRole): readonly UserEvent[] =>
  from === to ? [] : [{ type: 'UserRoleChanged', data: { username, from, to } }];

const activity = ({ username, isActive }: User, wanted: boolean): readonly UserEvent[] =>
  isActive === wanted ? [] : [{ type: wanted ? 'UserReactivated' : 'UserDeactivated', data: { username } }];

const isOps = ({ role }: Actor): boolean => role === 'ops' || role === 'system';

const onlyOps = (what: string, { role }: Actor) =>
  domainError('FORBIDDEN', `Only ops may ${what}.`, { required_role: 'ops', your_role: role });

/** A user's stream, read up to this revision. */
export interface SeenUser {
  readonly username: string;
  readonly revision: number;
}

/** Requests the removal of an ops user; `others`: the other users that were read as active ops users. */
export interface AllowOpsRemoval extends SeenUser {
  readonly type: 'AllowOpsRemoval';
  readonly others: readonly SeenUser[];
}

/** Username to the revision at which its removal was last allowed. */
export type OpsGuard = ReadonlyMap<string, number>;

export const OPS_GUARD_STREAM = 'ops_guard-cluster';

/**
 * Guarantees at least one active ops user. Each user has its own stream, so two concurrent removals could each rely on
 * the other user. Each removal is therefore first allowed in this one stream, whose revision orders them.
 *
 * A removal allowed at revision r happens as event r + 1 of the user's stream or never. A user read at r or before
 * therefore does not count as remaining. A removal that never happened (a crash in between) only makes this stricter,
 * until the next change of that user.
 */
export const opsGuard = deciderOf<AllowOpsRemoval, OpsGuardEvent, OpsGuard>()({
  initial: new Map(),

  decide: {
    AllowOpsRemoval: ({ username, revision, others }, allowed) => {
      if (others.some((other) => (allowed.get(other.username) ?? -1) < other.revision)) {
        return accept([{ type: 'OpsRemovalAllowed', data: { username, revision } }]);
      }
      const message = `${username} is the last active ops user. Make another user ops first.`;
      return left(domainError('INVALID_STATE', message, { username }));
    },
  },

  evolve: (allowed, { data }) => new Map(allowed).set(data.username, data.revision),
});
