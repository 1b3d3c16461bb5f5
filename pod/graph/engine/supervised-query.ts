import { type Either, left } from 'fp-ts/Either';
import { type EngineProcess } from './engine-process';
import { type GraphQuery, type QueryFailure } from './graph-engine';

/** A query from the client's view, independent of the number of attempts. */
export class SupervisedQuery {
  readonly sentAtMs = performance.now();
  /** Time at which the client stopped waiting for its answer; null while it waits. */
  abandonedAtMs: number | null = null;
  /** Why the engine ended during its first attempt; null if it did not. */
  lostTo: string | null = null;
  /** Stops measuring its memory. */
  unwatchMemory: () => void = () => undefined;
  /** Number of times the engine crashed while it ran only this query. */
  crashedAlone = 0;
  /** Resolves with the failure for the client when it must stop waiting. */
  readonly abandoned: Promise<Either<QueryFailure, never>>;
  private resolveAbandoned: (failure: QueryFailure) => void = () => undefined;

  constructor(readonly query: GraphQuery) {
    this.abandoned = new Promise((resolve) => (this.resolveAbandoned = (failure) => resolve(left(failure))));
  }

  /** The remaining time; negative after its timeout. */
  remainingMs(): number {
    return this.sentAtMs + this.query.timeoutMs - performance.now();
  }

  /** Its failure at its timeout; a query that was lost once did not have its whole time. */
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

  /** Why the process was ended because of this query; null if it was not. */
  endedFor(): QueryFailure | null {
    return this.failure;
  }

  /** Ends the process. This query fails with `failure`; the others in the process are lost and retried. */
  endProcess(failure: QueryFailure): void {
    this.failure ??= failure;
    this.process.kill();
  }
}

export const crashed = (message: string): QueryFailure & { readonly kind: 'crashed' } => ({ kind: 'crashed', message });
