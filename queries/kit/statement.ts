import { createHash } from 'node:crypto';
import { type ReadDatabase } from './database';

export interface Statement {
  /** Columns to give, as text or number; `?` for each value. */
  readonly sql: string;
  readonly values: readonly (string | number | Date)[];
  /**
   * The best plan hangs on the values: it is planned each time. Otherwise once per connection, which only texts of a
   * closed set may be, since the plans are kept.
   */
  readonly isPlannedByValue: boolean;
}

/** The first column of what a statement finds, without the price of objects for the rows. */
export const firstColumn = async <A extends string | number | null>(
  db: ReadDatabase,
  { sql, values, isPlannedByValue }: Statement,
): Promise<readonly A[]> => {
  const name = isPlannedByValue ? {} : { name: nameOf(sql) };
  const asked = db.raw<{ rows: readonly (readonly [A])[] }>(sql, [...values]);
  const { rows } = await asked.options({ ...name, rowMode: 'array' });
  return rows.map(([value]) => value);
};

const names = new Map<string, string>();

/** The same in every process: connections may be shared through a pooler. PostgreSQL takes up to 63 characters. */
const nameOf = (sql: string): string => {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
};
