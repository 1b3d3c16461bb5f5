import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ApiClient } from '../client';
import { answered, type CliFailure, failed } from './failure';
import { type Progress } from './progress-display';

const POLL_MS = 200;

/** Polls an instance until it runs; `left` when it fails, ends or the signal is aborted. */
export const untilRunning = async (
  api: ApiClient,
  id: number,
  show: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Either<CliFailure, undefined>> => {
  while (!signal.aborted) {
    const polled = await answered(api.getInstanceProgress({ params: { id } }), ({ data }) => data);
    if (isLeft(polled)) return polled;
    const progress = polled.right;
    show(progress);
    if (progress.status === 'running') return right(undefined);
    if (progress.status === 'failed') {
      const reason = `${progress.error_message ?? 'unknown error'} (${progress.error_code ?? 'no code'})`;
      return left(failed(`Instance ${id} failed: ${reason}`, `See: rowgraph instances show ${id}`));
    }
    if (progress.status === 'stopping') return left(failed(`Instance ${id} is being deleted.`));
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return left({
    exitCode: 130,
    lines: [
      '',
      `Instance ${id} continues to start. See: rowgraph instances wait ${id}`,
      `To delete it: rowgraph instances delete ${id}`,
    ],
  });
};
