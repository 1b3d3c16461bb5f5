import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { mayEnter } from '../../../domain/instance';
import { type DomainError } from '../../../domain/kernel/errors';
import { type GuardedInstance, type Viewer } from '../../../queries/visible-instances';
import { accessTokenOf } from '../public/access-token/access-token-of';
import { type Admit, nothingAt } from './instance-ingress';

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
