import { type Either, left, right } from 'fp-ts/Either';
import { type Decider } from '../kernel/decider';
import { type DomainError, domainError } from '../kernel/errors';
import { type UserEvent, type UserRole } from './events';

export type UserCommand = {
  readonly username: string;
  readonly displayName: string | null;
  readonly email: string | null;
} & ({ readonly type: 'Bootstrap' } | { readonly type: 'CreateUser'; readonly role: UserRole });

export interface User {
  readonly username: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly role: UserRole;
}

/** The stream name is the claim to a username. */
export const userStream = (username: string): string => `user-${username}`;
/** The stream name is the claim to be the first. */
export const BOOTSTRAP_STREAM = 'user_bootstrap';

export const user: Decider<UserCommand, UserEvent, User | null, DomainError> = {
  initial: null,

  decide: (command, state, { actor }): Either<DomainError, readonly UserEvent[]> => {
    const { username, displayName, email } = command;
    if (command.type === 'Bootstrap') {
      return state === null
        ? right([{ type: 'SystemBootstrapped', data: { username, displayName, email } }])
        : left(domainError('ALREADY_EXISTS', 'The first ops user exists already; ask an ops user to create yours.'));
    }
    if (command.role === 'ops' && actor.role !== 'ops' && actor.role !== 'system') {
      return left(
        domainError('FORBIDDEN', 'Only ops may create an ops user.', { required_role: 'ops', your_role: actor.role }),
      );
    }
    if (state !== null) {
      return left(domainError('ALREADY_EXISTS', `The username ${username} is taken; choose another.`, { username }));
    }
    return right([{ type: 'UserCreated', data: { username, displayName, email, role: command.role } }]);
  },

  evolve: (_state, { type, data }) => ({ ...data, role: type === 'UserCreated' ? data.role : 'ops' }),
};
