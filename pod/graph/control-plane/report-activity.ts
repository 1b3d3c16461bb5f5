/** Passes activity on, at most once in five seconds; the last one is never lost. */
export interface ActivityReporter {
  readonly touch: () => void;
  readonly stop: () => void;
}

const INTERVAL_MS = 5_000;

export const createActivityReporter = (send: () => Promise<unknown>): ActivityReporter => {
  let timer: NodeJS.Timeout | null = null;
  let lastSentAt = -INTERVAL_MS;

  const sendNow = (): void => {
    timer = null;
    lastSentAt = performance.now();
    void send();
  };

  return {
    touch: () => {
      timer ??= setTimeout(sendNow, Math.max(0, lastSentAt + INTERVAL_MS - performance.now()));
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
};
