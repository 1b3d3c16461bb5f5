import AsyncLock from 'async-lock';

/** Runs the tasks of one key one after the other, those of different keys at the same time. */
export class KeyedMutex {
  private readonly lock = new AsyncLock({ maxPending: Infinity });
  private readonly open = new Set<Promise<unknown>>();

  /** Settles as the task does, when its turn has come and it is done. */
  async runExclusive<A>(key: string, task: () => Promise<A>): Promise<A> {
    const result = this.serialize(key, task);
    this.open.add(result);
    return result.finally(() => this.open.delete(result));
  }

  /** The lock would run a task on behalf of the one before it, within that one's patience. */
  private async serialize<A>(key: string, task: () => Promise<A>): Promise<A> {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    await new Promise<void>((begin) => {
      void this.lock.acquire(key, () => {
        begin();
        return ended;
      });
    });
    return task().finally(end);
  }

  /** Resolves when every task begun or waiting by then is done. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.open);
  }
}
