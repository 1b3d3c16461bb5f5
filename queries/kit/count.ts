import { type Knex } from 'knex';
import { type ReadDatabase } from './database';
import { keepUntilMoved } from './keep';

/**
 * How many rows a query finds. Counting a large table costs far more than reading a page of it, so the number is kept
 * until the read models move. `readModels` are the projections whose tables the query reads; nothing else may change it.
 */
export const countRows = (
  db: ReadDatabase,
  readModels: readonly string[],
  query: Knex.QueryBuilder,
): Promise<number> => {
  const counting = query.clone().count<{ total: string }[]>({ total: '*' });
  const { sql, bindings } = counting.toSQL();
  const count = async (): Promise<number> => Number((await counting)[0]?.total ?? 0);
  return keepUntilMoved(db, readModels, JSON.stringify([sql, bindings]), count);
};
