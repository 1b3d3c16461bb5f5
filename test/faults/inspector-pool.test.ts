import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { createMemoryWatchdog } from '../../adapters/local-process/memory-watchdog';
import { createInspectorPool } from '../../adapters/query-inspector/inspector-pool';
import { programPath } from '../../adapters/system/package-root';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { runInDatabase } from '../adapters/duckdb/warehouse-fixture';
import { containing, ok } from '../contracts/query-engine/query-engine-contract';
import { processesOf } from '../support/system-processes';
import { waitFor } from '../support/wait-for';

/** Its planning takes minutes and little memory, and cannot be interrupted. */
const ENDLESS = "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000)) AS n";
const GREEDY = 'SELECT list_sum(list_transform(range(30000000), lambda x: x * 2)) AS n';

let folder: string;
let leftOut: (readonly string[])[];
let pool: EngineInspector & { close(): Promise<void> };

interface Limits {
  readonly describeMs?: number;
  readonly waitMs?: number;
  readonly memoryLimitMb?: number;
  readonly processes?: number;
}

const open = (limits: Limits = {}, program = programPath('adapters/query-inspector/main')) => {
  const { describeMs = 20_000, waitMs = 20_000, memoryLimitMb = 2000, processes = 2 } = limits;
  const others = 20_000;
  leftOut = [];
  pool = createInspectorPool({
    onLeftOut: (paths) => leftOut.push(paths),
    processes,
    waitMs,
    memoryLimitMb,
    memory: createMemoryWatchdog(20),
    limitMs: {
      describe: describeMs,
      tablesOf: others,
      ping: others,
      refresh: others,
      listCatalogs: others,
      listSchemas: others,
      listTables: others,
      sampleRows: others,
    },
    launch: () => ({
      programPath: program,
      environment: {
        ROWGRAPH_WAREHOUSE_DIR: join(folder, 'warehouse'),
        ROWGRAPH_INSPECTOR_SCRATCH_DIR: join(folder, 'scratch'),
        ROWGRAPH_INSPECTOR_MEMORY_MB: '500',
        ROWGRAPH_INSPECTOR_HINTS: 'off',
      },
      onLine: () => undefined,
    }),
  });
  return pool;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-inspector-'));
  await runInDatabase(join(folder, 'warehouse', 'bank.duckdb'), 'CREATE TABLE customer AS SELECT 1 AS id');
});
afterEach(async () => {
  await pool.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the query engine in separate processes', () => {
  it('answers every call', async () => {
    const engine = open();
    expect(ok(await engine.describe('SELECT id FROM customer'))).toEqual([{ name: 'id', type: 'integer' }]);
    expect(ok(await engine.tablesOf('TABLE customer'))).toEqual([
      { catalog: 'bank', schema: 'main', path: ['customer'] },
    ]);
    expect(ok(await engine.listCatalogs())).toEqual([{ name: 'bank', problem: null, skipped: null }]);
    expect(ok(await engine.listSchemas('bank'))).toEqual(['main']);
    expect(ok(await engine.listTables('bank', 'main', null))).toHaveLength(1);
    expect(await engine.ping()).toMatchObject({ _tag: 'Right' });
    expect(await engine.describe('SELECT nothere FROM customer')).toMatchObject({
      left: { kind: 'invalid_sql', position: { line: 1, column: 8 } },
    });
  });

  it('mentions only names from the query in its messages', async () => {
    const wrong = await open().describe('SELECT 1 FROM custome');
    expect(wrong).toMatchObject({ left: { kind: 'invalid_sql', message: containing('custome does not exist') } });
    expect(JSON.stringify(wrong)).not.toContain('customer');
  });

  it('ends a call that exceeds its time limit; others continue meanwhile and afterwards', async () => {
    // Long enough for a process to start.
    const engine = open({ describeMs: 6_000 });
    await Promise.all([engine.ping(), engine.ping()]);
    const endless = engine.describe(ENDLESS);
    expect(ok(await engine.describe('SELECT id FROM customer'))).toHaveLength(1);
    expect(await endless).toMatchObject({ left: { kind: 'query_failed', message: containing('within 6 s') } });
    expect(ok(await engine.describe('SELECT id FROM customer'))).toHaveLength(1);
  });

  it('ends a call that exceeds its memory limit', async () => {
    const engine = open({ memoryLimitMb: 200 });
    expect(await engine.describe(GREEDY)).toMatchObject({
      left: { kind: 'query_failed', message: containing('more than 200 MB') },
    });
    expect(ok(await engine.describe('SELECT id FROM customer'))).toHaveLength(1);
  });

  it('leaves out a file whose opening exceeds the memory limit, names it, and tries it again at a refresh', async () => {
    // What is not in the file yet is read into memory from its log.
    const [source, large] = [join(folder, 'source.duckdb'), join(folder, 'warehouse', 'lake.duckdb')];
    const instance = await DuckDBInstance.create(source, { checkpoint_threshold: '10GB' });
    const connection = await instance.connect();
    await connection.run('CREATE TABLE t (a BIGINT, b BIGINT)');
    for (let part = 0; part < 150; part++)
      await connection.run('INSERT INTO t SELECT i * 7919 * 104729, i * 104729 * 15485863 FROM range(100000) AS r(i)');
    await copyFile(source, large);
    await copyFile(`${source}.wal`, `${large}.wal`);
    connection.closeSync();
    instance.closeSync();
    const engine = open({ memoryLimitMb: 200 });
    const problem = containing('lake.duckdb ended the query engine when it was opened');
    const listed = [
      { name: 'bank', problem: null },
      { name: 'lake', problem },
    ];
    expect(ok(await engine.listCatalogs())).toMatchObject(listed);
    expect(ok(await engine.describe('SELECT id FROM bank.main.customer'))).toHaveLength(1);
    await rm(large);
    await rm(`${large}.wal`);
    await runInDatabase(large, 'CREATE TABLE t AS SELECT 1 AS a');
    expect(ok(await engine.listCatalogs())).toMatchObject(listed);
    expect(await engine.refresh()).toMatchObject({ _tag: 'Right' });
    expect(ok(await engine.listCatalogs())).toMatchObject([listed[0], { name: 'lake', problem: null }]);
  });

  it.each([
    ['leaves out a file whose opening ends a process', 'is left out', { _tag: 'Right', right: ['is left out'] }],
    [
      'fails a call when a file ends processes although it is left out',
      'anything else',
      { left: { kind: 'query_failed', message: containing('the query engine ended') } },
    ],
  ])('%s', async (_title, remedy, answer) => {
    const program = join(folder, 'inspector.cjs');
    await writeFile(
      program,
      `process.on('message', ({ id, leftOut }) =>
        leftOut[0] === 'bad.duckdb' && 'is left out' === '${remedy}'
          ? process.send({ id, result: { _tag: 'Right', right: ['is left out'] } })
          : process.send({ opening: ['bad.duckdb'] }, () => process.exit(1)));`,
    );
    const engine = open({}, program);
    expect(await engine.listCatalogs()).toMatchObject(answer);
    expect(leftOut).toEqual([['bad.duckdb']]);
    await engine.refresh();
    expect(leftOut.slice(1)).toEqual([[], ['bad.duckdb']]);
  });

  it('rejects a call that would have to wait too long', async () => {
    const engine = open({ describeMs: 3_000, waitMs: 100, processes: 1 });
    await engine.ping();
    const endless = engine.describe(ENDLESS);
    expect(await engine.ping()).toMatchObject({ left: { kind: 'unavailable', message: containing('busy') } });
    await pool.close();
    await endless;
  });

  it('reports a missing warehouse as unavailable, and recovers with it', async () => {
    await rm(join(folder, 'warehouse'), { recursive: true });
    const engine = open();
    expect(await engine.describe('SELECT 1')).toMatchObject({ left: { kind: 'unavailable' } });
    await mkdir(join(folder, 'warehouse'));
    expect(ok(await engine.describe('SELECT 1 AS n'))).toHaveLength(1);
  });

  it('leaves no process behind', async () => {
    const engine = open();
    await Promise.all([engine.ping(), engine.ping()]);
    expect(processesOf(folder).length).toBeGreaterThan(0);
    await engine.close();
    await waitFor('the processes have ended', () => processesOf(folder).length === 0);
  });
});
