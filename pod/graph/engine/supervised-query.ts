import { type Either, left } from 'fp-ts/Either';
import { type EngineProcess } from './engine-process';
import { type GraphQuery, type QueryFailure } from './graph-engine';

/** A query as its client sees it, whatever the number of attempts. */
export class SupervisedQuery {
  readonly sentAtMs = performance.now();
  /** Since when the client no longer waits for its answer; null while it does. */
  abandonedAtMs: number | null = null;
  /** How the engine ended during its first attempt; null when it has not. */
  lostTo: string | null = null;
  /** Stops counting its memory. */
  unwatchMemory: () => void = () => undefined;
  /** How often the engine ended by itself while it ran this query only. */
  crashedAlone = 0;
  /** Resolves with the failure the client gets when it must not wait any longer. */
  readonly abandoned: Promise<Either<QueryFailure, never>>;
  private resolveAbandoned: (failure: QueryFailure) => void = () => undefined;

  constructor(readonly query: GraphQuery) {
    this.abandoned = new Promise((resolve) => (this.resolveAbandoned = (failure) => resolve(left(failure))));
  }

  /** The rest of its timeout; negative after it. */
  remainingMs(): number {
    return this.sentAtMs + this.query.timeoutMs - performance.now();
  }

  /** Its failure at its timeout; a query that was lost once has not had all its time. */
  outOfTime(): QueryFailure {
    return this.lostTo === null ? { kind: 'timeout', timeoutMs: this.query.timeoutMs } : crashed(this.lostTo);
  }

  abandon(failure: QueryFailure): void {
    this.abandonedAtMs ??= performance.now();
    this.resolveAbandoned(failure);
  }
}

/** A query in the engine's process. */
export class RunningQuery {
  private failure: QueryFailure | null = null;

  constructor(readonly process: EngineProcess) {}

  /** Why the process was ended because of this query; null when it was not. */
  endedFor(): QueryFailure | null {
    return this.failure;
  }

  /** Ends the process. This query gets the failure; the others in the process are lost and retried. */
  endProcess(failure: QueryFailure): void {
    this.failure ??= failure;
    this.process.kill();
  }
}

export const crashed = (message: string): QueryFailure & { readonly kind: 'crashed' } => ({ kind: 'crashed', message });
