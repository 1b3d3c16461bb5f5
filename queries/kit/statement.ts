import { createHash } from 'node:crypto';
import { type ReadDatabase } from './database';

export type Value = string | number | Date;

/** A piece of SQL with `?` for each of its values. */
export type Fragment = readonly [sql: string, ...values: Value[]];

export interface Statement {
  readonly parts: readonly Fragment[];
  /**
   * The best plan hangs on the values: it is planned each time. Otherwise once per connection, which only texts of a
   * closed set may be, since the plans are kept.
   */
  readonly isPlannedByValue: boolean;
}

/** The rows of a statement as arrays of their columns, without the price of objects for the rows. */
export const readRows = async <R extends (string | null)[]>(
  db: ReadDatabase,
  { parts, isPlannedByValue }: Statement,
): Promise<readonly R[]> => {
  const sql = parts.map(([piece]) => piece).join(' ');
  const values = parts.flatMap(([, ...some]) => some);
  if (isPlannedByValue) {
    const { rows } = await db.raw<{ rows: readonly R[] }>(sql, values).options({ rowMode: 'array' });
    return rows;
  }
  const { rows } = await db.prepared.query<R>({ ...compiled(sql), values, rowMode: 'array' });
  return rows;
};

const known = new Map<string, Compiled>();

interface Compiled {
  readonly text: string;
  /** The same in every process: connections may be shared through a pooler. PostgreSQL takes up to 63 characters. */
  readonly name: string;
}

const compiled = (sql: string): Compiled => {
  const before = known.get(sql);
  if (before !== undefined) return before;
  let values = 0;
  const text = sql.replaceAll('?', () => `$${(values += 1)}`);
  const made = { text, name: createHash('sha256').update(text).digest('base64url') };
  known.set(sql, made);
  return made;
};
