/** Resolves with the reason when the program is asked to end. A second Ctrl-C ends it at once. */
export const untilAskedToStop = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve(signal);
      });
    }
  });
