import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type EngineFailure, reasonOf } from './engine-failure';
import { type EngineProcess } from './engine-process';
import { type ExportedRows } from './export/exported-rows';
import {
  type EngineOptions,
  type GraphQuery,
  type PodResources,
  type QueryClient,
  type QueryFailure,
  unnamedClient,
} from './graph-engine';
import { MemoryWatchdog } from './memory-watchdog';
import { Slots } from './slots';
import { crashed, RunningQuery, SupervisedQuery } from './supervised-query';

export type OnSpawn = (process: EngineProcess) => void;

export interface SupervisorOptions<P extends EngineProcess> {
  /**
   * Starts a process and waits until it accepts queries, with the loaded graph if there is one. `onSpawn` receives the
   * process as soon as it runs. The supervisor ends a process that does not become ready.
   */
  readonly launch: (onSpawn: OnSpawn) => Promise<Either<EngineFailure, P>>;
  readonly onCrash: EngineOptions['onCrash'];
  readonly podResources: PodResources;
  /** Delay between a query's timeout and the end of the process, at least half a second. */
  readonly endOverdueAfterMs: number;
}

/** Runs a query; `crashed` with the reason of the process's end or of the lost connection. */
type Execute<P, A> = (process: P, query: GraphQuery) => Promise<Either<QueryFailure, A>>;

/** Not every part of a query observes its timeout. The client waits at most this much longer. */
const OVERDUE_MS = 500;
/** Maximum wait of other queries for abandoned ones before the process is ended. */
const OTHERS_WAIT_MS = 2_000;
/** A process that runs only abandoned queries is ended this long after the last of them was abandoned … */
const IDLE_MS = 500;
/** … if its last start took at most this long. */
const QUICK_START_MS = 1_000;
const CHECK_INTERVAL_MS = 100;
/** Connections close a moment before the exit is reported; a retry after a failure must get the next process. */
const EXIT_REPORTED_WITHIN_MS = 1_000;

export const NOT_STARTED: EngineFailure = { kind: 'rejected', reason: 'The engine has not been started.' };
const ABANDONED: QueryFailure = { kind: 'abandoned' };

/** Keeps one process of a graph database running: limits its queries, ends it for faulty queries, restarts it. */
export class EngineSupervisor<P extends EngineProcess> {
  private readonly slots = new Slots();
  private readonly inEngine = new Map<SupervisedQuery, RunningQuery>();
  private readonly memory: MemoryWatchdog;
  private actions = 0;
  private current: EngineProcess | null = null;
  /** The current process; pending while one is being started. */
  private ready: Promise<Either<EngineFailure, P>> = Promise.resolve(left(NOT_STARTED));
  private restarts = false;
  private lastStartMs = 0;
  private watch: NodeJS.Timeout | undefined;
  private readonly endedForQueries = new WeakSet<EngineProcess>();

  constructor(private readonly options: SupervisorOptions<P>) {
    this.memory = new MemoryWatchdog(options.podResources);
  }

  /** Starts a process. It is not restarted until `restartAfterCrash` is called. */
  start(): Promise<Either<EngineFailure, void>> {
    this.ready = this.launch();
    return this.use(() => Promise.resolve(right(undefined)));
  }

  /** From now on a process that exits unexpectedly is replaced. */
  restartAfterCrash(): void {
    this.restarts = true;
  }

  /**
   * Runs an action on the process, once it is ready; runs it again on the next one if its process was ended because of
   * a query. So the action must be repeatable, even after it was completed.
   */
  async use<E extends { readonly kind: string }, A>(
    action: (process: P) => Promise<Either<E, A>>,
  ): Promise<Either<E | EngineFailure, A>> {
    const started = await this.ready;
    if (isLeft(started)) return started;
    const first = await this.act(started.right, action);
    if (!isLeft(first) || first.left.kind !== 'crashed') return first;
    await exitReported(started.right);
    const next = await this.ready;
    return isLeft(next) || !this.endedForQueries.has(started.right) ? first : this.act(next.right, action);
  }

  /**
   * Returns within half a second after the query's timeout, and immediately when the client disconnects. A query that
   * was lost with the process because of another one is retried once, because it is read-only. `rest`: rows that are
   * read after the answer; the query counts as running until they end.
   */
  async query<A>(
    query: GraphQuery,
    execute: Execute<P, A>,
    { name, disconnected }: QueryClient = unnamedClient(),
    rest?: (answer: A) => ExportedRows,
  ): Promise<Either<QueryFailure, A>> {
    const supervised = new SupervisedQuery(query);
    const slot = await this.slots.take(name, query.timeoutMs, disconnected);
    if (slot === null) return left(disconnected.aborted ? ABANDONED : supervised.outOfTime());
    const abandon = (failure: QueryFailure): void => {
      supervised.abandon(failure);
      slot.releaseQuota();
      this.watch ??= setInterval(() => this.endAbandoned(), CHECK_INTERVAL_MS).unref();
    };
    const onDisconnected = (): void => abandon(ABANDONED);
    disconnected.addEventListener('abort', onDisconnected);
    if (disconnected.aborted) onDisconnected();
    const overdue = setTimeout(() => {
      abandon(this.inEngine.has(supervised) ? supervised.outOfTime() : crashed('it was still starting at the timeout'));
      setTimeout(
        () => this.inEngine.get(supervised)?.endProcess(supervised.outOfTime()),
        this.options.endOverdueAfterMs - OVERDUE_MS,
      ).unref();
    }, supervised.remainingMs() + OVERDUE_MS);
    const answer = this.answer(supervised, execute).finally(() => clearTimeout(overdue));
    void answer
      .then((read) => (isLeft(read) || rest === undefined ? undefined : this.untilRead(supervised, rest(read.right))))
      .finally(() => {
        disconnected.removeEventListener('abort', onDisconnected);
        supervised.unwatchMemory();
        slot.release();
      });
    return Promise.race([answer, supervised.abandoned]);
  }

  processIds(): readonly number[] {
    return this.current === null ? [] : [this.current.pid];
  }

  /** Ends the process permanently; resolves after its exit. */
  async end(): Promise<void> {
    this.restarts = false;
    clearInterval(this.watch);
    this.current?.kill();
    await this.current?.ended;
  }

  private async act<A>(process: P, action: (process: P) => Promise<A>): Promise<A> {
    this.actions++;
    return action(process).finally(() => this.actions--);
  }

  private async untilRead(supervised: SupervisedQuery, rows: ExportedRows): Promise<void> {
    this.actions++;
    if (supervised.abandonedAtMs !== null) await rows.return().catch(() => undefined);
    await rows.ended;
    this.actions--;
  }

  private async answer<A>(supervised: SupervisedQuery, execute: Execute<P, A>): Promise<Either<QueryFailure, A>> {
    const first = await this.attempt(supervised, execute);
    if (!isLeft(first) || first.left.kind !== 'crashed' || supervised.abandonedAtMs !== null) return first;
    if (supervised.remainingMs() < 1) return left(supervised.outOfTime());
    supervised.lostTo = first.left.message;
    const second = await this.attempt(supervised, execute);
    if (!isLeft(second) || second.left.kind !== 'crashed' || supervised.crashedAlone < 2) return second;
    return left({ kind: 'fatal', message: second.left.message });
  }

  private async attempt<A>(supervised: SupervisedQuery, execute: Execute<P, A>): Promise<Either<QueryFailure, A>> {
    const started = await this.ready;
    if (isLeft(started)) return left(crashed(started.left.reason));
    if (supervised.abandonedAtMs !== null) return left(ABANDONED);
    const process = started.right;
    const running = new RunningQuery(process);
    this.inEngine.set(supervised, running);
    supervised.unwatchMemory();
    supervised.unwatchMemory = this.memory.watch(running);
    const timeoutMs = Math.max(1, Math.floor(supervised.remainingMs()));
    const answer = await execute(process, { ...supervised.query, timeoutMs }).catch((error: unknown) =>
      left(crashed(reasonOf(error))),
    );
    const isLost = isLeft(answer) && answer.left.kind === 'crashed';
    if (isLost) await exitReported(process);
    this.inEngine.delete(supervised);
    if (isLost) return left(running.endedFor() ?? answer.left);
    const isOutOfTime = isLeft(answer) && answer.left.kind === 'timeout';
    return isOutOfTime ? left(supervised.outOfTime()) : answer;
  }

  /** Ends the process when queries wait for abandoned ones, or when only abandoned ones run. */
  private endAbandoned(): void {
    const abandoned = [...this.inEngine].filter(([{ abandonedAtMs }]) => abandonedAtMs !== null);
    if (abandoned.length === 0) {
      clearInterval(this.watch);
      this.watch = undefined;
      return;
    }
    const abandonedForMs =
      performance.now() - Math.min(...abandoned.map(([supervised]) => supervised.abandonedAtMs ?? Infinity));
    const isIdle = abandoned.length === this.inEngine.size && this.actions === 0;
    const harmsNoQuery = isIdle && abandonedForMs >= IDLE_MS && this.lastStartMs <= QUICK_START_MS;
    const othersWaitMs = performance.now() - (this.slots.waitingSinceMs() ?? Infinity);
    const blockOthers = Math.min(abandonedForMs, othersWaitMs) >= OTHERS_WAIT_MS;
    if (harmsNoQuery || blockOthers) for (const [, running] of abandoned) running.endProcess(ABANDONED);
  }

  private async launch(): Promise<Either<EngineFailure, P>> {
    const startedAtMs = performance.now();
    const started = await this.options
      .launch((process) => (this.current = process))
      .catch((error: unknown) => left<EngineFailure>({ kind: 'crashed', reason: reasonOf(error) }));
    this.lastStartMs = performance.now() - startedAtMs;
    if (isLeft(started)) this.current?.kill();
    else void started.right.ended.then((how) => this.recover(started.right, how));
    return started;
  }

  private async recover(process: P, how: string): Promise<void> {
    const queries = [...this.inEngine];
    const culprits = queries.flatMap(([, running]) => running.endedFor() ?? []);
    if (culprits.length > 0) this.endedForQueries.add(process);
    else if (queries.length === 1) queries.forEach(([supervised]) => supervised.crashedAlone++);
    if (!this.restarts) return;
    this.ready = this.launch();
    const why = culprits[0] === undefined ? how : `ended because of a query: ${culprits[0].kind}`;
    const isWanted = culprits.length > 0 && culprits.every(({ kind }) => kind === 'abandoned');
    this.options.onCrash({ how: why, isWanted, recovered: !isLeft(await this.ready) });
  }
}

const exitReported = (process: EngineProcess): Promise<unknown> =>
  Promise.race([process.ended, wait(EXIT_REPORTED_WITHIN_MS, undefined, { ref: false })]);
