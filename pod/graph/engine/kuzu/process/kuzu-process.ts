import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { launchProcess } from '../../../../../adapters/system/launch-process';
import { programPath } from '../../../../../adapters/system/package-root';
import { type CallFailure } from '../../engine-failure';
import { engineProcess, type EngineProcess } from '../../engine-process';
import { type EngineCallName, type EngineCalls, type EngineResponse } from './protocol';

export interface KuzuProcess extends EngineProcess {
  readonly call: <N extends EngineCallName>(
    name: N,
    ...parameters: Parameters<EngineCalls[N]>
  ) => Promise<Either<CallFailure, ReturnType<EngineCalls[N]>>>;
}

/** Queries wait in libuv's pool while the engine works; its default of four threads would delay the others. */
const THREADS_OF_NODE = '16';
/** Each of those threads could keep freed memory in an arena of its own. */
const MALLOC_ARENAS = '4';

export const startKuzuProcess = (): Either<CallFailure, KuzuProcess> => {
  const waiting = new Map<number, (response: Either<CallFailure, never>) => void>();
  let lastId = 0;
  let endedHow: string | null = null;
  const launched = launchProcess({
    command: [process.execPath, programPath('pod/graph/engine/kuzu/process/engine-main')],
    environment: { TZ: 'UTC', UV_THREADPOOL_SIZE: THREADS_OF_NODE, MALLOC_ARENA_MAX: MALLOC_ARENAS },
    channel: 'advanced',
    onMessage: (message) => {
      const response = message as EngineResponse;
      const settle = waiting.get(response.id);
      waiting.delete(response.id);
      if ('error' in response) return settle?.(left({ kind: 'rejected', reason: response.error }));
      // The caller's type follows from the name it called; both ends share the protocol.
      settle?.(right(response.result as never));
    },
  });
  if (isLeft(launched)) return left({ kind: 'crashed', reason: launched.left.reason });
  const engine = engineProcess(launched.right);
  void engine.ended.then((how) => {
    endedHow = how;
    for (const settle of waiting.values()) settle(left({ kind: 'crashed', reason: how }));
    waiting.clear();
  });

  return right({
    ...engine,
    call: (name, ...parameters) =>
      new Promise((resolve) => {
        if (endedHow !== null) return resolve(left({ kind: 'crashed', reason: endedHow }));
        const id = ++lastId;
        waiting.set(id, resolve);
        // A failed send means the process is gone; its exit settles the call.
        launched.right.send({ id, name, parameters });
      }),
  });
};
