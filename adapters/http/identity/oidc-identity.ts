import { type Either, isLeft, left } from 'fp-ts/Either';
import { type DomainError } from '../../../domain/kernel/errors';
import { type Identify, known, type TokenPerson, unauthorized } from './identity';

/** The person a token speaks for; left: what is wrong with it. */
export type VerifyToken = (token: string) => Promise<Either<DomainError, TokenPerson>>;

/** `Authorization: Bearer` with a token of the identity provider tells the user; API keys go on as they are `byKey`. */
export const oidcIdentity =
  (verify: VerifyToken, byKey: Identify): Identify =>
  async (request) => {
    const header = request.get('Authorization');
    if (header === undefined) {
      const message = 'Send a token of the identity provider, or an API key: Authorization: Bearer <token>.';
      return left(unauthorized(message, 'token_missing'));
    }
    const bearer = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
    if (bearer.startsWith('rgk_')) return byKey(request);
    const person = await verify(bearer);
    return isLeft(person) ? person : known(request, person.right.username, person.right);
  };
