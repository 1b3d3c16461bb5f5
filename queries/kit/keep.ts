import { type ReadDatabase } from './database';

/** Answers kept per database handle; beyond it the oldest go. */
const MOST_KEPT = 5000;

interface Kept {
  /** Where the read models stood when the answer was asked for. */
  readonly state: string;
  readonly answer: Promise<unknown>;
}

const keptBy = new WeakMap<ReadDatabase, Map<string, Kept>>();

/**
 * An answer that is kept until a checkpoint of the read models it was taken from moves: it is never older than they were
 * when it was asked for. `readModels` are the projections whose tables `find` reads; it may read nothing else that
 * changes. The key names the question among all that are asked of this database, and its values.
 */
export const keepUntilMoved = async <A>(
  db: ReadDatabase,
  readModels: readonly string[],
  key: string,
  find: () => Promise<A>,
): Promise<A> => {
  const states = await statesNow(db);
  const state = readModels.map((name) => states.get(name) ?? '').join();
  const kept = keptOf(db);
  const known = kept.get(key);
  // Only `find` of the same key writes here.
  if (known?.state === state) return known.answer as Promise<A>;
  const answer = find();
  kept.delete(key);
  kept.set(key, { state, answer });
  const oldest = kept.size > MOST_KEPT ? kept.keys().next() : null;
  if (oldest?.done === false) kept.delete(oldest.value);
  return answer.catch((error: unknown) => {
    if (kept.get(key)?.answer === answer) kept.delete(key);
    throw error;
  });
};

const keptOf = (db: ReadDatabase): Map<string, Kept> => {
  const kept = keptBy.get(db) ?? new Map<string, Kept>();
  keptBy.set(db, kept);
  return kept;
};

type States = ReadonlyMap<string, string>;

const asking = new WeakMap<ReadDatabase, Promise<States>>();

/** Where the read models stand now. All who ask in the same turn share one question, which is sent after the last. */
const statesNow = (db: ReadDatabase): Promise<States> => {
  const waiting = asking.get(db);
  if (waiting !== undefined) return waiting;
  const states = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    asking.delete(db);
    return readStates(db);
  });
  asking.set(db, states);
  return states;
};

/** Each changes with every event the read model takes in, late ones too, and when another version of it takes over. */
const readStates = async (db: ReadDatabase): Promise<States> => {
  const found = db
    .raw<{ rows: readonly (readonly [string, string])[] }>(
      `SELECT name, string_agg(concat_ws(' ', version, epoch, position, repairs), ',' ORDER BY version)
       FROM es.subscriptions GROUP BY name`,
    )
    .options({ name: 'read model states', rowMode: 'array' });
  return new Map((await found).rows);
};
