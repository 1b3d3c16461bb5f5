import { type Response } from 'express';
import { type Either, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../../domain/kernel/errors';

/** Counts a request of a user until it is answered; 429 while the user has too many. */
export type LimitInProgress = (user: string, response: Response) => Either<DomainError<'RATE_LIMIT_EXCEEDED'>, void>;

const RETRY_AFTER_SECONDS = 1;

/** Limits what a user can have in progress at one control plane; `what` names it in the error. */
export const limitInProgress = (max: number, what: string): LimitInProgress => {
  const inProgress = new Map<string, Set<Response>>();
  return (user, response) => {
    const responses = inProgress.get(user) ?? new Set();
    if (responses.has(response) || response.closed) return right(undefined);
    if (responses.size >= max) {
      const message = `${user} has ${responses.size} ${what} in progress, which is the limit; wait until one ends.`;
      return left(domainError('RATE_LIMIT_EXCEEDED', message, { retry_after_seconds: RETRY_AFTER_SECONDS }));
    }
    inProgress.set(user, responses.add(response));
    response.once('close', () => {
      responses.delete(response);
      if (responses.size === 0 && inProgress.get(user) === responses) inProgress.delete(user);
    });
    return right(undefined);
  };
};
