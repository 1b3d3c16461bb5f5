import { type PoolClient } from 'pg';
import { type Projection } from './projection';
import { schemaOf } from './projection-tables';

/** One deviation of the live system from its log, or of the log from its rules. */
export interface Difference {
  readonly kind: 'log' | 'seal' | 'checkpoint' | 'missing_row' | 'extra_row' | 'value' | 'invariant';
  readonly read_model: string | null;
  readonly key: string | null;
  readonly column: string | null;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The maximum number of rows that are listed per table. */
const MOST = 1000;
type JsonRow = Readonly<Record<string, unknown>>;

/**
 * Compares the live tables of a projection with those of a replay, row by row, in the snapshot of the transaction.
 * `isCompared`: the SQL condition for the rows to compare, by the SQL text of their key.
 */
export const compareTables = async (
  client: PoolClient,
  projection: Projection,
  epoch: number,
  replaySchema: string,
  isCompared: (key: string) => string,
): Promise<readonly Difference[]> => {
  const differences: Difference[] = [];
  for (const table of projection.exposes) {
    const live = `${schemaOf(projection, epoch)}.${table}`;
    const replayed = `${replaySchema}.${table}`;
    const { rows: keys } = await client.query<{ name: string }>(
      `SELECT a.attname AS name FROM pg_index i
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
       WHERE i.indrelid = $1::regclass AND i.indisprimary`,
      [replayed],
    );
    const names = keys.map(({ name }) => name);
    const condition = isCompared(`concat_ws('/', ${names.join(', ')})`);
    const { rows } = await client.query<{ expected: JsonRow | null; actual: JsonRow | null }>(
      `SELECT to_jsonb(expected) AS expected, to_jsonb(actual) AS actual
       FROM (SELECT * FROM ${replayed} WHERE ${condition}) AS expected
         FULL JOIN (SELECT * FROM ${live} WHERE ${condition}) AS actual USING (${names.join(', ')})
       WHERE ROW(expected.*) IS DISTINCT FROM ROW(actual.*) LIMIT ${MOST}`,
    );
    for (const { expected, actual } of rows) {
      const key = names.map((name) => String((expected ?? actual)?.[name])).join('/');
      const of = { read_model: projection.name, key: projection.exposes.length > 1 ? `${table} ${key}` : key };
      if (expected === null) differences.push({ kind: 'extra_row', ...of, column: null, expected, actual });
      else if (actual === null) differences.push({ kind: 'missing_row', ...of, column: null, expected, actual });
      else {
        for (const [column, value] of Object.entries(expected)) {
          if (JSON.stringify(value) === JSON.stringify(actual[column])) continue;
          differences.push({ kind: 'value', ...of, column, expected: value, actual: actual[column] });
        }
      }
    }
  }
  return differences;
};
