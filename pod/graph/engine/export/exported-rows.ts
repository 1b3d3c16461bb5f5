/**
 * The rows of an export, in chunks that are produced on demand. Reading throws if rows are missing; `return` discards
 * the rest.
 */
export interface ExportedRows extends AsyncIterableIterator<Uint8Array, undefined> {
  readonly return: () => Promise<IteratorResult<Uint8Array, undefined>>;
  /** Resolves after the last chunk, after a failure, or when the rest is discarded. */
  readonly ended: Promise<void>;
}

/**
 * @param read The next chunk, null after the last one.
 * @param close Called once at the end, in every case.
 */
export const exportedRows = (read: () => Promise<Uint8Array | null>, close: () => unknown): ExportedRows => {
  const done = { done: true, value: undefined } as const;
  let reading: Promise<unknown> = Promise.resolve();
  let isEnded = false;
  let resolveEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve));
  const end = async () => {
    if (isEnded) return done;
    isEnded = true;
    await reading.catch(() => undefined);
    await close();
    resolveEnded();
    return done;
  };
  return {
    ended,
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      if (isEnded) return done;
      try {
        const piece = read();
        reading = piece;
        const value = await piece;
        return value === null ? await end() : { done: false, value };
      } catch (error) {
        await end();
        throw error;
      }
    },
    return: end,
  };
};
