import { left } from 'fp-ts/Either';
import { accept, deciderOf } from '../kernel/decider';
import { domainError } from '../kernel/errors';
import { type OpsGuardEvent } from './events';

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
