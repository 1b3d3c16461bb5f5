import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ApiClient } from '../client';
import { answered, type CliFailure, failed } from './failure';
import { type Progress } from './progress-display';

const POLL_MS = 200;

/**
 * Follows an instance until it runs; `left` when it fails, ends, or the signal says to look no longer. Where events do
 * not come through, it is looked at again and again.
 */
export const untilRunning = async (
  api: ApiClient,
  id: number,
  show: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Either<CliFailure, undefined>> => {
  for await (const progress of api.followInstanceProgress(id, signal)) show(progress);
  while (!signal.aborted) {
    const looked = await answered(api.getInstanceProgress({ params: { id } }), ({ data }) => data);
    if (isLeft(looked)) return looked;
    const progress = looked.right;
    show(progress);
    if (progress.status === 'running') return right(undefined);
    if (progress.status === 'failed') {
      const reason = `${progress.error_message ?? 'no reason given'} (${progress.error_code ?? 'no code'})`;
      return left(failed(`Instance ${id} failed: ${reason}`, `More: rowgraph instances show ${id}`));
    }
    if (progress.status === 'stopping') return left(failed(`Instance ${id} is being deleted.`));
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return left({
    exitCode: 130,
    lines: [
      '',
      `Instance ${id} goes on starting without you. Look at it with: rowgraph instances wait ${id}`,
      `Or give it up: rowgraph instances delete ${id}`,
    ],
  });
};
