import { fork } from 'node:child_process';
import { type Either, left, right } from 'fp-ts/Either';
import { programPath } from '../../../adapters/system/package-root';
import { type AlgorithmJob, type JobMessage } from './algorithm-job';
import { type RunControl } from './runs';

/** A run in a process of its own: its memory is free again afterwards, and ending it is cancelling it. */
export interface RunningJob {
  readonly pid: number;
  /** Left: in words for people why there is no result. */
  readonly outcome: Promise<Either<string, void>>;
}

/** Large arrays in large pages of memory, which are found faster; other systems than glibc 2.35 and later ignore it. */
const HUGE_PAGES = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

/** Starts the process; it is killed when `signal` aborts or has aborted. */
export const runJob = (
  job: AlgorithmJob,
  { signal, onProgress, onTimings }: Pick<RunControl, 'signal' | 'onProgress' | 'onTimings'>,
): RunningJob => {
  const child = fork(programPath('pod/graph/algorithms/algorithm-main'), {
    serialization: 'advanced',
    env: { PATH: process.env['PATH'], TZ: 'UTC', ...HUGE_PAGES },
    execArgv: [],
  });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  const outcome = new Promise<Either<string, void>>((resolve) => {
    child.on('message', (message: JobMessage) => {
      if (message.type === 'progress') onProgress(message.share);
      else if (message.type === 'timings') onTimings(message.timings);
      else resolve(message.type === 'done' ? right(undefined) : left(message.reason));
    });
    child.on('error', (error) => resolve(left(error.message)));
    child.on('exit', (code, exitSignal) => {
      signal.removeEventListener('abort', kill);
      resolve(
        left(
          `The process of the algorithm ended early (${exitSignal ?? `exit code ${code ?? 0}`}); with SIGKILL, memory may have run out: choose a part of the graph or a larger instance.`,
        ),
      );
    });
  });
  // A process that cannot be written to has ended: its exit tells why.
  child.send(job, () => undefined);
  return { pid: child.pid ?? 0, outcome };
};
