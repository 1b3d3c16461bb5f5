import { type Either, isLeft, left } from 'fp-ts/Either';
import { type DomainError, unavailable } from '../../domain/kernel/errors';

/** For how many items something was done. One that fails does not keep the others: why is added to `failures`. */
export const countDone = async <A>(
  items: readonly A[],
  signal: AbortSignal,
  failures: DomainError[],
  act: (item: A) => Promise<Either<DomainError, boolean>>,
): Promise<number> => {
  let done = 0;
  for (const item of items) {
    if (signal.aborted) break;
    const result = await act(item).catch((error: unknown) => left(unavailable('A store', String(error))));
    if (isLeft(result)) failures.push(result.left);
    else if (result.right) done += 1;
  }
  return done;
};
