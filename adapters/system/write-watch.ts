import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from 'pino';
import { type ShutdownSteps } from './shutdown-steps';

/** `disk`: the local folders of exports, pods and workers. */
export type WrittenStore = 'database' | 'disk';

/** Tracks the stores whose last write failed. */
export interface WriteWatch {
  /**
   * Records a failed write with its reason. The store counts as failing until `tryAgain`, called every two seconds,
   * returns null; otherwise it returns why a write still fails.
   */
  readonly failed: (store: WrittenStore, reason: string, tryAgain: () => Promise<string | null>) => void;
  /** The failing stores with the reasons. */
  readonly failures: () => Readonly<Partial<Record<WrittenStore, string>>>;
}

const TRY_EVERY_MS = 2_000;

/** Test writes stop with the system; `pauseMs`: their interval. */
export const watchWrites = (
  { shutdownSteps, log }: { readonly shutdownSteps: ShutdownSteps; readonly log: Logger },
  pauseMs = TRY_EVERY_MS,
): WriteWatch => {
  const failing = new Map<WrittenStore, string>();
  const ending = new AbortController();
  shutdownSteps.add('trials of writing', () => ending.abort());

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
      // Only the stop of the system aborts it.
      untilWritten(store, tryAgain).catch(() => undefined);
    },
    failures: () => Object.fromEntries(failing),
  };
};
