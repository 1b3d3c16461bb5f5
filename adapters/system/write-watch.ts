import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from 'pino';
import { type Closers } from './closers';

/** `disk`: the folders of this machine, in which exports, pods and workers write. */
export type WrittenStore = 'database' | 'disk';

/** Knows the stores whose last write failed. */
export interface WriteWatch {
  /**
   * Notes that a write failed, with the reason. From then on the store counts as failing until `tryAgain`, done every two
   * seconds, succeeds; it answers why a write still fails, null when it does not.
   */
  readonly failed: (store: WrittenStore, reason: string, tryAgain: () => Promise<string | null>) => void;
  /** Why the last write to a store failed, for those where it did. */
  readonly failures: () => Readonly<Partial<Record<WrittenStore, string>>>;
}

const TRY_EVERY_MS = 2_000;

/** Trials end with the closers; `pauseMs`: between two of them. */
export const watchWrites = (
  { closers, log }: { readonly closers: Closers; readonly log: Logger },
  pauseMs = TRY_EVERY_MS,
): WriteWatch => {
  const failing = new Map<WrittenStore, string>();
  const ending = new AbortController();
  closers.add('trials of writing', () => ending.abort());

  const untilWritten = async (store: WrittenStore, tryAgain: () => Promise<string | null>): Promise<void> => {
    for (;;) {
      await sleep(pauseMs, undefined, { signal: ending.signal });
      const reason = await tryAgain().catch(String);
      if (reason === null) break;
      failing.set(store, reason);
    }
    failing.delete(store);
    log.info({ store }, `writing to the ${store} succeeds again`);
  };

  return {
    failed: (store, reason, tryAgain) => {
      const isKnown = failing.has(store);
      failing.set(store, reason);
      if (isKnown || ending.signal.aborted) return;
      log.error(
        { store, reason },
        `a write to the ${store} failed; one is tried every ${pauseMs / 1000} s until it succeeds`,
      );
      // Only the end of the system breaks it off.
      untilWritten(store, tryAgain).catch(() => undefined);
    },
    failures: () => Object.fromEntries(failing),
  };
};
