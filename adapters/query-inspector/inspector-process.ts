import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type EngineInspector, type QueryEngineError } from '../../domain/ports/query-engine';
import { type MemoryWatchdog } from '../local-process/memory-watchdog';
import { type ProgramLaunch, startProgram } from '../local-process/start-program';
import { exitText, type LaunchedProcess } from '../system/launch-process';
import {
  type InspectorAnswer,
  type InspectorCallName,
  type InspectorRequest,
  type InspectorResponse,
} from './inspector-protocol';

export interface InspectorProcessOptions {
  /** Called at every start. */
  readonly launch: () => Omit<ProgramLaunch, 'onMessage'>;
  readonly memory: MemoryWatchdog;
  readonly memoryLimitMb: number;
}

type Outcome = Either<QueryEngineError, unknown>;

interface Run {
  readonly program: LaunchedProcess;
  /** Ends the current call. */
  finish: (outcome: Outcome) => void;
  onMessage: (message: InspectorResponse) => void;
}

/** A process with its own query engine, started by the first call and after each exit. One call at a time. */
export class InspectorProcess {
  #run: Run | null = null;
  #lastId = 0;
  #isClosed = false;

  constructor(private readonly options: InspectorProcessOptions) {}

  /** A call that exceeds `limitMs` or the memory limit ends the process and fails as `query_failed`. */
  async call<N extends InspectorCallName>(
    name: N,
    parameters: Parameters<EngineInspector[N]>,
    limitMs: number,
  ): Promise<InspectorAnswer<N>> {
    const started = this.#run === null ? this.#start() : right(this.#run);
    if (!isLeft(started)) this.#run = started.right;
    this.#lastId += 1;
    const request = { id: this.#lastId, name, parameters };
    const outcome = isLeft(started) ? started : await this.#ask(started.right, request, limitMs);
    // The name of the call determines the type of the result; both ends share the protocol.
    return outcome as InspectorAnswer<N>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#run?.program.disconnect(DISCONNECT_MS);
  }

  #start(): Either<QueryEngineError, Run> {
    if (this.#isClosed) return left(STOPPING);
    const onMessage = (message: unknown): void => started.onMessage(message as InspectorResponse);
    const program = startProgram({ ...this.options.launch(), onMessage });
    if (isLeft(program)) return left({ kind: 'unavailable', message: program.left.reason });
    const started: Run = { program: program.right, finish: () => undefined, onMessage: () => undefined };
    void program.right.exited.then((exit) => {
      if (this.#run === started) this.#run = null;
      started.finish(this.#isClosed ? left(STOPPING) : failed(`ended (${exitText(exit)})`));
    });
    return right(started);
  }

  async #ask(run: Run, request: InspectorRequest, limitMs: number): Promise<Outcome> {
    const { memory, memoryLimitMb } = this.options;
    const timer = setTimeout(() => this.#kill(run, `did not finish within ${limitMs / 1000} s`), limitMs);
    const unwatch = memory.watch(run.program.pid, memoryLimitMb * 1024 * 1024, () =>
      this.#kill(run, `needed more than ${memoryLimitMb} MB`),
    );
    const outcome = await new Promise<Outcome>((resolve) => {
      run.finish = resolve;
      run.onMessage = ({ id, result }) => {
        if (id === request.id) resolve(result);
      };
      run.program.send({ ...request });
    });
    clearTimeout(timer);
    unwatch();
    return outcome;
  }

  #kill(killed: Run, why: string): void {
    if (this.#run === killed) this.#run = null;
    killed.finish(failed(why));
    void killed.program.kill();
  }
}

const DISCONNECT_MS = 1_000;

const failed = (how: string): Outcome =>
  left({ kind: 'query_failed', message: `the query engine ${how}; simplify the query`, canRetry: false });

const STOPPING: QueryEngineError = { kind: 'unavailable', message: 'the system is stopping' };
