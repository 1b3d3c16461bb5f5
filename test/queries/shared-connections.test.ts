import { Client } from 'pg';
import { isDatabaseAway } from '../../queries/kit/database';
import { type SharedConnections, shareConnections } from '../../queries/kit/shared-connections';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { waitFor } from '../support/wait-for';
import { whileFrozen } from '../support/while-frozen';

describe('shared connections', () => {
  let database: TestDatabase;
  let shared: SharedConnections;
  let lost: string[];

  const share = (settings: { most?: number; query_timeout?: number } = {}): SharedConnections =>
    shareConnections({ connectionString: database.connectionString, most: 2, ...settings }, (line) => lost.push(line));
  const ask = async (text: string, ...values: (string | number)[]): Promise<unknown> =>
    (await shared.query({ name: text, text, values, rowMode: 'array' })).rows[0]?.[0];
  const backends = async (): Promise<readonly number[]> => {
    const client = new Client({ connectionString: database.connectionString });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY pid',
    );
    await client.end();
    return rows.map(({ pid }) => pid);
  };

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => {
    lost = [];
    shared = share();
  });
  afterEach(() => shared.end());
  afterAll(() => database.drop());

  it('give everybody their own answer, also beside statements that fail', async () => {
    const asked = Array.from({ length: 600 }, (_, n) => {
      if (n % 3 === 0) return ask('SELECT $1::int', n);
      if (n % 3 === 1)
        return ask("SELECT repeat('x', 20000) || $1::text", n).then((text) => String(text).slice(20_000));
      return ask('SELECT 1 / ($1::int - $1::int)', n).catch(() => 'divided by zero');
    });
    const expected = asked.map((_, n) => (n % 3 === 0 ? n : n % 3 === 1 ? String(n) : 'divided by zero'));
    expect(await Promise.all(asked)).toEqual(expected);
    expect(lost).toEqual([]);
  });

  it('are opened when they are needed, and no more than there may be', async () => {
    expect(await backends()).toHaveLength(0);
    for (const n of [1, 2, 3]) await ask('SELECT $1::int', n);
    expect(await backends()).toHaveLength(1);
    await Promise.all(Array.from({ length: 50 }, (_, n) => ask('SELECT $1::int', n)));
    expect(await backends()).toHaveLength(2);
  });

  it('fail what is under way when they are lost, and are opened anew', async () => {
    const asked = Promise.allSettled([ask('SELECT pg_sleep(1000)'), ask('SELECT pg_sleep(1000)'), ask('SELECT 1')]);
    await waitFor('both connections', async () => (await backends()).length === 2);
    const pids = await backends();
    const client = new Client({ connectionString: database.connectionString });
    await client.connect();
    for (const pid of pids) await client.query('SELECT pg_terminate_backend($1)', [pid]);
    await client.end();

    const reasons = (await asked).map((one) => (one.status === 'rejected' ? isDatabaseAway(one.reason) : one.value));
    expect(reasons).toEqual([true, true, true]);
    expect(await ask('SELECT $1::int', 7)).toBe(7);
    expect(lost.length).toBeGreaterThan(0);
  });

  it('are given up when an answer does not come in time', async () => {
    const impatient = share({ most: 1, query_timeout: 300 });
    const numbered = (n: number) => impatient.query({ text: 'SELECT $1::int', values: [n], rowMode: 'array' });
    await numbered(1);
    await whileFrozen(await backends(), async () => {
      const asked = await Promise.allSettled([numbered(2), numbered(3)]);
      expect(asked.map((one) => one.status === 'rejected' && isDatabaseAway(one.reason))).toEqual([true, true]);
      expect((await numbered(4)).rows).toEqual([[4]]);
    });
    await impatient.end();
  });

  it('end when what is under way is answered', async () => {
    const asked = Promise.all(Array.from({ length: 40 }, (_, n) => ask('SELECT $1::int', n)));
    await ask('SELECT 1');
    await shared.end();
    expect(await asked).toHaveLength(40);
    await expect(ask('SELECT 1')).rejects.toThrow('Connection ended');
    expect(await backends()).toHaveLength(0);
  });

  it('say why there is no connection, to everybody who waits for it', async () => {
    const nowhere = shareConnections(
      { connectionString: 'postgres://nobody@127.0.0.1:1/none', most: 1 },
      () => undefined,
    );
    const asked = await Promise.allSettled([1, 2].map(() => nowhere.query({ text: 'SELECT 1', rowMode: 'array' })));
    expect(asked).toMatchObject([{ reason: { code: 'ECONNREFUSED' } }, { reason: { code: 'ECONNREFUSED' } }]);
    await nowhere.end();
  });
});
