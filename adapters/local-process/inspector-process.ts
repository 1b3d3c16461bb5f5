import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type EngineInspector, type QueryEngineError } from '../../domain/ports/query-engine';
import { type ChildProgram, type ProgramLaunch, startProgram } from './child-program';
import {
  type InspectorAnswer,
  type InspectorCallName,
  type InspectorRequest,
  type InspectorResponse,
} from './inspector-protocol';
import { type MemoryWatchdog } from './memory-watchdog';

export interface InspectorProcessOptions {
  /** Asked at every start. */
  readonly launch: () => Omit<ProgramLaunch, 'onMessage'>;
  readonly memory: MemoryWatchdog;
  readonly memoryLimitMb: number;
}

type Outcome = Either<QueryEngineError, unknown>;

/** A process with a query engine of its own, started by the first call and after each end. One call at a time. */
export interface InspectorProcess {
  /** A call that takes longer than `limitMs`, or too much memory, ends with the process and as `query_failed`. */
  call<N extends InspectorCallName>(
    name: N,
    parameters: Parameters<EngineInspector[N]>,
    limitMs: number,
  ): Promise<InspectorAnswer<N>>;
  close(): Promise<void>;
}

interface Run {
  readonly program: ChildProgram;
  settle: (response: InspectorResponse) => void;
}

export const createInspectorProcess = ({
  launch,
  memory,
  memoryLimitMb,
}: InspectorProcessOptions): InspectorProcess => {
  let run: Run | null = null;
  let lastId = 0;

  const start = (): Either<QueryEngineError, Run> => {
    const onMessage = (message: unknown): void => started.settle(message as InspectorResponse);
    const program = startProgram({ ...launch(), onMessage });
    if (isLeft(program)) return left({ kind: 'unavailable', message: program.left.reason });
    const started: Run = { program: program.right, settle: () => undefined };
    void program.right.exited.then(() => {
      if (run === started) run = null;
    });
    return right(started);
  };

  const end = (ended: Run): void => {
    if (run === ended) run = null;
    void ended.program.kill();
  };

  const ask = async (asked: Run, request: InspectorRequest, limitMs: number): Promise<Outcome> => {
    const over = new AbortController();
    let tooLarge = false;
    const unwatch = memory.watch(asked.program.pid, memoryLimitMb * 1024 * 1024, () => {
      tooLarge = true;
      end(asked);
    });
    const answered = new Promise<Outcome>((resolve) => {
      asked.settle = ({ id, result }) => {
        if (id === request.id) resolve(result);
      };
    });
    const ended = asked.program.exited.then(({ code, signal }): Outcome => {
      const how = tooLarge ? `needed more than ${memoryLimitMb} MB` : `ended (${signal ?? `exit code ${code ?? 0}`})`;
      return left({ kind: 'query_failed', message: `the query engine ${how}; simplify the query` });
    });
    const late = sleep(limitMs, null, { signal: over.signal }).then(
      (): Outcome => {
        end(asked);
        const message = `the query engine did not finish within ${limitMs / 1000} s; simplify the query`;
        return left({ kind: 'query_failed', message });
      },
      () => new Promise<Outcome>(() => undefined),
    );
    asked.program.send({ ...request });
    const outcome = await Promise.race([answered, ended, late]);
    over.abort();
    unwatch();
    return outcome;
  };

  return {
    call: async (name, parameters, limitMs) => {
      const started = run === null ? start() : right(run);
      if (!isLeft(started)) run = started.right;
      lastId += 1;
      const request = { id: lastId, name, parameters };
      const outcome = isLeft(started) ? started : await ask(started.right, request, limitMs);
      // The answer's type follows from the name that was called; both ends share the protocol.
      return outcome as InspectorAnswer<typeof name>;
    },
    close: async () => {
      await run?.program.hangUp(1_000);
    },
  };
};
