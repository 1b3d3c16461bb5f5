import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { isRight } from 'fp-ts/Either';
import { createDuckdbQueryEngine, type DuckdbQueryEngine } from '../../../adapters/duckdb/duckdb-query-engine';
import { bankMapping, bankQuestions } from '../../../adapters/sample/bank-mapping';
import { buildDemoWarehouse } from '../../../adapters/sample/build-demo-warehouse';
import { validateDefinitions } from '../../../domain/mapping/validate-definitions';
import { checkQuery } from '../../../domain/sql/check-query';
import { VOCABULARY } from '../../../pod/graph/engine/duckdb/compile/functions';
import { ok } from '../../contracts/query-engine/query-engine-contract';
import { admitQuery } from '../../pod/graph/support/admit-query';
import { engineOfKind } from '../../pod/graph/support/engine-of-kind';
import { writeParquet } from '../../pod/graph/support/snapshot';
import { exportMapping, type LoadedGraph, loadGraph } from './graph-of-mapping';

/** Changes only when the demo's data is changed on purpose. */
const BANK_DIGEST = 'c0e251676bd22a09';

let folder: string;
let engine: DuckdbQueryEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-demo-'));
  await buildDemoWarehouse(join(folder, 'warehouse'));
  const settings = { warehouseDirectory: join(folder, 'warehouse'), memoryLimitMb: 1000, threads: 2 };
  engine = ok(await createDuckdbQueryEngine({ ...settings, scratchDirectory: join(folder, 'scratch') }));
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const inDatabase = async <A>(path: string, read: (connection: DuckDBConnection) => Promise<A>): Promise<A> => {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const answer = await read(connection);
  connection.closeSync();
  instance.closeSync();
  return answer;
};
const countIn = (name: string, sql: string): Promise<number> =>
  inDatabase(join(folder, 'warehouse', name), async (connection) => {
    const [row] = (await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM (${sql})`)).getRows();
    return Number(row![0]);
  });

const digest = (path: string): Promise<string> =>
  inDatabase(path, async (connection) => {
    const hash = createHash('sha256');
    const tables = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables() ORDER BY table_name');
    for (const [table] of tables.getRows()) {
      const sums = await connection.runAndReadAll(
        `SELECT count(*), bit_xor(md5_number_lower(t::VARCHAR)) FROM ${String(table)} AS t`,
      );
      hash.update(`${String(table)} ${JSON.stringify(sums.getRowsJson())}\n`);
    }
    return hash.digest('hex').slice(0, 16);
  });

describe('the demo warehouse', () => {
  it('is identical each time it is built', async () => {
    const again = join(folder, 'again');
    await buildDemoWarehouse(again);
    await buildDemoWarehouse(again);

    expect(await digest(join(again, 'bank.duckdb'))).toBe(BANK_DIGEST);
    expect(await readdir(again)).toEqual(['bank.duckdb']);
  });

  it('contains 20,000 customers, 30,000 accounts and 300,000 transfers of 180 days', async () => {
    expect(await countIn('bank.duckdb', 'FROM customer')).toBe(20_000);
    expect(await countIn('bank.duckdb', 'FROM account')).toBe(30_000);
    expect(await countIn('bank.duckdb', 'FROM transfer')).toBe(300_000);
    expect(await countIn('bank.duckdb', 'SELECT DISTINCT made_at::DATE FROM transfer')).toBe(180);
  });

  it.each([
    ['account_owner', 'customer_id', 'customer', 'customer_id'],
    ['account_owner', 'account_id', 'account', 'account_id'],
    ['transfer', 'from_account', 'account', 'account_id'],
    ['transfer', 'to_account', 'account', 'account_id'],
    ['card', 'account_id', 'account', 'account_id'],
    ['login', 'account_id', 'account', 'account_id'],
    ['login', 'device_id', 'device', 'device_id'],
  ])('has no %s whose %s is not in %s', async (table, column, other, key) => {
    expect(
      await countIn('bank.duckdb', `FROM ${table} ANTI JOIN ${other} ON ${table}.${column} = ${other}.${key}`),
    ).toBe(0);
  });

  it.each([
    ['customer', 'customer_id'],
    ['account', 'account_id'],
    ['transfer', 'transfer_id'],
    ['card', 'card_id'],
    ['device', 'device_id'],
    ['login', 'login_id'],
    ['account_owner', 'account_id, customer_id'],
  ])('contains no two %s with the same %s', async (table, key) => {
    expect(await countIn('bank.duckdb', `SELECT ${key} FROM ${table} GROUP BY ALL HAVING count(*) > 1`)).toBe(0);
  });

  it('has a holder for each account, transfers of at least a cent, and no transfers to the same account', async () => {
    expect(await countIn('bank.duckdb', "SELECT account_id FROM account_owner WHERE role = 'holder'")).toBe(30_000);
    expect(await countIn('bank.duckdb', 'FROM transfer WHERE from_account = to_account OR amount < 0.01')).toBe(0);
  });
});

describe('the bank mapping', () => {
  it('is valid, and its queries are accepted and run', async () => {
    const { node_definitions: nodes, edge_definitions: edges } = bankMapping;
    expect(validateDefinitions(nodes, edges)).toEqual([]);
    for (const { sql } of [...nodes, ...edges]) {
      expect(isRight(checkQuery(sql))).toBe(true);
      expect(isRight(await engine.describe(sql))).toBe(true);
    }
  });
});

describe('the graph of the demo', () => {
  let graph: LoadedGraph;

  beforeAll(async () => {
    const files = await exportMapping(engine, bankMapping, join(folder, 'bank-files'));
    graph = await loadGraph(bankMapping, files, engineOfKind('graphdb_a', join(folder, 'bank-graph')));
    const ranks = join(folder, 'ranks.parquet');
    const received = `SELECT to_account AS key, count(*)::DOUBLE AS value FROM '${files.get('TRANSFER')}' GROUP BY ALL`;
    const accounts = `SELECT account_id AS key, coalesce(value, 0) AS value FROM '${files.get('Account')}' LEFT JOIN (${received}) ON account_id = key`;
    await writeParquet(accounts, ranks);
    await graph.rank(ranks);
  });
  afterAll(() => graph.close());

  it('has about 50,000 nodes and 300,000 edges', async () => {
    const [[nodes], [edges]] = [
      await graph.query('MATCH (n) RETURN count(*) AS n'),
      await graph.query('MATCH ()-[e]->() RETURN count(*) AS n'),
    ];
    expect(Math.abs(Number(nodes!['n']) - 50_000)).toBeLessThan(2_000);
    expect(Math.abs(Number(edges!['n']) - 300_000)).toBeLessThan(2_000);
  });

  it.each(bankQuestions)('returns a handful of rows for: $question', async ({ cypher }) => {
    expect(admitQuery(cypher, VOCABULARY)).toMatchObject({ _tag: 'Right' });
    const rows = await graph.query(cypher);
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(Object.values(row)).not.toContain(null);
  });

  it('contains exactly the generated rings, six each of three to six accounts', async () => {
    const rings = await graph.query(bankQuestions[0].cypher.replace('LIMIT 10', ''));
    const accounts = rings.map((row) => row['ring'] as string[]);
    expect(accounts.map((ring) => ring.length).sort()).toEqual(
      [3, 4, 5, 6].flatMap((size) => Array<number>(6).fill(size)),
    );
    expect(new Set(accounts.flat()).size).toBe(108);
  });

  it('ranks companies first, since they receive most money', async () => {
    const rows = await graph.query(bankQuestions[2].cypher);
    expect(rows.filter((row) => row['kind'] === 'company').length).toBeGreaterThan(7);
  });
});
