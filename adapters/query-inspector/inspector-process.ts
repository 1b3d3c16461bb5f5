import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type EngineInspector, type QueryEngineError } from '../../domain/ports/query-engine';
import { type ChildProgram, type ProgramLaunch, startProgram } from '../local-process/child-program';
import {
  type InspectorAnswer,
  type InspectorCallName,
  type InspectorRequest,
  type InspectorResponse,
} from './inspector-protocol';
import { type MemoryWatchdog } from '../local-process/memory-watchdog';

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
  /** Ends the call under way. */
  finish: (outcome: Outcome) => void;
  onMessage: (message: InspectorResponse) => void;
}

export const createInspectorProcess = ({
  launch,
  memory,
  memoryLimitMb,
}: InspectorProcessOptions): InspectorProcess => {
  let run: Run | null = null;
  let lastId = 0;
  let isClosed = false;

  const start = (): Either<QueryEngineError, Run> => {
    if (isClosed) return left(STOPPING);
    const onMessage = (message: unknown): void => started.onMessage(message as InspectorResponse);
    const program = startProgram({ ...launch(), onMessage });
    if (isLeft(program)) return left({ kind: 'unavailable', message: program.left.reason });
    const started: Run = { program: program.right, finish: () => undefined, onMessage: () => undefined };
    void program.right.exited.then(({ code, signal }) => {
      if (run === started) run = null;
      started.finish(isClosed ? left(STOPPING) : failed(`ended (${signal ?? `exit code ${code ?? 0}`})`));
    });
    return right(started);
  };

  const kill = (killed: Run, why: string): void => {
    if (run === killed) run = null;
    killed.finish(failed(why));
    void killed.program.kill();
  };

  const ask = async (asked: Run, request: InspectorRequest, limitMs: number): Promise<Outcome> => {
    const timer = setTimeout(() => kill(asked, `did not finish within ${limitMs / 1000} s`), limitMs);
    const unwatch = memory.watch(asked.program.pid, memoryLimitMb * 1024 * 1024, () =>
      kill(asked, `needed more than ${memoryLimitMb} MB`),
    );
    const outcome = await new Promise<Outcome>((resolve) => {
      asked.finish = resolve;
      asked.onMessage = ({ id, result }) => {
        if (id === request.id) resolve(result);
      };
      asked.program.send({ ...request });
    });
    clearTimeout(timer);
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
      isClosed = true;
      await run?.program.hangUp(HANG_UP_MS);
    },
  };
};

const HANG_UP_MS = 1_000;

const failed = (how: string): Outcome =>
  left({ kind: 'query_failed', message: `the query engine ${how}; simplify the query` });

const STOPPING: QueryEngineError = { kind: 'unavailable', message: 'the system is stopping' };
