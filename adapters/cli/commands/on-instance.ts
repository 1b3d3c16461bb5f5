import { type Either, isLeft } from 'fp-ts/Either';
import { type Action, type Given } from '../action';
import { type Session } from '../connection';
import { type CliFailure } from '../failure';
import { findInstance } from '../find-one';
import { type Output } from '../output';

/** A command about one instance. */
export const onInstance = (
  usage: string,
  summary: string,
  run: (session: Session, id: number, given: Given) => Promise<Either<CliFailure, Output>>,
  more: Pick<Action, 'options' | 'examples'> = {},
): Action => ({
  usage,
  summary,
  ...more,
  run: async (session, given) => {
    const id = await findInstance(session, given.argument(0));
    return isLeft(id) ? id : run(session, id.right, given);
  },
});
