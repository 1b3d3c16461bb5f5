import { type Either, left, right } from 'fp-ts/Either';
import { type ObjectStore } from '../../domain/ports/object-store';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { type FaultPlan } from './faults';
import { type SimulatedTime } from './simulated-time';

/** The number of rows that every query returns. */
export const ROWS = 3;

const QUICK_SECONDS = 4;
const SLOW_SECONDS = 90;
const RESTART_SECONDS = 60;

/**
 * A query engine outside the workers, which writes its results into the object store itself. A restart discards its
 * queries, and it is unavailable for a while.
 */
export class SimulatedEngine {
  /** Whether the query at an address has finished. */
  private readonly queries = new Map<string, boolean>();
  private lastQuery = 0;
  private upAt = 0;

  constructor(
    private readonly time: SimulatedTime,
    private readonly plan: FaultPlan,
    private readonly objectStore: ObjectStore,
  ) {}

  /** Starts a query whose rows go into the folder; returns its address. */
  submit(folder: string): Either<QueryEngineError, string> {
    if (this.isAway()) return AWAY;
    this.lastQuery += 1;
    const name = String(this.lastQuery);
    const address = `http://engine/${name}`;
    this.queries.set(address, false);
    const seconds = this.plan.chance() < 0.8 ? QUICK_SECONDS : SLOW_SECONDS * this.plan.chance();
    void this.time.sleep(seconds).then(async () => {
      if (!this.queries.has(address)) return;
      await this.objectStore.putText(`${folder}part-${name}.parquet`, String(ROWS));
      this.queries.set(address, true);
    });
    return right(address);
  }

  /** Whether the query has finished. */
  poll(address: string): Either<QueryEngineError, boolean> {
    if (this.isAway()) return AWAY;
    const finished = this.queries.get(address);
    return finished === undefined
      ? left({ kind: 'unknown_query', message: `the query ${address} is not known` })
      : right(finished);
  }

  cancel(address: string): Either<QueryEngineError, void> {
    if (this.isAway()) return AWAY;
    this.queries.delete(address);
    return right(undefined);
  }

  private isAway(): boolean {
    const fault = this.plan.next('engine works');
    if (fault === 'crash_before' || fault === 'crash_after') {
      this.queries.clear();
      this.upAt = this.time.seconds + RESTART_SECONDS * this.plan.chance();
    }
    return this.time.seconds < this.upAt;
  }
}

const AWAY: Either<QueryEngineError, never> = left({ kind: 'unavailable', message: 'the engine restarts' });
