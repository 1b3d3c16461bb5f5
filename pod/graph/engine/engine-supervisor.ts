import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { reasonOf, type EngineFailure } from './engine-failure';
import { type EngineProcess } from './engine-process';
import {
  anybody,
  type EngineOptions,
  type GraphQuery,
  type PodMemory,
  type QueryClient,
  type QueryFailure,
} from './graph-engine';
import { MemoryWatchdog } from './memory-watchdog';
import { RunningQuery, SupervisedQuery } from './supervised-query';
import { Slots } from './slots';

export type OnSpawn = (process: EngineProcess) => void;

export interface SupervisorOptions<P extends EngineProcess> {
  /**
   * Starts a process and waits until it takes queries, with the loaded graph where there is one. `onSpawn` gets the
   * process as soon as it runs. One that does not get ready is ended by the supervisor.
   */
  readonly launch: (onSpawn: OnSpawn) => Promise<Either<EngineFailure, P>>;
  readonly onCrash: EngineOptions['onCrash'];
  readonly podMemory: PodMemory;
  /** How long a query may outlive its timeout until the process is ended, at least half a second. */
  readonly endOverdueAfterMs: number;
  /** How many queries the engine works on at a time; the others in it wait until one of these ends. */
  readonly worksOn: number;
}

/** Runs a query; `crashed` with how the process ended, or how the talk with it broke off. */
type Execute<P, A> = (process: P, query: GraphQuery) => Promise<Either<QueryFailure, A>>;

/** Rows that are read from the engine after the query was answered. */
interface UnreadRows {
  /** Resolves when they have all been read, or were given up. */
  readonly ended: Promise<void>;
  /** Gives them up. */
  readonly return: () => Promise<unknown>;
}

export const MAX_QUERIES_AT_ONCE = 8;
const MAX_QUERIES_OF_ONE_CALLER = 6;
/** Not every part of a query notices its timeout. The client does not wait for it any longer than this. */
const OVERDUE_MS = 500;
/** How long others wait behind queries that nobody waits for before the process is ended for them. */
const OTHERS_WAIT_MS = 2_000;
/** A process that nobody else uses is ended so long after its last query was abandoned … */
const IDLE_MS = 500;
/** … where it is started again within this time. */
const QUICK_START_MS = 1_000;
const LOOK_EVERY_MS = 100;
/** Connections close a moment before the end is told; who asks after a failure shall find the next process. */
const END_TOLD_WITHIN_MS = 1_000;

export const NOT_STARTED: EngineFailure = { kind: 'rejected', reason: 'The engine has not been started.' };
const ABANDONED: QueryFailure = { kind: 'abandoned' };

/** Keeps one process of a graph database running: limits its queries, ends it for the guilty ones, restarts it. */
export class EngineSupervisor<P extends EngineProcess> {
  private readonly slots = new Slots(MAX_QUERIES_AT_ONCE, MAX_QUERIES_OF_ONE_CALLER);
  /** In the order in which the engine got them. */
  private readonly inEngine = new Map<SupervisedQuery, RunningQuery>();
  private readonly memory: MemoryWatchdog;
  private actions = 0;
  private current: EngineProcess | null = null;
  /** The process to talk to; pending while one is being started. */
  private ready: Promise<Either<EngineFailure, P>> = Promise.resolve(left(NOT_STARTED));
  private restarts = false;
  private lastStartMs = 0;
  private watch: NodeJS.Timeout | undefined;
  private readonly endedForQueries = new WeakSet<EngineProcess>();
  private readonly endedOnPurpose = new WeakMap<EngineProcess, string>();

  constructor(private readonly options: SupervisorOptions<P>) {
    this.memory = new MemoryWatchdog(options.podMemory);
  }

  /** Starts a process. Until `restartAfterCrash` is called it is not started again. */
  start(): Promise<Either<EngineFailure, void>> {
    this.ready = this.launch();
    return this.use(() => Promise.resolve(right(undefined)));
  }

  /** From now on a process that ends by itself is replaced. */
  restartAfterCrash(): void {
    this.restarts = true;
  }

  /**
   * Runs an action on the process, once it is ready; once more on the next one when its process was ended because of
   * somebody's query. So it must not matter that it was done in part, or completely, before.
   */
  async use<E, A>(action: (process: P) => Promise<Either<E, A>>): Promise<Either<E | EngineFailure, A>> {
    const started = await this.ready;
    if (isLeft(started)) return started;
    const first = await this.act(started.right, action);
    if (!isLeft(first) || !isCrash(first.left)) return first;
    await toldEnd(started.right);
    const next = await this.ready;
    return isLeft(next) || !this.endedForQueries.has(started.right) ? first : this.act(next.right, action);
  }

  /**
   * Answers within half a second after the query's timeout, and at once when the client has gone away. A query that was
   * lost with the process, without being to blame, is tried again once: it only reads. `rest`: what is still to be read
   * of the answer; until that has ended it counts as running.
   */
  async query<A>(
    query: GraphQuery,
    execute: Execute<P, A>,
    { name, gone }: QueryClient = anybody(),
    rest?: (answer: A) => UnreadRows,
  ): Promise<Either<QueryFailure, A>> {
    const asked = new SupervisedQuery(query);
    const slot = await this.slots.take(name, query.timeoutMs, gone);
    if (slot === null) return left(gone.aborted ? ABANDONED : timedOut(query));
    const abandon = (failure: QueryFailure): void => {
      asked.abandon(failure);
      slot.leaveShare();
      this.watch ??= setInterval(() => this.relieve(), LOOK_EVERY_MS).unref();
    };
    const onGone = (): void => abandon(ABANDONED);
    gone.addEventListener('abort', onGone);
    if (gone.aborted) onGone();
    const overdue = setTimeout(() => {
      abandon(this.inEngine.has(asked) ? outOfTime(asked) : crashed('it was still being started at the timeout'));
      setTimeout(
        () => this.inEngine.get(asked)?.endProcess(outOfTime(asked)),
        this.options.endOverdueAfterMs - OVERDUE_MS,
      ).unref();
    }, asked.remainingMs() + OVERDUE_MS);
    const answer = this.answer(asked, execute).finally(() => clearTimeout(overdue));
    void answer
      .then((read) => (isLeft(read) || rest === undefined ? undefined : this.untilRead(asked, rest(read.right))))
      .finally(() => {
        gone.removeEventListener('abort', onGone);
        asked.unwatchMemory();
        slot.release();
      });
    return Promise.race([answer, asked.abandoned]);
  }

  /** Ends a process because of what it is to do no more; the next one starts. */
  endOnPurpose(process: P, why: string): void {
    this.endedOnPurpose.set(process, why);
    process.kill();
  }

  processIds(): readonly number[] {
    return this.current === null ? [] : [this.current.pid];
  }

  /** Ends the process for good; resolves when it is gone. */
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

  private async untilRead(asked: SupervisedQuery, rows: UnreadRows): Promise<void> {
    this.actions++;
    if (asked.abandonedAtMs !== null) await rows.return().catch(() => undefined);
    await rows.ended;
    this.actions--;
  }

  private async answer<A>(asked: SupervisedQuery, execute: Execute<P, A>): Promise<Either<QueryFailure, A>> {
    const first = await this.attempt(asked, execute);
    if (!isLeft(first) || first.left.kind !== 'crashed' || asked.abandonedAtMs !== null) return first;
    if (asked.remainingMs() < 1) return left(outOfTime(asked));
    asked.lostTo = first.left.message;
    const second = await this.attempt(asked, execute);
    if (!isLeft(second) || second.left.kind !== 'crashed' || asked.crashedAlone < 2) return second;
    const message = `The graph database ended under this query (${second.left.message}), twice, with no other beside it.`;
    return left({ kind: 'rejected', message, position: null });
  }

  private async attempt<A>(asked: SupervisedQuery, execute: Execute<P, A>): Promise<Either<QueryFailure, A>> {
    const started = await this.ready;
    if (isLeft(started)) return left(crashed(started.left.reason));
    if (asked.abandonedAtMs !== null) return left(ABANDONED);
    const { query } = asked;
    const process = started.right;
    const running = new RunningQuery(query, process);
    this.inEngine.set(asked, running);
    asked.unwatchMemory();
    asked.unwatchMemory = this.memory.watch(running);
    const timeoutMs = Math.max(1, Math.floor(asked.remainingMs()));
    const answer = await execute(process, { ...query, timeoutMs }).catch((error: unknown) =>
      left(crashed(reasonOf(error))),
    );
    const isLost = isLeft(answer) && answer.left.kind === 'crashed';
    if (isLost) await toldEnd(process);
    this.inEngine.delete(asked);
    if (isLost) return left(running.endedFor() ?? answer.left);
    return isLeft(answer) && answer.left.kind === 'timeout' ? left(outOfTime(asked)) : answer;
  }

  /** Ends the process when others have to wait for queries that nobody waits for, or when nobody else is in it. */
  private relieve(): void {
    const abandoned = [...this.inEngine].filter(([{ abandonedAtMs }]) => abandonedAtMs !== null);
    if (abandoned.length === 0) {
      clearInterval(this.watch);
      this.watch = undefined;
      return;
    }
    const abandonedForMs = performance.now() - Math.min(...abandoned.map(([asked]) => asked.abandonedAtMs ?? Infinity));
    const isIdle = abandoned.length === this.inEngine.size && this.actions === 0;
    const costsNobody = isIdle && abandonedForMs >= IDLE_MS && this.lastStartMs <= QUICK_START_MS;
    const areWaitedFor = Math.min(abandonedForMs, this.othersWaitMs()) >= OTHERS_WAIT_MS;
    if (costsNobody || areWaitedFor) for (const [, running] of abandoned) running.endProcess(ABANDONED);
  }

  /** How long the first of the others has waited: for a slot, or in the engine behind those that it works on. */
  private othersWaitMs(): number {
    const behind = [...this.inEngine.keys()].slice(this.options.worksOn);
    const since = behind.filter(({ abandonedAtMs }) => abandonedAtMs === null).map(({ askedAtMs }) => askedAtMs);
    return performance.now() - Math.min(this.slots.waitingSinceMs() ?? Infinity, ...since);
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
    const guilty = queries.flatMap(([, running]) => running.endedFor() ?? []);
    if (guilty.length > 0) this.endedForQueries.add(process);
    else if (queries.length === 1) queries.forEach(([asked]) => asked.crashedAlone++);
    if (!this.restarts) return;
    this.ready = this.launch();
    const purpose = this.endedOnPurpose.get(process);
    const why = guilty[0] === undefined ? (purpose ?? how) : `ended because of a query: ${guilty[0].kind}`;
    const isWanted = guilty.length === 0 ? purpose !== undefined : guilty.every(({ kind }) => kind === 'abandoned');
    this.options.onCrash({ how: why, isWanted, recovered: !isLeft(await this.ready) });
  }
}

const toldEnd = (process: EngineProcess): Promise<unknown> =>
  Promise.race([process.ended, wait(END_TOLD_WITHIN_MS, undefined, { ref: false })]);

const isCrash = (failure: unknown): boolean =>
  typeof failure === 'object' && failure !== null && 'kind' in failure && failure.kind === 'crashed';

const timedOut = ({ timeoutMs }: GraphQuery): QueryFailure => ({ kind: 'timeout', timeoutMs });

/** One that was lost once has not had all its time. */
const outOfTime = ({ query, lostTo }: SupervisedQuery): QueryFailure =>
  lostTo === null ? timedOut(query) : crashed(lostTo);

const crashed = (message: string): QueryFailure & { readonly kind: 'crashed' } => ({ kind: 'crashed', message });
