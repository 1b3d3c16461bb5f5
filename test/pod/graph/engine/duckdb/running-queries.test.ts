import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type DuckdbEngine } from '../../../../../pod/graph/engine/duckdb/duckdb-engine';
import { type ExportedRows } from '../../../../../pod/graph/engine/export/exported-rows';
import { type EngineCrash, type GraphQuery, type QueryClient } from '../../../../../pod/graph/engine/graph-engine';
import { waitFor } from '../../../../support/wait-for';
import { left, type LoadedEngine, loadedEngine, right, scratchDirectory } from '../../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot, writeParquet } from '../../support/snapshot';
import { handwrittenEngine, sqlQuery } from './handwritten';

const PEOPLE = 50_000;
const ENDLESS = 'SELECT count(a.i + b.i)::VARCHAR FROM range(1000000) a(i), range(1000000) b(i)';
const MEMORY_BYTES = 512 * 2 ** 20;

describe('running queries of DuckDB', () => {
  let snapshot: Snapshot;
  let directory: string;
  let loaded: LoadedEngine;
  let limitBytes = MEMORY_BYTES;
  let cores = 2;
  const crashes: EngineCrash[] = [];

  beforeAll(async () => {
    snapshot = await createSnapshot();
    directory = await scratchDirectory();
    await snapshot.export(
      'nodes/Person',
      `SELECT i AS id, 'name ' || i AS name, i % 7 AS age FROM range(${PEOPLE}) AS t(i)`,
    );
    const properties = [{ name: 'name', type: 'STRING' } as const, { name: 'age', type: 'INT64' } as const];
    const mapping = mappingOf(snapshot, {
      node_definitions: [{ label: 'Person', primary_key: { name: 'id', type: 'INT64' }, properties }],
      edge_definitions: [],
    });
    const podResources = { limitBytes: () => limitBytes, cores: () => cores, processIds: () => [] };
    const engine = handwrittenEngine(directory, { podResources, onCrash: (crash) => crashes.push(crash) });
    loaded = await loadedEngine(engine, mapping, snapshot, directory);
  });
  afterAll(async () => {
    await loaded.end();
    await snapshot.remove();
  });

  const ask = (query: GraphQuery, client?: QueryClient) => loaded.engine.query(query, client);
  const value = async (sql: string, parameters = {}): Promise<unknown> => {
    const [row] = JSON.parse(right(await ask(sqlQuery(sql, parameters))).rowsJson) as unknown[][];
    return row?.[0];
  };
  const textOf = async (rows: ExportedRows): Promise<string> => (await buffer(rows)).toString();
  const clientNamed = (name: string) => {
    const controller = new AbortController();
    return { name, disconnected: controller.signal, disconnect: () => controller.abort() };
  };

  test.each([
    ['a join', ENDLESS],
    [
      'a recursion',
      'WITH RECURSIVE t(n) AS (SELECT 1::BIGINT UNION ALL SELECT n + 1 FROM t) SELECT max(n)::VARCHAR FROM t',
    ],
    ['a sort', 'SELECT max(s)::VARCHAR FROM (SELECT sum(i) OVER (ORDER BY hash(i)) AS s FROM range(1000000000) t(i))'],
    ['a stream of rows without end', 'SELECT NULL::VARCHAR FROM range(100000000000) t(i) WHERE i < 0'],
  ])('%s ends at its timeout', async (_, sql) => {
    expect(left(await ask(sqlQuery(sql, {}, 300)))).toEqual({ kind: 'timeout', timeoutMs: 300 });
    expect(await value('SELECT 1::VARCHAR')).toBe(1);
  });

  test('a query ends when its client disconnects, while it waits and while it runs', async () => {
    const clients = Array.from({ length: 8 }, () => clientNamed('one'));
    const answers = clients.map((client) => ask(sqlQuery(ENDLESS), client));
    await wait(100);
    for (const client of clients) client.disconnect();
    for (const answer of answers) expect(left(await answer)).toEqual({ kind: 'abandoned' });
    await loaded.engine.query(sqlQuery('SELECT 1::VARCHAR'));
  });

  test('a caller has six slots at most, and others are answered beside its endless queries', async () => {
    const clients = Array.from({ length: 32 }, () => clientNamed('one'));
    const answers = clients.map((client) => ask(sqlQuery(ENDLESS), client));
    for (let count = 0; count < 5; count++) {
      expect(right(await ask(sqlQuery('SELECT 1::VARCHAR'), clientNamed('other'))).rowsJson).toBe('[[1]]');
    }
    expect(left(await ask(sqlQuery('SELECT 1::VARCHAR', {}, 200), clientNamed('one')))).toMatchObject({
      kind: 'timeout',
    });
    for (const client of clients) client.disconnect();
    await Promise.all(answers);
    await waitFor(
      'the caller is answered again',
      async () => (await ask(sqlQuery('SELECT 1::VARCHAR', {}, 1_000), clientNamed('one')))._tag === 'Right',
    );
  });

  test('a query beyond the limit of memory fails with the limits, which may grow', async () => {
    // Hash tables of aggregates with many different texts.
    const hungry = `SELECT max(c)::VARCHAR FROM (SELECT list(i::VARCHAR || repeat('x', 100)) AS c FROM range(5000000) t(i))`;
    const failure = left(await ask(sqlQuery(hungry, {}, 60_000)));
    expect(failure).toMatchObject({ kind: 'memory', limits: { spillBytes: 1.5 * 2 ** 30 } });
    expect(failure.kind === 'memory' && failure.limits?.memoryBytes).toBeLessThan(MEMORY_BYTES);
    limitBytes = 6 * MEMORY_BYTES;
    expect(await value(`SELECT (current_setting('memory_limit') LIKE '1.%')::VARCHAR`)).toBe(true);
    limitBytes = MEMORY_BYTES;
  });

  test('the next query uses the cores that the pod then has', async () => {
    const threads = () => value(`SELECT CAST(current_setting('threads') AS VARCHAR)`);
    expect(await threads()).toBe(2);
    cores = 4;
    expect(await threads()).toBe(4);
    cores = 0.5;
    expect(await threads()).toBe(1);
    cores = 2;
  });

  test('queries do not keep memory after they end, whatever their number', async () => {
    const used = () => value('SELECT sum(memory_usage_bytes)::VARCHAR FROM duckdb_memory()').then(Number);
    const beside = 'SELECT count(*) FROM node_0 AS b WHERE b._id > a._id';
    const counted = (number: number) =>
      value(`SELECT sum((${beside} + ${number}))::VARCHAR FROM (FROM node_0 LIMIT 5) AS a`);
    await counted(0);
    const before = await used();
    for (let number = 1; number <= 20; number++) await counted(number);
    expect(await used()).toBeLessThan(before + 2 ** 22);
  });

  test('rows that do not fit into memory are spilled into files', async () => {
    const sorted = `SELECT max(s)::VARCHAR FROM (SELECT row_number() OVER () AS s FROM (SELECT hash(i)::VARCHAR || repeat('x', 200) AS x FROM range(1000000) t(i) ORDER BY x DESC))`;
    expect(right(await ask(sqlQuery(sorted, {}, 60_000))).rowsJson).toBe('[[1000000]]');
  });

  test.each([
    ['SELECT (9223372036854775807::BIGINT + range)::VARCHAR FROM range(1, 2)', /^Overflow/],
    [`SELECT (p1::BIGINT)::VARCHAR FROM node_0`, /^The text "name 0" is not a value of INT64/],
    [`SELECT error('rowgraph: A division by zero.')::VARCHAR FROM node_0`, /^A division by zero\.$/],
    ['SELECT unknown_column FROM node_0', /^The graph database cannot run this query.*\(E-/],
    [`SELECT ('database has been invalidated'::BIGINT)::VARCHAR`, /invalidated" is not a value of INT64/],
  ])('the error of %s is explained', async (sql, message) => {
    expect(left(await ask(sqlQuery(sql)))).toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(message) as string,
    });
  });

  test('an export reads any number of rows on demand, and ends when the rest is discarded', async () => {
    const numbers = sqlQuery('SELECT i::VARCHAR FROM range(300000) t(i)');
    const whole = `x\n${Array.from({ length: 300_000 }, (_, row) => `${row}\n`).join('')}`;
    expect(await textOf(right(await loaded.engine.exportRows(numbers, 'csv')))).toBe(whole);
    const discarded = right(await loaded.engine.exportRows(numbers, 'ndjson'));
    expect((await discarded.next()).done).toBe(false);
    await discarded.return();
    await discarded.ended;
    expect(await textOf(right(await loaded.engine.exportRows(numbers, 'csv')))).toBe(whole);
  });

  test('an export keeps its slot until it is read', async () => {
    const open = (timeoutMs: number) => {
      const query = sqlQuery('SELECT i::VARCHAR FROM range(100000) t(i)', {}, timeoutMs);
      return loaded.engine.exportRows(query, 'csv', clientNamed('exporter'));
    };
    const exports = await Promise.all(Array.from({ length: 6 }, async () => right(await open(20_000))));
    expect(left(await open(300))).toMatchObject({ kind: 'timeout' });
    for (const rows of exports) await rows.return();
    expect(await textOf(right(await open(20_000)))).toHaveLength(588_892);
  });

  test.each([10, 2_047, 2_048, 2_049, 50_000, 99_999])('an error in row %i of an answer is not lost', async (row) => {
    const failing = sqlQuery(`SELECT (9223372036854775807::BIGINT - ${row - 1} + i)::VARCHAR FROM range(100000) t(i)`);
    const overflow = { kind: 'rejected', message: expect.stringMatching(/^Overflow/) as string };
    expect(left(await loaded.engine.query(failing))).toMatchObject(overflow);
    expect(left(await loaded.engine.exportRows(failing, 'csv'))).toMatchObject(overflow);
  });

  test('an answer that ends at the most rows does not keep its tables', async () => {
    const many = sqlQuery('SELECT i::VARCHAR FROM range(100000000) t(i)');
    expect(right(await loaded.engine.query(many))).toMatchObject({ rowCount: 100_000, truncated: true });
    expect(await value('SELECT 1::VARCHAR')).toBe(1);
    expect(await value("SELECT count(*)::VARCHAR FROM duckdb_tables() WHERE table_name = 'answer'")).toBe(0);
  });

  describe('beside writes', () => {
    const property = (name: string, type: 'INT64' | 'STRING') => ({
      name,
      declaredType: type,
      type: { kind: 'scalar', name: type } as const,
      wholeMilliseconds: false,
    });
    const write = async (name: string, type: 'INT64' | 'STRING', sql: string): Promise<number> => {
      const parquetFile = join(await mkdtemp(join(directory, 'write-')), 'values.parquet');
      await writeParquet(sql, parquetFile);
      return right(await loaded.engine.writeNodes({ label: 'Person', property: property(name, type), parquetFile }));
    };

    test('a written property is the last column, and nodes that are not written keep their values', async () => {
      expect(await write('rank', 'INT64', `SELECT i AS key, i * 2 AS value FROM range(${PEOPLE}) t(i)`)).toBe(PEOPLE);
      expect(await value('SELECT sum(p3)::VARCHAR FROM node_0')).toBe(PEOPLE * (PEOPLE - 1));
      expect(await write('age', 'INT64', `SELECT i AS key, -1::BIGINT AS value FROM range(10) t(i)`)).toBe(10);
      expect(
        await value(
          `SELECT count(*)::VARCHAR FROM node_0 WHERE p3 = CASE WHEN p0 < 10 THEN -1 ELSE p0 % 7 END AND p2 = 2 * p0 AND p1 = 'name ' || p0`,
        ),
      ).toBe(PEOPLE);
      expect(await write('name', 'STRING', `SELECT 5::BIGINT AS key, NULL::VARCHAR AS value`)).toBe(1);
      expect(await value('SELECT count(*)::VARCHAR FROM node_0 WHERE p3 IS NULL AND _id = 5')).toBe(1);
      expect(await value('SELECT bool_and(_id = rowid AND _id = p0)::VARCHAR FROM node_0')).toBe(true);
    });

    test('running queries keep the values they began with, and queries never mix old and new tables', async () => {
      const rows = right(await loaded.engine.exportRows(sqlQuery('SELECT p0::VARCHAR FROM node_0'), 'csv'));
      let isOver = false;
      const sums = new Set<unknown>();
      const read = async (): Promise<void> => {
        while (!isOver) sums.add(await value('SELECT (max(p3) = min(p3))::VARCHAR FROM node_0 WHERE p0 >= 10'));
      };
      await write('rank', 'INT64', `SELECT i AS key, 0::BIGINT AS value FROM range(${PEOPLE}) t(i)`);
      const reading = Promise.all([read(), read()]);
      for (let value = 1; value <= 4; value++) {
        await write('rank', 'INT64', `SELECT i AS key, ${value}::BIGINT AS value FROM range(${PEOPLE}) t(i)`);
      }
      isOver = true;
      await reading;
      expect(sums).toEqual(new Set([true]));
      expect((await textOf(rows)).split('\n')).toHaveLength(PEOPLE + 2);
    });
  });

  test('a closed engine ends its queries and does not answer', async () => {
    const other = await scratchDirectory();
    const engine: DuckdbEngine = handwrittenEngine(other);
    const { engine: started } = await loadedEngine(
      engine,
      mappingOf(snapshot, { node_definitions: [], edge_definitions: [] }),
      snapshot,
      other,
    );
    const running = started.query(sqlQuery(ENDLESS));
    await wait(50);
    await started.close();
    expect(left(await running)).toEqual({ kind: 'crashed', message: 'signal SIGKILL' });
    expect(left(await started.query(sqlQuery('SELECT 1::VARCHAR')))).toMatchObject({ kind: 'crashed' });
    right(await started.start());
    await started.close();
  });
});
