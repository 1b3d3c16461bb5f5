import { once, WaitingLine } from './waiting-line';

/** `alone`: without other queries of its caller; `slow`: for its whole remaining time. */
export type Wanted = 'any' | 'alone' | 'slow';

interface Request {
  readonly caller: string;
  readonly wants: Wanted;
}

/**
 * The right to run in the engine for a limited time; `next`: the request after that limit was too short, null if it was
 * the whole time.
 */
export interface Turn {
  readonly mostMs: number;
  readonly next: Wanted | null;
  readonly release: () => void;
}

interface Quick {
  readonly sinceMs: number;
  readonly isAlone: boolean;
}

/**
 * Queries join others of their caller that began at most this long ago: after a slow one they would not get their time.
 */
const JOIN_MS = 50;

/**
 * For an engine whose workers do not leave a query before it ends. One query at a time may use its whole time;
 * meanwhile the queries of each caller end `quickMs` after the first of them. So a worker becomes free soon, however
 * many slow queries a caller has.
 */
export class Lanes extends WaitingLine<Request, Turn> {
  private isSlowTaken = false;
  /** By caller, in the order in which they began. */
  private readonly quick = new Map<string, readonly Quick[]>();

  constructor(private readonly quickMs: number) {
    super();
  }

  protected callerOf({ caller }: Request): string {
    return caller;
  }

  protected isEligible({ caller, wants }: Request): boolean {
    return wants === 'slow' || !this.quick.has(caller);
  }

  protected tryTake({ caller, wants }: Request): Turn | null {
    if (!this.isSlowTaken) {
      this.isSlowTaken = true;
      return { mostMs: Infinity, next: null, release: this.releasing(() => (this.isSlowTaken = false)) };
    }
    if (wants === 'slow') return null;
    const own = this.quick.get(caller) ?? [];
    const [oldest] = own;
    const one = { sinceMs: performance.now(), isAlone: wants === 'alone' };
    const ageMs = one.sinceMs - (oldest?.sinceMs ?? one.sinceMs);
    if (oldest !== undefined && (one.isAlone || oldest.isAlone || ageMs > JOIN_MS)) return null;
    this.quick.set(caller, [...own, one]);
    return {
      // The time that queries of other callers may use first does not count.
      mostMs: this.quickMs * this.quick.size - ageMs,
      next: oldest === undefined ? 'slow' : 'alone',
      release: this.releasing(() => this.leave(caller, one)),
    };
  }

  private leave(caller: string, one: Quick): void {
    const others = (this.quick.get(caller) ?? []).filter((other) => other !== one);
    if (others.length === 0) this.quick.delete(caller);
    else this.quick.set(caller, others);
  }

  private releasing(leave: () => void): () => void {
    return once(() => {
      leave();
      this.grantWaiting();
    });
  }
}
