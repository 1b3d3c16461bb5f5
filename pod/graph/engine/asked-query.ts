import { type Either, left } from 'fp-ts/Either';
import { type GraphQuery, type QueryFailure } from './graph-engine';

/** A query as its client sees it, however often it is tried. */
export class AskedQuery {
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
