import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { domainError, unavailable, type DomainError } from '../../../domain/kernel/errors';
import { type Authorization } from '../../../adapters/contracts/graph-pod/reports';
import { type InstanceApi } from '../control-plane/instance-api';

/** Decides who may run algorithms here; answers the username. */
export type AuthorizeCaller = (username: string) => Promise<Either<CallerRefusal, string>>;
export type CallerRefusal = DomainError<'UNAUTHORIZED' | 'PERMISSION_DENIED' | 'SERVICE_UNAVAILABLE'>;

const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;

/** Asks the control plane, and remembers its answer for half a minute. */
export const createAuthorizeCaller = (
  controlPlane: Pick<InstanceApi, 'authorize'>,
  nowMs: () => number,
): AuthorizeCaller => {
  const known = new LRUCache<string, Authorization>({
    max: MAX_KEPT,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: nowMs },
  });

  return async (username) => {
    const kept = known.get(username);
    if (kept !== undefined) return decide(kept);
    const asked = await controlPlane.authorize(username);
    if (isLeft(asked)) {
      if (asked.left.kind === 'refused' && asked.left.status === 401) return left(noIdentity('was not accepted'));
      return left(unavailable('The control plane', asked.left.message));
    }
    known.set(username, asked.right);
    return decide(asked.right);
  };
};

const decide = ({ allowed, username, owner_username }: Authorization): Either<CallerRefusal, string> =>
  allowed
    ? right(username)
    : left(
        domainError(
          'PERMISSION_DENIED',
          `Only ${owner_username}, an admin or ops may run algorithms on this instance; ask one of them.`,
          { owner_username },
        ),
      );

/** The username in the header the edge sets, or 401. */
export const callerOf = (header: string | undefined): Either<DomainError<'UNAUTHORIZED'>, string> => {
  if (header === undefined) return left(noIdentity('is missing'));
  return /^[!-~](?:[ -~]*[!-~])?$/.test(header) && header.length <= 255 && !header.includes(',')
    ? right(header)
    : left(noIdentity('is not one plain username'));
};

const noIdentity = (what: string): DomainError<'UNAUTHORIZED'> =>
  domainError('UNAUTHORIZED', `The X-Username header ${what}; send the request through the edge, which sets it.`);
