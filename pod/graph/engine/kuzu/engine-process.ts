import { fork, type ChildProcess } from 'node:child_process';
import { type Either, left, right } from 'fp-ts/Either';
import { childProgram } from '../../child-program';
import { type EngineCallName, type EngineCalls, type EngineResponse } from './protocol';

export type CallFailure =
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The process ended before it answered. */
  | { readonly kind: 'crashed'; readonly reason: string };

/** One run of the engine's process. */
export interface EngineProcess {
  readonly pid: number;
  readonly call: <N extends EngineCallName>(
    name: N,
    ...parameters: Parameters<EngineCalls[N]>
  ) => Promise<Either<CallFailure, ReturnType<EngineCalls[N]>>>;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
  readonly kill: () => void;
}

/** Queries wait in libuv's pool while the engine works; its default of four threads would hold the others up. */
const THREADS_OF_NODE = '16';

export const startEngineProcess = (): EngineProcess => {
  const child: ChildProcess = fork(childProgram('engine/kuzu/engine-main'), {
    serialization: 'advanced',
    env: { PATH: process.env['PATH'], TZ: 'UTC', UV_THREADPOOL_SIZE: THREADS_OF_NODE },
    execArgv: [],
  });
  const waiting = new Map<number, (response: Either<CallFailure, never>) => void>();
  let lastId = 0;
  let endedHow: string | null = null;

  const ended = new Promise<string>((resolve) => {
    const onEnd = (how: string): void => {
      if (endedHow !== null) return;
      endedHow = how;
      for (const settle of waiting.values()) settle(left({ kind: 'crashed', reason: how }));
      waiting.clear();
      resolve(how);
    };
    child.on('exit', (code, signal) => onEnd(signal ?? `exit code ${code ?? 0}`));
    child.on('error', (error) => onEnd(error.message));
  });

  child.on('message', (response: EngineResponse) => {
    const settle = waiting.get(response.id);
    waiting.delete(response.id);
    if ('error' in response) return settle?.(left({ kind: 'rejected', reason: response.error }));
    // The caller's type follows from the name it called; both ends share the protocol.
    settle?.(right(response.result as never));
  });

  return {
    pid: child.pid ?? 0,
    ended,
    kill: () => void child.kill('SIGKILL'),
    call: (name, ...parameters) =>
      new Promise((resolve) => {
        if (endedHow !== null) return resolve(left({ kind: 'crashed', reason: endedHow }));
        const id = ++lastId;
        waiting.set(id, resolve);
        // A failed send means the process is gone; its exit settles the call.
        child.send({ id, name, parameters }, () => undefined);
      }),
  };
};
