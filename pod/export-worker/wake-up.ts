/** A pause that can be cut short. */
export interface WakeUp {
  /** Ends the current pause, or the next one at once. */
  ring(): void;
  /** Waits until the time is over, somebody rings, or `stop` aborts. */
  pause(milliseconds: number, stop: AbortSignal): Promise<void>;
}

export const createWakeUp = (): WakeUp => {
  let rung = false;
  let end = (): void => undefined;
  return {
    ring: () => {
      rung = true;
      end();
    },
    pause: async (milliseconds, stop) => {
      if (!rung && !stop.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
          stop.addEventListener('abort', end, { once: true });
        });
        stop.removeEventListener('abort', end);
      }
      rung = false;
    },
  };
};
