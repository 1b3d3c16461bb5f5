import { type Request, type RequestHandler } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type Authorization } from '../../../adapters/contracts/graph-pod/reports';
import {
  isSigned,
  SIGNATURE_HEADER,
  SIGNATURE_REFUSED,
  type SignedRequest,
} from '../../../adapters/contracts/graph-pod/request-signature';
import { sendError } from '../../../adapters/http/kit';
import { type DomainError, domainError, unavailable } from '../../../domain/kernel/errors';
import { type InstanceApi } from '../control-plane/instance-api';

/** Checks the permission to run algorithms; returns the username. */
export type AuthorizeCaller = (username: string) => Promise<Either<CallerRefusal, string>>;
export type CallerRefusal = DomainError<'UNAUTHORIZED' | 'PERMISSION_DENIED' | 'SERVICE_UNAVAILABLE'>;

const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;

/** Requests the permission from the control plane and caches it for half a minute. */
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
    const answer = await controlPlane.authorize(username);
    if (isLeft(answer)) {
      if (answer.left.kind === 'refused' && answer.left.status === 401) return left(noIdentity('was not accepted'));
      return left(unavailable('The control plane', answer.left.message));
    }
    known.set(username, answer.right);
    return decide(answer.right);
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

/** What probes ask. */
const FOR_ALL = new Set(['/health', '/ready']);

const REFUSED = domainError(
  'UNAUTHORIZED',
  'This pod only answers requests that the control plane forwards to it; send the request to the instance_url.',
);

/** Minimum interval of key requests after an invalid signature. */
const RENEW_AFTER_MS = 10_000;

const signedPartOf = (request: Request): SignedRequest => ({
  method: request.method,
  path: request.originalUrl,
  username: request.get('X-Username') ?? null,
});

/** Fetches the key of the requests to this pod; null if that fails. */
export type FetchRequestKey = () => Promise<string | null>;

/**
 * Rejects requests that the control plane did not sign for this pod: from another program, for another operation or
 * user, or to the reused address of another pod. Requests wait for the key. It is fetched again after an invalid signature, since the internal secret may
 * have changed. `fetchKey` is null when no signature is required.
 */
export const requireSignature = (fetchKey: FetchRequestKey | null, nowMs: () => number): RequestHandler => {
  if (fetchKey === null) return (_request, _response, next) => next();
  let key = fetchKey();
  let renewed = key;
  let askedAtMs = nowMs();
  const isValid = async (signature: string, request: SignedRequest): Promise<boolean> => {
    const known = await key;
    if (known !== null && isSigned(known, signature, request, nowMs())) return true;
    if (nowMs() - askedAtMs >= RENEW_AFTER_MS) {
      askedAtMs = nowMs();
      renewed = fetchKey();
    }
    const newer = await renewed;
    if (newer === null) return false;
    key = Promise.resolve(newer);
    return isSigned(newer, signature, request, nowMs());
  };
  return async (request, response, next) => {
    const signature = request.get(SIGNATURE_HEADER);
    if (FOR_ALL.has(request.path) || (signature !== undefined && (await isValid(signature, signedPartOf(request)))))
      return next();
    response.setHeader(SIGNATURE_HEADER, SIGNATURE_REFUSED);
    sendError(response, REFUSED);
  };
};
