import { type Either, isRight, left } from 'fp-ts/Either';
import { retry } from '../system/retry';
import { type Connection } from './connection';
import { type CallWatch, type LogClient } from './log-client';
import { type Rejection } from './rejections';

/** One try may take so long without any sign of the server, so that there is time left for another one. */
const SILENCE_MS = 2_000;
const PAUSES = { firstPauseMs: 50, maxPauseMs: 500, jitter: 'full' } as const;

/** How a call went in the end. `wasSent`: one of the tries may have reached the server without an answer. */
export interface Unanswered {
  readonly rejection: Rejection;
  readonly wasSent: boolean;
}

/** Calls again, after pauses with jitter, until there is an answer or the deadline has come. */
export const untilAnswered = async <A>(
  connection: Connection,
  run: (client: LogClient, watch: CallWatch) => Promise<A>,
  { deadline, onResend }: { readonly deadline: number; readonly onResend?: () => void },
): Promise<Either<Unanswered, A>> => {
  let wasSent = false;
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), deadline - Date.now());
  let tries = 0;
  const outcome = await retry(
    () => {
      if (tries++ > 0) onResend?.();
      return connection.call(run, { silenceMs: SILENCE_MS, deadline });
    },
    {
      ...PAUSES,
      signal: patience.signal,
      onFailure: (rejection) => {
        if (rejection.kind !== 'no_answer') return false;
        wasSent ||= rejection.wasSent;
        return true;
      },
    },
  );
  clearTimeout(timer);
  return isRight(outcome) ? outcome : left({ rejection: outcome.left, wasSent });
};
