import { type Either, isLeft, isRight, left } from 'fp-ts/Either';
import { retry } from '../system/retry';
import { type Connection } from './connection';
import { type CallWatch, type LogClient } from './log-client';
import { type Rejection } from './rejections';

/** The final failure of a call. `wasSent`: one of the attempts may have reached the server without a response. */
export interface Unanswered {
  readonly rejection: Rejection;
  readonly wasSent: boolean;
}

export interface UntilAnsweredOptions {
  readonly deadline: number;
  readonly onResend?: () => void;
  /** Do not retry. */
  readonly isOnce?: boolean;
}

/** Retries a call, after pauses with jitter, until it returns a response or the deadline passes. */
export const untilAnswered = async <A>(
  connection: Connection,
  run: (client: LogClient, watch: CallWatch) => Promise<A>,
  { deadline, onResend, isOnce = false }: UntilAnsweredOptions,
): Promise<Either<Unanswered, A>> => {
  let wasSent = false;
  const attempt = async (number: number): Promise<Either<Rejection, A>> => {
    if (number > 1) onResend?.();
    const answer = await connection.call(run, deadline);
    if (isLeft(answer) && answer.left.kind === 'no_answer') wasSent ||= answer.left.wasSent;
    return answer;
  };
  const onFailure = ({ kind }: Rejection): boolean => !isOnce && kind === 'no_answer';
  const outcome = await retry(attempt, { pausesMs: [50, 500], hasJitter: true, until: deadline, onFailure });
  return isRight(outcome) ? outcome : left({ rejection: outcome.left, wasSent });
};
