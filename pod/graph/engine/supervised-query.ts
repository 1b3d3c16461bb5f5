import { type Either, left } from 'fp-ts/Either';
import { type EngineProcess } from './engine-process';
import { type GraphQuery, type QueryFailure } from './graph-engine';

/** A query as its client sees it, however often it is tried. */
export class SupervisedQuery {
  readonly askedAtMs = performance.now();
  /** Since when nobody waits for its answer; null while somebody does. */
  abandonedAtMs: number | null = null;
  /** How the engine ended under its first try; null when it has not. */
  lostTo: string | null = null;
  /** Its memory is of no interest any more. */
  unwatchMemory: () => void = () => undefined;
  /** How often the engine ended by itself with no other query in it. */
  crashedAlone = 0;
  /** Resolves with what the client is told when it shall not wait any longer. */
  readonly abandoned: Promise<Either<QueryFailure, never>>;
  private tell: (failure: QueryFailure) => void = () => undefined;

  constructor(readonly query: GraphQuery) {
    this.abandoned = new Promise((resolve) => (this.tell = (failure) => resolve(left(failure))));
  }

  /** What is left of its timeout; negative when that is over. */
  remainingMs(): number {
    return this.askedAtMs + this.query.timeoutMs - performance.now();
  }

  abandon(failure: QueryFailure): void {
    this.abandonedAtMs ??= performance.now();
    this.tell(failure);
  }
}

/** A query in the engine's process. */
export class RunningQuery {
  private failure: QueryFailure | null = null;

  constructor(
    readonly query: GraphQuery,
    readonly process: EngineProcess,
  ) {}

  /** Why the process was ended because of this query; null when it was not. */
  endedFor(): QueryFailure | null {
    return this.failure;
  }

  /** Ends the process. This query fails as told; the others in the process are lost without a fault of theirs. */
  endProcess(failure: QueryFailure): void {
    this.failure ??= failure;
    this.process.kill();
  }
}
