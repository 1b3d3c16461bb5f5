import AsyncLock from 'async-lock';

/** Runs tasks of one key sequentially, and tasks of different keys concurrently. */
export class KeyedMutex {
  private readonly lock = new AsyncLock({ maxPending: Infinity });
  private readonly open = new Set<Promise<unknown>>();

  /** Settles with the result of the task, after the earlier tasks of the key. */
  async runExclusive<A>(key: string, task: () => Promise<A>): Promise<A> {
    const result = this.serialize(key, task);
    this.open.add(result);
    return result.finally(() => this.open.delete(result));
  }

  /** Without this, a task would run in the async context of the previous task, with its timeout. */
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

  /** Resolves when all tasks that are running or queued at the call have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.open);
  }
}
