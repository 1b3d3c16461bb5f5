import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { launchProcess } from '../../../../../adapters/system/launch-process';
import { programPath } from '../../../../../adapters/system/package-root';
import { type CallFailure } from '../../engine-failure';
import { engineProcess, type EngineProcess } from '../../engine-process';
import { type KuzuDatabase } from './kuzu-database';

/** The methods of the database that the pod calls in the engine's process, `open` first. */
export type KuzuCalls = {
  readonly [N in KuzuCallName]: (...parameters: Parameters<KuzuDatabase[N]>) => ReturnType<KuzuDatabase[N]>;
};

export type KuzuCallName =
  | 'open'
  | 'createSchema'
  | 'load'
  | 'finishLoading'
  | 'query'
  | 'openExport'
  | 'readExport'
  | 'closeExport'
  | 'writeNodes';

/** Both ends are built together and the channel is private to them, so messages are typed but not decoded. */
export interface KuzuRequest<N extends KuzuCallName = KuzuCallName> {
  readonly id: number;
  readonly name: N;
  readonly parameters: Parameters<KuzuCalls[N]>;
}

/** `error`: the engine's message if the call threw. */
export type KuzuResponse =
  | { readonly id: number; readonly result: Awaited<ReturnType<KuzuCalls[KuzuCallName]>> }
  | { readonly id: number; readonly error: string };

export interface KuzuProcess extends EngineProcess {
  readonly call: <N extends KuzuCallName>(
    name: N,
    ...parameters: Parameters<KuzuCalls[N]>
  ) => Promise<Either<CallFailure, Awaited<ReturnType<KuzuCalls[N]>>>>;
}

/** Queries wait in libuv's pool while the engine works; its default of four threads would delay the others. */
const THREADS_OF_NODE = '16';
/** Each of those threads could keep freed memory in its own arena. */
const MALLOC_ARENAS = '4';

export const startKuzuProcess = (): Either<CallFailure, KuzuProcess> => {
  const waiting = new Map<number, (response: Either<CallFailure, never>) => void>();
  let lastId = 0;
  let exit: string | null = null;
  const launched = launchProcess({
    command: [process.execPath, programPath('pod/graph/engine/kuzu/process/engine-main')],
    environment: { TZ: 'UTC', UV_THREADPOOL_SIZE: THREADS_OF_NODE, MALLOC_ARENA_MAX: MALLOC_ARENAS },
    channel: 'advanced',
    onMessage: (message) => {
      const response = message as KuzuResponse;
      const settle = waiting.get(response.id);
      waiting.delete(response.id);
      if ('error' in response) return settle?.(left({ kind: 'rejected', reason: response.error }));
      // The caller's type is determined by the name of its call.
      settle?.(right(response.result as never));
    },
  });
  if (isLeft(launched)) return left({ kind: 'crashed', reason: launched.left.reason });
  const engine = engineProcess(launched.right);
  void engine.ended.then((how) => {
    exit = how;
    for (const settle of waiting.values()) settle(left({ kind: 'crashed', reason: how }));
    waiting.clear();
  });

  return right({
    ...engine,
    call: (name, ...parameters) =>
      new Promise((resolve) => {
        if (exit !== null) return resolve(left({ kind: 'crashed', reason: exit }));
        const id = ++lastId;
        waiting.set(id, resolve);
        // If the send fails, the process has ended; its exit settles the call.
        launched.right.send({ id, name, parameters });
      }),
  });
};
