import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { reasonOf, type EngineFailure } from './engine-failure';
import { type EngineProcess } from './engine-process';
import { type EngineOptions, type GraphQuery, type QueryFailure } from './graph-engine';
import { createSlots } from './slots';

export type OnSpawn = (process: EngineProcess) => void;

export interface SupervisorOptions<P extends EngineProcess> {
  /**
   * Starts a process and waits until it takes queries, with the loaded graph where there is one. `onSpawn` gets the
   * process as soon as it runs. One that does not get ready is ended by the supervisor.
   */
  readonly launch: (onSpawn: OnSpawn) => Promise<Either<EngineFailure, P>>;
  readonly onCrash: EngineOptions['onCrash'];
}

/** Runs a query; `crashed` with how the process ended, or how the talk with it broke off. */
type RunQuery<P, A> = (process: P, query: GraphQuery) => Promise<Either<QueryFailure, A>>;

export const MAX_QUERIES_AT_ONCE = 8;
/** Not every part of a query notices its timeout. One that outlives it by so much ends with the process. */
const STUCK_AFTER_MS = 5_000;
/** Connections close a moment before the end is told; who asks after a failure shall find the next process. */
const END_TOLD_WITHIN_MS = 1_000;

export const NOT_STARTED: EngineFailure = { kind: 'rejected', reason: 'The engine has not been started.' };

/** Keeps one process of a graph database running: limits its queries, ends it when one is stuck, restarts it. */
export class EngineSupervisor<P extends EngineProcess> {
  private readonly slots = createSlots(MAX_QUERIES_AT_ONCE);
  private current: EngineProcess | null = null;
  /** The process to talk to; pending while one is being started. */
  private ready: Promise<Either<EngineFailure, P>> = Promise.resolve(left(NOT_STARTED));
  private restarts = false;

  constructor(private readonly options: SupervisorOptions<P>) {}

  /** Starts a process. Until `restartAfterCrash` is called it is not started again. */
  start(): Promise<Either<EngineFailure, void>> {
    this.ready = this.launch();
    return this.use(() => Promise.resolve(right(undefined)));
  }

  /** From now on a process that ends by itself is replaced. */
  restartAfterCrash(): void {
    this.restarts = true;
  }

  /** Runs an action on the process, once it is ready. */
  async use<E, A>(action: (process: P) => Promise<Either<E, A>>): Promise<Either<E | EngineFailure, A>> {
    const started = await this.ready;
    return isLeft(started) ? started : action(started.right);
  }

  /** `ended`: when an answer that is still being read has ended; until then it counts as running. */
  async query<A>(
    query: GraphQuery,
    run: RunQuery<P, A>,
    ended?: (answer: A) => Promise<void>,
  ): Promise<Either<QueryFailure, A>> {
    const slot = await this.slots.take(query.timeoutMs);
    if (slot === null) return left(timedOut(query));
    let untilFree = Promise.resolve();
    try {
      const started = await this.ready;
      if (isLeft(started)) return left(crashed(started.left.reason));
      const timeoutMs = Math.max(1, Math.floor(query.timeoutMs - slot.waitedMs));
      const answer = await watched(started.right, { ...query, timeoutMs }, run);
      if (isLeft(answer)) return answer.left.kind === 'timeout' ? left(timedOut(query)) : answer;
      untilFree = ended?.(answer.right) ?? untilFree;
      return answer;
    } finally {
      void untilFree.then(slot.release);
    }
  }

  processIds(): readonly number[] {
    return this.current === null ? [] : [this.current.pid];
  }

  /** Ends the process for good; resolves when it is gone. */
  async end(): Promise<void> {
    this.restarts = false;
    this.current?.kill();
    await this.current?.ended;
  }

  private async launch(): Promise<Either<EngineFailure, P>> {
    const started = await this.options
      .launch((process) => (this.current = process))
      .catch((error: unknown) => left<EngineFailure>({ kind: 'crashed', reason: reasonOf(error) }));
    if (isLeft(started)) this.current?.kill();
    else void started.right.ended.then((how) => this.recover(how));
    return started;
  }

  private async recover(how: string): Promise<void> {
    if (!this.restarts) return;
    this.ready = this.launch();
    this.options.onCrash({ how, recovered: !isLeft(await this.ready) });
  }
}

const watched = async <P extends EngineProcess, A>(
  process: P,
  query: GraphQuery,
  run: RunQuery<P, A>,
): Promise<Either<QueryFailure, A>> => {
  const stuckAfterMs = query.timeoutMs + STUCK_AFTER_MS;
  const stuckAtMs = performance.now() + stuckAfterMs;
  const watchdog = setTimeout(process.kill, stuckAfterMs);
  const answer = await run(process, query).catch((error: unknown) =>
    left<QueryFailure>({ kind: 'crashed', message: reasonOf(error) }),
  );
  clearTimeout(watchdog);
  if (!isLeft(answer) || answer.left.kind !== 'crashed') return answer;
  await Promise.race([process.ended, wait(END_TOLD_WITHIN_MS, undefined, { ref: false })]);
  return left(performance.now() >= stuckAtMs ? timedOut(query) : crashed(answer.left.message));
};

const timedOut = ({ timeoutMs }: GraphQuery): QueryFailure => ({ kind: 'timeout', timeoutMs });

const crashed = (reason: string): QueryFailure => ({
  kind: 'crashed',
  message: `The graph database ended under the query (${reason}) and is being restarted; other queries go on. Change the query before you send it again.`,
});
