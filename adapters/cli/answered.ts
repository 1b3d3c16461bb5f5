import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ClientFailure, type Success } from '../client';
import { type CliFailure, explain } from './failure';

/** The answer to an operation made into something else, a failure in words. */
export const answered = async <O, R>(
  answer: Promise<Either<ClientFailure, Success<O>>>,
  use: (success: Success<O>) => R,
): Promise<Either<CliFailure, R>> => {
  const result = await answer;
  return isLeft(result) ? left(explain(result.left)) : right(use(result.right));
};
