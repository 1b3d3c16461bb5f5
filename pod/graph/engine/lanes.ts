import { once, WaitingLine } from './waiting-line';

interface Request {
  readonly caller: string;
  /** It has been quick in vain. */
  readonly isSlow: boolean;
}

/** The right to be at work in the engine for so long. */
export interface Turn {
  readonly mostMs: number;
  readonly release: () => void;
}

/**
 * For an engine whose workers do not leave a query before it ends. One query at a time may take all its time; beside it
 * each caller may have one that takes `quickMs`. So a worker becomes free soon, however many slow queries a caller has.
 */
export class Lanes extends WaitingLine<Request, Turn> {
  private isSlowTaken = false;
  /** The callers with a quick query. */
  private readonly quick = new Set<string>();

  constructor(private readonly quickMs: number) {
    super();
  }

  protected callerOf({ caller }: Request): string {
    return caller;
  }

  protected isEntitled({ caller, isSlow }: Request): boolean {
    return isSlow || !this.quick.has(caller);
  }

  protected takeNow({ caller, isSlow }: Request): Turn | null {
    if (!this.isSlowTaken) {
      this.isSlowTaken = true;
      return this.turn(Infinity, () => (this.isSlowTaken = false));
    }
    if (isSlow || this.quick.has(caller)) return null;
    this.quick.add(caller);
    // The time that those before it may take does not count.
    return this.turn(this.quickMs * this.quick.size, () => this.quick.delete(caller));
  }

  private turn(mostMs: number, leave: () => void): Turn {
    const release = once(() => {
      leave();
      this.grantWaiting();
    });
    return { mostMs, release };
  }
}
