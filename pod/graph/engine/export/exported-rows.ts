/**
 * The rows of an export, in pieces that are made when they are asked for. Reading throws when rows are missing; `return`
 * gives up the rest.
 */
export interface ExportedRows extends AsyncIterableIterator<Uint8Array, undefined> {
  readonly return: () => Promise<IteratorResult<Uint8Array, undefined>>;
  /** Resolves behind the last piece, after a failure, or when the rest is given up. */
  readonly ended: Promise<void>;
}

/**
 * @param read The next piece, null behind the last one.
 * @param close Called once at the end, however it comes, were it before the first piece.
 */
export const exportedRows = (read: () => Promise<Uint8Array | null>, close: () => unknown): ExportedRows => {
  const done = { done: true, value: undefined } as const;
  let reading: Promise<unknown> = Promise.resolve();
  let isEnded = false;
  let tellEnd: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (tellEnd = resolve));
  const end = async () => {
    if (isEnded) return done;
    isEnded = true;
    await reading.catch(() => undefined);
    await close();
    tellEnd();
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
