import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Logger } from 'pino';
import { type PodEnd } from '../../domain/instance';
import { type PodSize } from '../../domain/ports/pod-runtime';
import { OUT_OF_MEMORY_EXIT_CODE } from '../contracts/graph-pod/settings';
import { exitText, type LaunchedProcess, type ProcessExit } from '../system/launch-process';
import { type MemoryWatchdog } from './memory-watchdog';
import { createPodFolder, writeLimits, writePidFile } from './pod-folder';
import { type HealthTiming, PodHealth } from './pod-health';
import { relayLogLine, startProgram } from './start-program';

/** The IPC message that a pod sends when its HTTP server accepts requests. */
const Listening = t.type({ type: t.literal('listening'), port: t.number });

export interface PodProcess {
  readonly program: LaunchedProcess;
  readonly port: number;
  readonly folder: string;
  readonly health: PodHealth;
  readonly ended: Promise<PodEnd>;
  /** Resolves when its process tree has ended and its folder is removed. */
  readonly removed: Promise<void>;
}

export interface PodProcessOptions {
  /** Identifies the process: the program's only argument, visible to all users of the machine. */
  readonly name: string;
  readonly programPath: string;
  /** Its working directory, created anew and removed with the pod. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly size: PodSize;
  readonly watchdog: MemoryWatchdog;
  readonly health: HealthTiming;
  readonly listenWithinMs: number;
  /** Abandons the start. */
  readonly abandoned: AbortSignal;
  readonly log: Logger;
}

/** `ended`: its program ended before it listened. */
export type StartFailure =
  { readonly kind: 'unavailable'; readonly reason: string } | { readonly kind: 'ended'; readonly end: PodEnd };

/** Starts the program of a pod and resolves when it listens. After a failure everything is cleaned up. */
export const startPodProcess = async (options: PodProcessOptions): Promise<Either<StartFailure, PodProcess>> => {
  const { name, folder, log } = options;
  let listens: (port: number) => void = () => undefined;
  const listening = new Promise<number>((resolve) => (listens = resolve));
  let program: LaunchedProcess | undefined;
  try {
    await createPodFolder(folder);
    const limited = await writeLimits(folder, options.size);
    if (isLeft(limited)) return left({ kind: 'unavailable', reason: limited.left.reason });
    const started = startProgram({
      programPath: options.programPath,
      args: [name],
      environment: options.environment,
      workingDirectory: folder,
      onLine: relayLogLine(log),
      onMessage: (message) => {
        const decoded = Listening.decode(message);
        if (isRight(decoded)) listens(decoded.right.port);
      },
    });
    if (isLeft(started)) return left({ kind: 'unavailable', reason: started.left.reason });
    program = started.right;
    const { ended, kill } = watchEnd(program, options);
    const removed = program.terminated.then(() => removeFolder(folder, log));
    await writePidFile(folder, program.pid);

    const outcome = await firstOf(listening, ended, options);
    if (isRight(outcome)) {
      const health = watchHealth(outcome.right, options, kill);
      void ended.then(() => health.stop());
      return right({ program, port: outcome.right, folder, health, ended, removed });
    }
    await program.kill();
    await removed;
    const withLog = (text: string): string => [text, ...(program?.lastErrorLines() ?? [])].join('\n');
    return outcome.left.kind === 'ended'
      ? left({ kind: 'ended', end: { ...outcome.left.end, text: withLog(outcome.left.end.text) } })
      : left({ kind: 'unavailable', reason: withLog(`it ${outcome.left.reason}`) });
  } catch (error) {
    await program?.kill();
    return left({
      kind: 'unavailable',
      reason: `its folder ${folder} could not be used: ${String(error)}`,
    });
  }
};

const removeFolder = async (folder: string, log: Logger): Promise<void> => {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) =>
    log.warn({ err: error, folder }, 'the folder of an ended pod could not be removed; the next start tries again'),
  );
};

/** A pod ends with 0 after SIGTERM, and when its instance has ended. */
const isOrdered = ({ code, signal }: ProcessExit): boolean => code === 0 || signal === 'SIGTERM';

const endOf = (exit: ProcessExit): PodEnd => {
  const own = exit.code === OUT_OF_MEMORY_EXIT_CODE ? 'out_of_memory' : 'crashed';
  return { cause: isOrdered(exit) ? 'stopped' : own, text: exitText(exit) };
};

/** `kill` ends the pod with this reported end. */
const watchEnd = (program: LaunchedProcess, options: PodProcessOptions) => {
  let killReason: PodEnd | null = null;
  const kill = (end: PodEnd): void => {
    killReason ??= end;
    void program.kill();
  };
  const unwatch = options.watchdog.watch(program.pid, options.size.memoryBytes, (residentBytes) => {
    options.log.warn({ residentBytes }, 'pod exceeds its memory and is killed');
    kill({ cause: 'out_of_memory', text: 'OOMKilled' });
  });
  const ended = program.exited.then((exit): PodEnd => {
    unwatch();
    return killReason ?? endOf(exit);
  });
  return { ended, kill };
};

const watchHealth = (port: number, { health, log }: PodProcessOptions, kill: (end: PodEnd) => void): PodHealth =>
  new PodHealth(port, health, () => {
    log.warn('pod does not answer its health and is killed');
    kill({ cause: 'crashed', text: `no health for ${health.lostAfterMs / 1000} s` });
  });

const firstOf = async (
  listening: Promise<number>,
  ended: Promise<PodEnd>,
  { listenWithinMs, abandoned }: PodProcessOptions,
): Promise<Either<StartFailure, number>> => {
  const timer = new AbortController();
  const signal = AbortSignal.any([timer.signal, abandoned]);
  const tooLate = sleep(listenWithinMs, `did not listen within ${listenWithinMs} ms`, { signal }).catch(
    () => 'was cancelled',
  );
  const outcome = await Promise.race([
    listening.then((port) => right(port)),
    ended.then((end) => left({ kind: 'ended' as const, end })),
    tooLate.then((reason) => left({ kind: 'unavailable' as const, reason })),
  ]);
  timer.abort();
  return outcome;
};
