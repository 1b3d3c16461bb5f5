import { right } from 'fp-ts/Either';
import { deciderOf } from '../kernel/decider';
import { type CleanupResult, type TestCleanupEvent } from './events';

export type TestCleanupCommand =
  | { readonly type: 'StartTestCleanup'; readonly cleanupId: string; readonly usernames: readonly string[] }
  | ({ readonly type: 'CompleteTestCleanup'; readonly cleanupId: string } & CleanupResult);

export const testCleanupStream = (cleanupId: string): string => `test_cleanup-${cleanupId}`;

/** The record of a cleanup after end-to-end tests; its state is what came of it, null before. */
export const testCleanup = deciderOf<TestCleanupCommand, TestCleanupEvent, CleanupResult | null>()({
  initial: null,
  decide: {
    StartTestCleanup: ({ type: _type, ...data }, state) =>
      right(state === null ? [{ type: 'TestCleanupStarted', data }] : []),
    CompleteTestCleanup: ({ type: _type, ...data }, state) =>
      right(state === null ? [{ type: 'TestCleanupCompleted', data }] : []),
  },
  evolve: (state, event) => (event.type === 'TestCleanupCompleted' ? event.data : state),
});
