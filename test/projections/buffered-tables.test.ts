import * as fc from 'fast-check';
import { type Pool, type PoolClient, type QueryConfig } from 'pg';
import { BufferedTables } from '../../projections/buffered-tables';
import { type Row, type TableWriter } from '../../projections/projection';
import { createTestPool } from '../support/create-test-pool';
import { createTestDatabase, type TestDatabase } from '../support/postgres';

const TABLES = `
  CREATE TEMPORARY TABLE people (
    id text PRIMARY KEY, age bigint, born timestamptz, nicknames text[], notes jsonb, note text DEFAULT 'none'
  ) ON COMMIT DELETE ROWS;
  CREATE TEMPORARY TABLE cities (id bigint PRIMARY KEY, name text, size bigint) ON COMMIT DELETE ROWS;
  CREATE TEMPORARY TABLE visits (id bigint, at timestamptz, first boolean, note text) ON COMMIT DELETE ROWS;`;

/** One statement with a parameter per column for each write. */
const oneByOne = (client: PoolClient): TableWriter => {
  const valuesOf = (row: Row) =>
    Object.entries(row).map(([name, value]) => (name === 'notes' && value !== null ? JSON.stringify(value) : value));
  const run = async (statement: string, values: readonly unknown[]): Promise<void> => {
    await client.query(statement, [...values]);
  };
  const insert = (table: string, row: Row): Promise<void> => {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    return run(`INSERT INTO ${table} (${names.join()}) VALUES (${places.join()})`, valuesOf(row));
  };
  return {
    insert,
    append: insert,
    update: (table, key, columns, keyName = 'id') => {
      const assignments = Object.keys(columns).map((name, index) => `${name} = $${index + 2}`);
      return run(`UPDATE ${table} SET ${assignments.join()} WHERE ${keyName} = $1`, [key, ...valuesOf(columns)]);
    },
    updateAll: (table, value, columns, keyName) => {
      const assignments = Object.keys(columns).map((name, index) => `${name} = $${index + 2}`);
      return run(`UPDATE ${table} SET ${assignments.join()} WHERE ${keyName} = $1`, [value, ...valuesOf(columns)]);
    },
    delete: (table, where) => {
      const conditions = Object.keys(where).map((name, index) => `${name} = $${index + 1}`);
      return run(`DELETE FROM ${table} WHERE ${conditions.join(' AND ')}`, Object.values(where));
    },
    raise: (table, [key, value], [column, to]) =>
      run(
        `INSERT INTO ${table} AS stored (${key}, ${column}) VALUES ($1, $2)
         ON CONFLICT (${key}) DO UPDATE SET ${column} = greatest(stored.${column}, excluded.${column})`,
        [value, to],
      ),
    sql: (statement, values = []) => run(statement, values),
  };
};

type Write = (tables: TableWriter) => Promise<void>;

// U+0000 is rejected earlier.
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', "'", '"', '\\', '\\N', '\\.', '\t\r\n', '{}', 'null', '[1]', '\u2028', 'é😀'),
  )
  .map((value) => value.replaceAll('\u0000', ''));
const id = fc.constantFrom('a', 'b', "c'", '"d', 'é\n');
const person = fc.record(
  {
    age: fc.option(fc.maxSafeInteger()),
    born: fc.option(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01') })),
    nicknames: fc.option(fc.array(text, { maxLength: 3 })),
    notes: fc.option(
      fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown),
    ),
    note: fc.option(text),
  },
  { requiredKeys: ['age'] },
);
const visit = fc.record({
  id: fc.maxSafeInteger(),
  at: fc.option(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01') })),
  first: fc.boolean(),
  note: fc.option(text),
});
const city = fc.integer({ min: 1, max: 4 });
const name = fc.constantFrom('x', 'y', 'x!');
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.tuple(id, person).map(([key, columns]): Write => async (tables) => {
    await tables.sql('DELETE FROM people WHERE id = $1', [key]);
    await tables.insert('people', { id: key, ...columns });
  }),
  fc.tuple(id, person).map(
    ([key, columns]): Write =>
      (tables) =>
        tables.update('people', key, columns),
  ),
  fc.tuple(city, name).map(([key, name]): Write => async (tables) => {
    await tables.delete('cities', { id: key });
    await tables.insert('cities', { id: key, name });
    await tables.update('cities', key, { name: `${name}!` });
  }),
  fc.tuple(name, city).map(
    ([key, size]): Write =>
      (tables) =>
        tables.updateAll('cities', key, { size }, 'name'),
  ),
  fc.tuple(city, name, city).map(
    ([key, renamed, size]): Write =>
      (tables) =>
        tables.update('cities', key, { name: renamed, size }),
  ),
  fc.tuple(name, city).map(
    ([key, size]): Write =>
      (tables) =>
        tables.delete('cities', { name: key, size }),
  ),
  fc.tuple(id, fc.maxSafeInteger()).map(
    ([key, age]): Write =>
      (tables) =>
        tables.raise('people', ['id', key], ['age', age]),
  ),
  visit.map(
    (row): Write =>
      (tables) =>
        tables.append('visits', row),
  ),
  fc.constant<Write>((tables) => tables.sql("UPDATE visits SET note = note || ' seen'")),
  fc.constant<Write>((tables) => tables.sql('UPDATE people SET age = (SELECT count(*) FROM people)')),
);

describe('the buffered tables of a projection', () => {
  let database: TestDatabase;
  let pool: Pool;
  let client: PoolClient;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createTestPool({ connectionString: database.connectionString });
    client = await pool.connect();
    await client.query(TABLES);
  });
  afterAll(async () => {
    client.release();
    await pool.end();
    await database.drop();
  });

  const rowsAfter = async (
    writes: readonly Write[],
    tables: TableWriter,
    end: () => Promise<void>,
  ): Promise<unknown> => {
    await client.query('BEGIN');
    for (const run of writes) await run(tables);
    await end();
    const people = await client.query('SELECT * FROM people ORDER BY id');
    const cities = await client.query('SELECT * FROM cities ORDER BY id');
    const visits = await client.query('SELECT * FROM visits ORDER BY id, at, note');
    await client.query('COMMIT');
    return { people: people.rows, cities: cities.rows, visits: visits.rows };
  };

  it('contain the same rows as after single writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 20 }), async (writes) => {
        const buffered = new BufferedTables(client);
        const expected = await rowsAfter(writes, oneByOne(client), () => Promise.resolve());
        expect(await rowsAfter(writes, buffered, () => buffered.flush())).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('are written in one statement per table, and flushed before a statement that could read them', async () => {
    const statements: string[] = [];
    const counting = {
      query: ({ text: statement }: QueryConfig) => {
        statements.push(statement.slice(0, 13));
        return Promise.resolve();
      },
    } as unknown as PoolClient;
    const tables = new BufferedTables(counting);
    for (let n = 0; n < 100; n += 1) {
      await tables.insert('people', { id: `${n}` });
      await tables.update('cities', n % 3, { name: `${n}` });
    }
    expect(statements).toEqual([]);
    await tables.sql('DELETE FROM people');
    expect(statements).toEqual(['INSERT INTO p', 'UPDATE cities', 'DELETE FROM p']);
    await tables.insert('people', { id: 'x', note: 'y'.repeat(2 ** 20) });
    expect(statements).toHaveLength(4);
    await tables.flush();
    expect(statements).toHaveLength(4);
  });

  it('reject an appended row that its table does not accept, and the connection stays usable', async () => {
    for (const [target, row, message] of [
      ['visits', { id: 'not a number' }, /invalid input syntax for type bigint: "not a number"/],
      ['absent', { id: 1 }, /relation "absent" does not exist/],
    ] as const) {
      const tables = new BufferedTables(client);
      await client.query('BEGIN');
      await tables.append(target, row);
      await tables.append('visits', { id: 2 });
      const [written, later] = await Promise.allSettled([tables.flush(), client.query('SELECT 1')]);
      expect(written.status === 'rejected' && String(written.reason)).toMatch(message);
      expect(later).toMatchObject({ status: 'rejected', reason: { code: '25P02' } });
      await client.query('ROLLBACK');
      expect((await client.query('SELECT * FROM visits')).rows).toEqual([]);
    }
  });
});
