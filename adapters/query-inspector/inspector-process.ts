import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type EngineInspector, type QueryEngineError } from '../../domain/ports/query-engine';
import { type MemoryWatchdog } from '../local-process/memory-watchdog';
import { type ProgramLaunch, startProgram } from '../local-process/start-program';
import { exitText, type LaunchedProcess } from '../system/launch-process';
import {
  type InspectorAnswer,
  type InspectorCallName,
  type InspectorNotice,
  type InspectorRequest,
  type InspectorResponse,
} from './inspector-protocol';

export interface InspectorProcessOptions {
  /** Called at every start. */
  readonly launch: () => Omit<ProgramLaunch, 'onMessage'>;
  readonly memory: MemoryWatchdog;
  readonly memoryLimitMb: number;
  /** The files whose opening ended a process, which later calls leave out. */
  readonly leftOut: { readonly list: () => readonly string[]; readonly add: (path: string) => void };
}

type Outcome = Either<QueryEngineError, unknown>;
/** The process ended because of a file that the next one leaves out. */
const LEFT_OUT = Symbol('left out');

interface Run {
  readonly program: LaunchedProcess;
  /** What its current call leaves out. */
  leftOut: readonly string[];
  /** Ends the current call. */
  finish: (outcome: Outcome | typeof LEFT_OUT) => void;
  onMessage: (message: InspectorResponse) => void;
  opening: readonly string[];
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
    let outcome: Outcome | typeof LEFT_OUT = LEFT_OUT;
    while (outcome === LEFT_OUT) {
      const started = this.#run === null ? this.#start() : right(this.#run);
      if (!isLeft(started)) this.#run = started.right;
      this.#lastId += 1;
      const request = { id: this.#lastId, name, parameters, leftOut: this.options.leftOut.list() };
      outcome = isLeft(started) ? started : await this.#ask(started.right, request, limitMs);
    }
    // The name of the call determines the type of the result; both ends share the protocol.
    return outcome as InspectorAnswer<N>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#run?.program.disconnect(DISCONNECT_MS);
  }

  #start(): Either<QueryEngineError, Run> {
    if (this.#isClosed) return left(STOPPING);
    const onMessage = (given: unknown): void => {
      const message = given as InspectorResponse | InspectorNotice;
      if ('opening' in message) started.opening = message.opening;
      else started.onMessage(message);
    };
    const program = startProgram({ ...this.options.launch(), onMessage });
    if (isLeft(program)) return left({ kind: 'unavailable', message: program.left.reason });
    const started: Run = {
      ...{ program: program.right, leftOut: [], opening: [] },
      ...{ finish: () => undefined, onMessage: () => undefined },
    };
    void program.right.exited.then((exit) => {
      // Otherwise it was killed, and its call has failed.
      if (this.#run !== started) return;
      this.#run = null;
      started.finish(this.#isClosed ? left(STOPPING) : this.#outcomeOf(started, `ended (${exitText(exit)})`));
    });
    return right(started);
  }

  async #ask(run: Run, request: InspectorRequest, limitMs: number): Promise<Outcome | typeof LEFT_OUT> {
    const { memory, memoryLimitMb } = this.options;
    run.leftOut = request.leftOut;
    const timer = setTimeout(() => this.#kill(run, failed(`did not finish within ${limitMs / 1000} s`)), limitMs);
    const unwatch = memory.watch(run.program.pid, memoryLimitMb * 1024 * 1024, () => {
      this.#kill(run, this.#outcomeOf(run, `needed more than ${memoryLimitMb} MB`));
    });
    const outcome = await new Promise<Outcome | typeof LEFT_OUT>((resolve) => {
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

  /** The outcome of the call of a process that ended: a file that it was opening is left out from now on. */
  #outcomeOf({ opening, leftOut }: Run, how: string): Outcome | typeof LEFT_OUT {
    const file = opening.find((path) => !leftOut.includes(path));
    if (file === undefined) return failed(how);
    this.options.leftOut.add(file);
    return LEFT_OUT;
  }

  #kill(killed: Run, outcome: Outcome | typeof LEFT_OUT): void {
    if (this.#run === killed) this.#run = null;
    killed.finish(outcome);
    void killed.program.kill();
  }
}

const DISCONNECT_MS = 1_000;

const failed = (how: string): Outcome =>
  left({ kind: 'query_failed', message: `the query engine ${how}; simplify the query`, canRetry: false });

const STOPPING: QueryEngineError = { kind: 'unavailable', message: 'the system is stopping' };
