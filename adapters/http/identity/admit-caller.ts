import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { mayEnter } from '../../../domain/instance';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { type GuardedInstance, type Viewer } from '../../../queries/visible-instances';
import { accessTokenOf } from './identity';

/**
 * Whether a request gets in to the instance of a slug: who calls, null for nobody known, or why not. It is asked again
 * while an answer goes out.
 */
export type Admit = (request: Request, urlSlug: string) => Promise<Either<DomainError, string | null>>;

export interface AdmitOptions {
  /** The user who calls, or why nobody is known to call. */
  readonly identify: (request: Request) => Promise<Either<DomainError, Viewer>>;
  readonly findInstance: (urlSlug: string) => Promise<GuardedInstance | null>;
  /** Instances for everyone answer those who do not say who they are. */
  readonly admitsNobody: boolean;
}

/** Lets in who may enter the instance. All others are told what they are told of a slug that no instance has. */
export const admitCaller =
  ({ identify, findInstance, admitsNobody }: AdmitOptions): Admit =>
  async (request, urlSlug) => {
    const caller = await identify(request);
    const instance = await findInstance(urlSlug);
    if (isLeft(caller)) {
      const isNobody = accessTokenOf(request) === null;
      return isNobody && admitsNobody && instance?.access.mode === 'everyone' ? right(null) : caller;
    }
    return instance !== null && mayEnter(instance, caller.right)
      ? right(caller.right.username)
      : left(nothingAt(request, urlSlug));
  };

/** The refusal of a slug that no instance has, that runs nowhere, or is none of the caller's business. */
export const nothingAt = ({ baseUrl }: Pick<Request, 'baseUrl'>, urlSlug: string): DomainError => {
  const message = `No instance runs at ${baseUrl}/${urlSlug}. It may still start or have ended; look at its status.`;
  return domainError('RESOURCE_NOT_FOUND', message, { url_slug: urlSlug });
};
