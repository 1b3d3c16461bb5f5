import { type Knex } from 'knex';
import { type ReadDatabase } from './database';

/** Counts kept per database handle; beyond it the oldest go. */
const MOST_KEPT = 2000;

interface Kept {
  /** Where the read model stood when the count was begun. */
  readonly state: string;
  readonly count: Promise<number>;
}

const keptBy = new WeakMap<ReadDatabase, Map<string, Kept>>();

/**
 * How many rows a query finds. Counting a large table costs far more than reading a page of it, so a count is kept
 * until a checkpoint of the read models it was taken from moves: it is never older than they were when it was asked
 * for. `readModels` are the projections whose tables the query reads; it may read nothing else that changes.
 */
export const countRows = async (
  db: ReadDatabase,
  readModels: readonly string[],
  query: Knex.QueryBuilder,
): Promise<number> => {
  const counting = query.clone().count<{ total: string }[]>({ total: '*' });
  const { sql, bindings } = counting.toSQL();
  const key = JSON.stringify([sql, bindings]);
  const state = await stateOf(db, readModels);
  const kept = keptOf(db);
  const known = kept.get(key);
  if (known?.state === state) return known.count;
  const count = counting.then((rows) => Number(rows[0]?.total ?? 0));
  keep(kept, key, { state, count });
  return count.catch((error: unknown) => {
    kept.delete(key);
    throw error;
  });
};

const keptOf = (db: ReadDatabase): Map<string, Kept> => {
  const kept = keptBy.get(db) ?? new Map<string, Kept>();
  keptBy.set(db, kept);
  return kept;
};

const keep = (kept: Map<string, Kept>, key: string, count: Kept): void => {
  kept.delete(key);
  kept.set(key, count);
  const oldest = kept.size > MOST_KEPT ? kept.keys().next() : null;
  if (oldest?.done === false) kept.delete(oldest.value);
};

/** Changes with every event the read models take in, late ones too, and when another version of one takes over. */
const stateOf = async (db: ReadDatabase, readModels: readonly string[]): Promise<string> => {
  const result = await db.raw<{ rows: readonly { readonly state: string }[] }>(
    `SELECT concat_ws(' ', name, version, epoch, position, repairs) AS state
     FROM es.subscriptions WHERE name = ANY(?) ORDER BY name, version`,
    [[...readModels]],
  );
  return result.rows.map(({ state }) => state).join();
};
