import { type ReadDatabase } from './database';
import { readRows } from './statement';

interface Kept {
  /** Where the read models stood when the answer was asked for. */
  readonly state: string;
  readonly answer: Promise<unknown>;
}

/**
 * Keeps answers until what they were taken from moves: none is ever older than the read models were when it was asked
 * for. Of each database `most` answers are kept; beyond it the oldest go.
 */
export const keeper = (most: number) => {
  const keptBy = new WeakMap<ReadDatabase, Map<string, Kept>>();
  const keptOf = (db: ReadDatabase): Map<string, Kept> => {
    const kept = keptBy.get(db) ?? new Map<string, Kept>();
    keptBy.set(db, kept);
    return kept;
  };
  /**
   * `sources` are the projections, or parts of them, whose tables `find` reads; it may read nothing else that changes.
   * The key names the question and its values among all that are asked of this keeper. `use` of the answer may begin while
   * it is not known yet whether the answer still holds; it begins anew with the next one if it does not.
   */
  return async <A, B>(
    db: ReadDatabase,
    sources: readonly string[],
    key: string,
    find: () => Promise<A>,
    use: (answer: A) => Promise<B>,
  ): Promise<B> => {
    const kept = keptOf(db);
    const before = kept.get(key);
    // Only `find` of the same key writes here.
    const early = (before?.answer as Promise<A> | undefined)?.then(use);
    early?.catch(() => undefined);
    const states = await statesNow(db);
    const state = sources.map((name) => states.get(name) ?? '').join();
    if (early !== undefined && before?.state === state) return early;
    const known = kept.get(key);
    if (known?.state === state) return (known.answer as Promise<A>).then(use);
    const answer = find();
    kept.delete(key);
    kept.set(key, { state, answer });
    const oldest = kept.size > most ? kept.keys().next() : null;
    if (oldest?.done === false) kept.delete(oldest.value);
    answer.catch(() => {
      if (kept.get(key)?.answer === answer) kept.delete(key);
    });
    return answer.then(use);
  };
};

const keepSmall = keeper(5000);

/** For answers that are small. */
export const keepUntilMoved = <A>(
  db: ReadDatabase,
  sources: readonly string[],
  key: string,
  find: () => Promise<A>,
): Promise<A> => keepSmall(db, sources, key, find, (answer) => Promise.resolve(answer));

type States = ReadonlyMap<string, string>;

interface Questions {
  /** Ends with the question that is being answered, whatever its answer. */
  asked: Promise<unknown>;
  /** The next one, for all who have come since. */
  next: Promise<States> | null;
}

const questionsTo = new WeakMap<ReadDatabase, Questions>();

/** Where the read models stand, asked after this call. One question is under way at a time; who comes meanwhile share the next. */
const statesNow = (db: ReadDatabase): Promise<States> => {
  const questions = questionsTo.get(db) ?? { asked: Promise.resolve(), next: null };
  questionsTo.set(db, questions);
  questions.next ??= questions.asked.then(async () => {
    questions.next = null;
    const rows = readRows<[string, string]>(db, STATES);
    questions.asked = rows.catch(() => undefined);
    const states = new Map<string, string>();
    for (const [name, state] of await rows) states.set(name, `${states.get(name) ?? ''}${state},`);
    return states;
  });
  return questions.next;
};

/**
 * Each read model changes with every event it takes in, late ones too, and when another version of it takes over. What
 * people write about instances and what pods report changes more seldom, or without events.
 */
const STATES = {
  parts: [
    [
      `SELECT name, concat_ws(' ', version, epoch, position, repairs) FROM es.subscriptions
       UNION ALL SELECT 'instances rebuilt', concat_ws(' ', version, epoch) FROM es.subscriptions WHERE name = 'instances'
       UNION ALL SELECT 'instance texts', count::text FROM read.instance_texts_changes
       UNION ALL SELECT 'instance reports', count::text FROM telemetry.instance_metrics_changes`,
    ],
  ],
  isPlannedByValue: false,
} as const;
