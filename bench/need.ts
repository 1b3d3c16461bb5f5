import { type Either, isLeft } from 'fp-ts/Either';

/** The value of a result; a failure ends the bench. */
export const need = <A>(result: Either<unknown, A>): A => {
  if (isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};
