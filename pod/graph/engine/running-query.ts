import { type EngineProcess } from './engine-process';
import { type GraphQuery, type QueryFailure } from './graph-engine';

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
