import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { checkQuery } from '../../../domain/sql/check-query';
import { HARMLESS } from '../../domain/sql/harmless-queries';

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});
afterAll(() => connection.closeSync());

const isReadByDuckdb = (sql: string): Promise<boolean> =>
  connection.extractStatements(sql).then(
    () => true,
    () => false,
  );

/** Messages of the check for texts that no engine can parse. */
const UNREADABLE = /expected (columns|rows|a condition|a table) after|found (alter|call|copy|drop|load|set|update)/i;

const words = fc.constantFrom(
  ...['SELECT', 'DISTINCT', 'ALL', 'FROM', 'WHERE', 'HAVING', 'GROUP BY', 'ORDER BY', 'UNION', 'VALUES', 'TABLE', 'AS'],
  ...['JOIN', 'LEFT JOIN', 'CROSS JOIN', 'ON', 'USING', 'LIMIT', 'LATERAL', 'TO', 'IN', 'FILTER', 'OVER', 'EXCLUDE'],
  ...['copy', 'drop', 'set', 'call', 'load', 'update', 'alter', 'a', 'b', 't', '*', '1', "'f'", 'true', '=', '(', ')'],
  ...['(', ')', ',', ',', '.', ':', ';', '"where"', 'TABLESAMPLE', 'NATURAL', 'WINDOW', 'QUALIFY', 'f(1)', '(a)'],
);
const queries = fc.oneof(
  fc.array(words, { maxLength: 8 }).map((rest) => ['SELECT', ...rest].join(' ')),
  fc.array(words, { maxLength: 8 }).map((inner) => `SELECT * FROM (${inner.join(' ')})`),
  // Queries that DuckDB can parse, with one word replaced or added.
  fc.tuple(fc.constantFrom(...HARMLESS), fc.nat(), words, fc.nat(1)).map(([sql, place, word, taken]) => {
    const parts = sql.split(' ');
    return parts.toSpliced(place % parts.length, taken, word).join(' ');
  }),
);

it('the parser accepts every query that DuckDB reads', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(queries, async (sql) => {
      const checked = checkQuery(sql);
      if (!isLeft(checked) || !UNREADABLE.test(checked.left.message) || !/^\W*(select|with|values|table)/i.test(sql))
        return;
      refused += 1;
      expect([sql, await isReadByDuckdb(sql)]).toEqual([sql, false]);
    }),
    { numRuns: 5000 },
  );
  expect(refused).toBeGreaterThan(100);
});
