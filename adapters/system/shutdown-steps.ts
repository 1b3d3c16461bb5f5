/** Why the system could not start, for users. */
export interface StartFailure {
  readonly message: string;
}

/** The cleanup steps for the stop of the system, run in reverse order. */
export class ShutdownSteps {
  readonly #steps: { readonly name: string; readonly close: () => unknown }[] = [];

  add(name: string, close: () => unknown): void {
    this.#steps.push({ name, close });
  }

  /** Runs a loop until the system stops: its signal aborts then, and the stop waits for its end. */
  addLoop(name: string, loop: (signal: AbortSignal) => Promise<unknown>): void {
    const ending = new AbortController();
    const running = loop(ending.signal);
    this.add(name, () => {
      ending.abort();
      return running;
    });
  }

  /** Runs every step, even if some fail. */
  async closeAll(onError: (name: string, error: unknown) => void): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.close();
      } catch (error) {
        onError(step.name, error);
      }
    }
  }
}

/** Resolves with the reason when the program receives a stop signal. A second Ctrl-C ends it immediately. */
export const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve(signal);
      });
    }
  });
