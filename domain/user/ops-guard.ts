import { left } from 'fp-ts/Either';
import { accept, deciderOf } from '../kernel/decider';
import { domainError } from '../kernel/errors';
import { type OpsGuardEvent } from './events';

/** A user's stream as it was seen: up to this revision. */
export interface SeenUser {
  readonly username: string;
  readonly revision: number;
}

/** Asks to let an ops user go; `others` are those who were seen to be active ops users. */
export interface AllowOpsRemoval extends SeenUser {
  readonly type: 'AllowOpsRemoval';
  readonly others: readonly SeenUser[];
}

/** Username to the revision its removal was last allowed at. */
export type OpsGuard = ReadonlyMap<string, number>;

export const OPS_GUARD_STREAM = 'ops_guard-cluster';

/**
 * Keeps one active ops user at least. Every user has a stream of its own, so two removals at once could each count on
 * the other's user. Therefore each is first allowed in this one stream, whose revision orders them.
 *
 * A removal allowed at revision r happens as event r + 1 of the user's stream or never. A user seen at r or before
 * therefore does not count as staying. One that never happened (a crash in between) only makes this stricter,
 * until that user changes in any way.
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
