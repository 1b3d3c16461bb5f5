/** Runs the tasks of one key one after the other, those of different keys at the same time. */
export interface Turns {
  /** Resolves or rejects as the task does, when its turn has come and it is done. */
  take<A>(key: string, task: () => Promise<A>): Promise<A>;
  /** Resolves when every task taken so far is done. */
  over(): Promise<void>;
}

export const createTurns = (): Turns => {
  const last = new Map<string, Promise<void>>();
  return {
    take(key, task) {
      const result = (last.get(key) ?? Promise.resolve()).then(task);
      const done = result
        .then(
          () => undefined,
          () => undefined,
        )
        .then(() => {
          if (last.get(key) === done) last.delete(key);
        });
      last.set(key, done);
      return result;
    },
    over: async () => {
      await Promise.all(last.values());
    },
  };
};
