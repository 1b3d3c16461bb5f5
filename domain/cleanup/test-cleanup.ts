import { right } from 'fp-ts/Either';
import { type Decider } from '../kernel/decider';
import { type DomainError } from '../kernel/errors';
import { type CleanupResult, type TestCleanupEvent } from './events';

export type TestCleanupCommand =
  | { readonly type: 'StartTestCleanup'; readonly cleanupId: string; readonly usernames: readonly string[] }
  | ({ readonly type: 'CompleteTestCleanup'; readonly cleanupId: string } & CleanupResult);

export const testCleanupStream = (cleanupId: string): string => `test_cleanup-${cleanupId}`;

/** The record of a cleanup after end-to-end tests; its state is what came of it, null before. */
export const testCleanup: Decider<TestCleanupCommand, TestCleanupEvent, CleanupResult | null, DomainError> = {
  initial: null,
  decide: (command, state) => {
    if (state !== null) return right([]);
    if (command.type === 'StartTestCleanup') {
      const { type: _type, ...data } = command;
      return right([{ type: 'TestCleanupStarted', data }]);
    }
    const { type: _type, ...data } = command;
    return right([{ type: 'TestCleanupCompleted', data }]);
  },
  evolve: (state, event) => (event.type === 'TestCleanupCompleted' ? event.data : state),
};
