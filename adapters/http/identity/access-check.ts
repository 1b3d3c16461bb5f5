import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { canAccess } from '../../../domain/instance';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { type InstanceWithAccess, type Viewer } from '../../../queries/visible-instances';
import { accessTokenOf } from './identity';

/**
 * Checks whether a request may access the instance of a slug: returns the username, null for an anonymous caller, or an
 * error. The check is repeated while a response is sent.
 */
export type CheckAccess = (request: Request, urlSlug: string) => Promise<Either<DomainError, string | null>>;

export interface AccessCheckOptions {
  /** Returns the calling user, or the reason why the caller is unknown. */
  readonly identify: (request: Request) => Promise<Either<DomainError, Viewer>>;
  readonly findInstance: (urlSlug: string) => Promise<InstanceWithAccess | null>;
  /** Callers without an identity may access instances that are open to all. */
  readonly allowAnonymous: boolean;
}

/** Checks the access of callers to instances. Callers without access receive the error of an unknown slug. */
export const accessCheck =
  ({ identify, findInstance, allowAnonymous }: AccessCheckOptions): CheckAccess =>
  async (request, urlSlug) => {
    const caller = await identify(request);
    const instance = await findInstance(urlSlug);
    if (isLeft(caller)) {
      const isAnonymous = accessTokenOf(request) === null;
      return isAnonymous && allowAnonymous && instance?.access.mode === 'everyone' ? right(null) : caller;
    }
    return instance !== null && canAccess(instance, caller.right)
      ? right(caller.right.username)
      : left(instanceNotFound(request, urlSlug));
  };

/** The error for a slug that is unknown, not running, or not accessible to the caller. */
export const instanceNotFound = ({ baseUrl }: Pick<Request, 'baseUrl'>, urlSlug: string): DomainError => {
  const message = `No instance runs at ${baseUrl}/${urlSlug}. It may be starting, or have ended; see its status.`;
  return domainError('RESOURCE_NOT_FOUND', message, { url_slug: urlSlug });
};
