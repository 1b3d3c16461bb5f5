import { type Either, isLeft, left, right } from 'fp-ts/Either';

/** The result with its value changed; an error remains. */
export const mapRight = <E, A, B>(either: Either<E, A>, change: (value: A) => B): Either<E, B> =>
  isLeft(either) ? either : right(change(either.right));

/** The result with its error changed; a value remains. */
export const mapLeft = <E, F, A>(either: Either<E, A>, change: (error: E) => F): Either<F, A> =>
  isLeft(either) ? left(change(either.left)) : either;

/** The result of the next step, which needs the value; an error remains. */
export const andThen = <E, A, B>(either: Either<E, A>, next: (value: A) => Either<E, B>): Either<E, B> =>
  isLeft(either) ? either : next(either.right);
