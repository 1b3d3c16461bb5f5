import { comparePositions, type Position } from '../../domain/kernel/event';
import { type FeedNotifications } from '../../domain/ports/event-store';

/**
 * Wakes waiting readers when there may be new events. The version prevents lost wake-ups: a reader that gets it before
 * a read is woken immediately if an event was announced during the read.
 */
export class FeedSignal implements FeedNotifications {
  private current = 0;
  private last: Position | null = null;
  private readonly waiting = new Set<() => void>();

  get version(): number {
    return this.current;
  }

  /** `position`: of an event that has been appended; no reader is woken if it, or a later one, was announced before. */
  notify(position?: Position): void {
    if (position !== undefined) {
      if (this.last !== null && comparePositions(position, this.last) <= 0) return;
      this.last = position;
    }
    this.current += 1;
    for (const wake of [...this.waiting]) wake();
  }

  isLast(position: Position): boolean {
    return this.last !== null && comparePositions(position, this.last) >= 0;
  }

  waitAfter(version: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.current !== version || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake);
      this.waiting.add(wake);
    });
  }
}
