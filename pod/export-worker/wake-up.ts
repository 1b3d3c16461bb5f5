import { setTimeout as sleep } from 'node:timers/promises';

/** A pause that can be cut short. */
export class WakeUp {
  private woken = new AbortController();

  /** Ends the current pause, or the next one at once. */
  readonly wake = (): void => this.woken.abort();

  /** Waits until the time is over or somebody wakes. */
  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.woken.signal }).catch(() => undefined);
    this.woken = new AbortController();
  }
}
