import { isLeft } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { exitText, type LaunchedProcess, type ProcessExit } from '../system/launch-process';
import { type ProgramLaunch, relayLogLine, startProgram } from './start-program';

export interface SupervisedProgramOptions {
  /** For the log. */
  readonly name: string;
  /** Called at every start, so that the environment may change. */
  readonly launch: () => Omit<ProgramLaunch, 'onLine'>;
  readonly log: Logger;
  /** Called after every end that `stop` did not cause. `exit` is null when the system could not start it. */
  readonly onExit?: (info: { readonly exit: ProcessExit | null; readonly restartInMs: number }) => void;
  readonly backoff?: Backoff;
}

export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** A program that ran longer than this is restarted after the first delay. */
  readonly forgetAfterMs: number;
}

export interface SupervisedProgram {
  /** Null between restarts. */
  program(): LaunchedProcess | null;
  /** Stops it permanently: SIGTERM, and after the grace period SIGKILL of its tree. */
  stop(graceMs: number): Promise<void>;
}

const BACKOFF: Backoff = { firstMs: 100, longestMs: 10_000, forgetAfterMs: 30_000 };

/** The delay after a run of `ranForMs` that had itself been started after `previousMs`, null for the first run. */
export const nextDelayMs = (previousMs: number | null, ranForMs: number, backoff: Backoff): number =>
  previousMs === null || ranForMs >= backoff.forgetAfterMs
    ? backoff.firstMs
    : Math.min(previousMs * 2, backoff.longestMs);

/** Keeps a program running: restarts it after it ends, with increasing delays. */
export const superviseProgram = (options: SupervisedProgramOptions): SupervisedProgram => {
  const { name, log, backoff = BACKOFF } = options;
  let current: LaunchedProcess | null = null;
  let timer: NodeJS.Timeout | undefined;
  let delayMs: number | null = null;
  let stopped = false;

  const start = (): void => {
    const startedAt = performance.now();
    const started = startProgram({ ...options.launch(), onLine: relayLogLine(log.child({ program: name })) });
    if (isLeft(started)) return restart(null, 0, started.left.reason);
    current = started.right;
    void current.terminated.then((exit) => {
      current = null;
      restart(exit, performance.now() - startedAt, exitText(exit));
    });
  };
  const restart = (exit: ProcessExit | null, ranForMs: number, reason: string): void => {
    if (stopped) return;
    delayMs = nextDelayMs(delayMs, ranForMs, backoff);
    log.error({ program: name, reason, restartInMs: delayMs }, 'program ended and is restarted');
    options.onExit?.({ exit, restartInMs: delayMs });
    timer = setTimeout(start, delayMs);
  };

  start();
  return {
    program: () => current,
    stop: async (graceMs) => {
      stopped = true;
      clearTimeout(timer);
      await current?.stop(graceMs);
    },
  };
};
