import { type LoadProgress } from '../loading/load-progress';

/** Passes progress on without flooding: the newest state twice a second, and the last state of every phase. */
export interface ProgressReporter {
  readonly report: (progress: LoadProgress) => void;
  /** Sends what is left and resolves when everything has been sent. */
  readonly finish: () => Promise<void>;
}

const INTERVAL_MS = 500;

export const createProgressReporter = (send: (progress: LoadProgress) => Promise<unknown>): ProgressReporter => {
  let newest: LoadProgress | null = null;
  let timer: NodeJS.Timeout | null = null;
  let lastSentAt = -INTERVAL_MS;
  let sending: Promise<unknown> = Promise.resolve();

  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (newest === null) return;
    const progress = newest;
    newest = null;
    lastSentAt = performance.now();
    sending = sending.then(() => send(progress));
  };

  return {
    report: (progress) => {
      if (newest !== null && newest.phase !== progress.phase) flush();
      newest = progress;
      timer ??= setTimeout(flush, Math.max(0, lastSentAt + INTERVAL_MS - performance.now()));
    },
    finish: async () => {
      flush();
      await sending;
    },
  };
};
