import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { exitText, launchProcess } from '../../../adapters/system/launch-process';
import { programPath } from '../../../adapters/system/package-root';
import { type AlgorithmJob, type JobMessage } from './algorithm-job';
import { type RunControl } from './runs';

/** A run in a separate process, which releases its memory at the end and can be cancelled by a kill. */
export interface RunningJob {
  readonly pid: number;
  /** Left: the message of a failure. */
  readonly outcome: Promise<Either<string, void>>;
}

/**
 * Large arrays in huge pages, which are faster to access; only glibc 2.35 and later supports the setting, other systems
 * ignore it.
 */
const HUGE_PAGES = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

/** Starts the process; it is killed when `signal` aborts or has aborted. */
export const runJob = (
  job: AlgorithmJob,
  { signal, onProgress, onTimings }: Pick<RunControl, 'signal' | 'onProgress' | 'onTimings'>,
): RunningJob => {
  let settle: (outcome: Either<string, void>) => void = () => undefined;
  const outcome = new Promise<Either<string, void>>((resolve) => (settle = resolve));
  const launched = launchProcess({
    command: [process.execPath, programPath('pod/graph/algorithms/algorithm-main')],
    environment: { TZ: 'UTC', ...HUGE_PAGES },
    channel: 'advanced',
    onMessage: (received) => {
      // Both ends share the protocol.
      const message = received as JobMessage;
      if (message.type === 'progress') onProgress(message.share);
      else if (message.type === 'timings') onTimings(message.timings);
      else settle(message.type === 'done' ? right(undefined) : left(message.reason));
    },
  });
  if (isLeft(launched)) return { pid: 0, outcome: Promise.resolve(left(launched.left.reason)) };
  const { pid, exited, kill, send } = launched.right;
  const onAbort = (): void => void kill();
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  void exited.then((exit) => {
    signal.removeEventListener('abort', onAbort);
    const advice = 'with SIGKILL, memory may have run out: choose a part of the graph or a larger instance';
    settle(left(`The process of the algorithm ended early (${exitText(exit)}); ${advice}.`));
  });
  // If the write fails, the process has ended: its exit is the outcome.
  send(job);
  return { pid, outcome };
};
