import { type FaultPlan } from './faults';
import { type SimulatedTime } from './simulated-time';

/** Never resolves: the code of a dead process does not continue. */
const never = <A>(): Promise<A> => new Promise(() => undefined);

/** A process of the simulation that can be killed. */
export class Mortal {
  private dead = false;
  constructor(private readonly onDeath: () => void) {}

  isAlive(): boolean {
    return !this.dead;
  }

  kill(): void {
    if (this.dead) return;
    this.dead = true;
    this.onDeath();
  }
}

/**
 * Makes a call that leaves the process of `caller`, with the faults of the plan. `failed` is the result for the caller
 * of a call without success; `maybeDone`: the caller does not know whether it took effect.
 */
export const fallibleCall = async <A>(
  { caller, plan, time }: { readonly caller: Mortal; readonly plan: FaultPlan; readonly time: SimulatedTime },
  name: string,
  effect: () => Promise<A>,
  failed: (maybeDone: boolean) => A,
): Promise<A> => {
  if (!caller.isAlive()) return never();
  const fault = plan.next(name);
  if (fault === 'crash_before') caller.kill();
  if (!caller.isAlive()) return never();
  if (fault === 'refused') return failed(false);
  if (fault === 'slow') await time.sleep(60 * plan.chance());
  // A sent request arrives, even if the sender is dead.
  const result = await effect();
  if (fault === 'repeated') await effect();
  if (fault === 'crash_after') caller.kill();
  if (!caller.isAlive()) return never();
  return fault === 'answer_lost' ? failed(true) : result;
};
