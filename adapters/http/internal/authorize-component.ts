import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { type Access } from '../kit';
import { type Component, verifyServiceToken } from './service-token';

/** Finds the component behind a request to the internal API and checks that the operation is for its kind. */
export const authorizeComponent =
  (secret: string) =>
  // eslint-disable-next-line @typescript-eslint/require-await -- other systems check tokens over the network
  async (request: Request, access: Access): Promise<Either<DomainError, Component>> => {
    const [scheme, token] = (request.get('Authorization') ?? '').split(' ');
    if (scheme !== 'Bearer' || token === undefined) {
      return left(domainError('UNAUTHORIZED', 'Send a service token: Authorization: Bearer <token>.'));
    }
    const component = verifyServiceToken(secret, token);
    if (isLeft(component))
      return left(domainError('UNAUTHORIZED', `The service token is not valid: ${component.left}.`));
    const { kind } = component.right;
    const named = request.get('X-Component');
    if (named !== kind) {
      const message = `X-Component must name the token's component, ${kind}; it was ${named ?? 'missing'}.`;
      return left(domainError('INVALID_COMPONENT', message));
    }
    if ((access === 'worker' || access === 'wrapper') && access !== kind) {
      return left(domainError('PERMISSION_DENIED', `This operation is for a ${access}, not for a ${kind}.`));
    }
    return right(component.right);
  };
