/** What a pool keeps: something for one user at a time that wears out. */
interface Session {
  /** Holds as much as it should; time for a new one. */
  readonly isFull: () => boolean;
  readonly close: () => Promise<void>;
}

export interface SessionPool<S> {
  /** Runs an action with a free session, waiting for one if need be. */
  readonly use: <A>(action: (session: S) => Promise<A>) => Promise<A>;
}

/** At most `size` sessions; a full one is replaced before it is used again. */
export const createSessionPool = <S extends Session>(connect: () => Promise<S>, size: number): SessionPool<S> => {
  const free: S[] = [];
  const waiting: ((session: S | Promise<S>) => void)[] = [];
  let made = 0;

  const make = async (): Promise<S> => {
    made++;
    try {
      return await connect();
    } catch (error) {
      made--;
      // Who waits for a session to become free may be waiting for this one.
      waiting.shift()?.(make());
      throw error;
    }
  };

  const take = async (): Promise<S> => {
    const session = free.pop();
    if (session !== undefined) return session;
    if (made < size) return make();
    return new Promise((resolve) => waiting.push(resolve));
  };

  const replace = async (full: S): Promise<S> => {
    const fresh = await connect();
    await full.close();
    return fresh;
  };

  return {
    use: async (action) => {
      let session = await take();
      try {
        if (session.isFull()) session = await replace(session);
        return await action(session);
      } finally {
        const next = waiting.shift();
        if (next === undefined) free.push(session);
        else next(session);
      }
    },
  };
};
