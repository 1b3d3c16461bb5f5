import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createDuckdbQueryEngine } from '../../../adapters/duckdb/duckdb-query-engine';
import { keepLeftOut, readLeftOut } from '../../../adapters/duckdb/left-out-files';
import { type ExportRequest } from '../../../domain/ports/query-engine';
import { containing, finish, ok, readParquet } from '../../contracts/query-engine/query-engine-contract';
import { localDestination, storedPaths } from '../../support/local-destination';
import { waitFor } from '../../support/wait-for';
import {
  loseCatalogOf,
  openWarehouseFixture,
  runInDatabase,
  type WarehouseFixture,
  writeParquet,
  writtenByLaterVersion,
} from './warehouse-fixture';

/** Adds a customer to a database file in a separate process, because locks are per process. */
const APPEND = `const { DuckDBInstance } = require('@duckdb/node-api');
DuckDBInstance.create(process.argv[1])
  .then((instance) => instance.connect())
  .then((connection) => connection.run('INSERT INTO customer VALUES (' + process.argv[2] + ", 'new')"))
  .then(() => process.exit(0), (error) => { console.error(error.message); process.exit(1); });`;

/** Paths of the files this process has open. */
const openFiles = async (): Promise<readonly string[]> => {
  const names = await readdir('/proc/self/fd');
  return Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
};

let fixture: WarehouseFixture;
let number = 0;

beforeEach(async () => (fixture = await openWarehouseFixture()));
afterEach(() => fixture.close());

const requestOf = async (
  sql: string,
  columns: readonly string[],
  catalog: string | null = 'bank',
): Promise<ExportRequest> => {
  number += 1;
  const scratchDirectory = join(fixture.folder, `export-${number}`);
  await mkdir(scratchDirectory);
  return { sql, columns, catalog, destination: localDestination(scratchDirectory), scratchDirectory };
};

const submit = async (...query: Parameters<typeof requestOf>) => fixture.engine.submitExport(await requestOf(...query));

const catalogNames = async () => ok(await fixture.engine.listCatalogs()).map(({ name }) => name);

const rowsOf = async (sql: string, columns: readonly string[], catalog: string | null = 'bank') => {
  const request = await requestOf(sql, columns, catalog);
  return readParquet(storedPaths(request.destination, ok(await finish(fixture.engine, request))));
};

describe('the warehouse folder', () => {
  it('detects database and Parquet files that are added while it is open', async () => {
    expect(await catalogNames()).toEqual(['bank']);
    await runInDatabase(join(fixture.warehouse, 'film.duckdb'), 'CREATE TABLE film AS SELECT 1 AS id');
    await writeParquet(join(fixture.warehouse, 'lake', 'raw', 'event.parquet'), "SELECT 5 AS id, 'x' AS kind");

    expect(await catalogNames()).toEqual(['bank', 'film', 'lake']);
    expect(ok(await fixture.engine.listSchemas('lake'))).toEqual(['raw']);
    const [event] = ok(await fixture.engine.listTables('lake', 'raw', null));
    expect(event).toMatchObject({ name: 'event', type: 'TABLE', columns: [{ name: 'id' }, { name: 'kind' }] });
    const joined = 'SELECT e.id + f.id AS id FROM lake.raw.event e, film.main.film f';
    expect((await rowsOf(joined, ['id'], null)).rows).toEqual([{ id: 6 }]);
  });

  it('detects a replaced file, while a running export continues on the old one', async () => {
    const wanted = await requestOf('SELECT a.id AS n FROM customer a, customer b, customer c, customer d', ['n']);
    const slow = ok(await fixture.engine.submitExport(wanted));
    await runInDatabase(join(fixture.folder, 'new.duckdb'), "CREATE TABLE customer AS SELECT 9 AS id, 'new' AS name");
    await rename(join(fixture.folder, 'new.duckdb'), join(fixture.warehouse, 'bank.duckdb'));

    expect((await rowsOf('SELECT * FROM customer', ['id', 'name'])).rows).toEqual([{ id: 9, name: 'new' }]);
    if (slow.state !== 'running') throw new Error('the slow query ended at once');
    expect(ok(await fixture.engine.pollExport(slow.nextUri, wanted)).state).toBe('running');
    ok(await fixture.engine.cancelExport(slow.nextUri));
  });

  it('fails an export whose file is changed in place while it is read', async () => {
    const path = join(fixture.warehouse, 'lake', 'raw', 'codes.csv');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'code\n1234\n');
    const sql = 'SELECT max(code + range) AS n FROM lake.raw.codes, range(60000000)';
    const wanted = await requestOf(sql, ['n']);
    const submitted = fixture.engine.submitExport(wanted);
    await submitted;
    await writeFile(path, 'code\n12345\n');
    expect(await finish(fixture.engine, wanted, submitted)).toMatchObject({
      left: { canRetry: true, message: containing('codes.csv was changed while') },
    });
  });

  it('closes its files after an idle time, so that other programs can write to them', async () => {
    const quiet = await openWarehouseFixture(50);
    const path = join(quiet.warehouse, 'bank.duckdb');
    const write = (id: number): Promise<unknown> =>
      promisify(execFile)(process.execPath, ['-e', APPEND, path, String(id)]);
    const sql = 'SELECT id FROM customer';
    const scratchDirectory = join(quiet.folder, 'export');
    const request = {
      sql,
      columns: ['id'],
      catalog: 'bank',
      destination: localDestination(scratchDirectory),
      scratchDirectory,
    };
    await mkdir(scratchDirectory);
    const count = async (): Promise<number> => {
      const ended = ok(await finish(quiet.engine, request));
      return (await readParquet(storedPaths(request.destination, ended))).rows.length;
    };
    const busy = ok(
      await quiet.engine.submitExport({
        ...request,
        sql: 'SELECT a.id FROM customer a, customer b, customer c, customer d',
      }),
    );
    await expect(write(1000)).rejects.toThrow('lock');

    if (busy.state === 'running') ok(await quiet.engine.cancelExport(busy.nextUri));
    ok(await quiet.engine.ping());
    await waitFor('the file is closed', async () => !(await openFiles()).includes(path));
    await write(1001);
    expect(await count()).toBe(1001);
    await quiet.close();
  });

  it('reads the rows that a killed writer left in the log beside its file', async () => {
    const path = join(fixture.warehouse, 'bank.duckdb');
    const count = async () => (await rowsOf('SELECT count(*) AS n FROM bank.customer', ['n'])).rows;
    expect(await count()).toEqual([{ n: '1000' }]);
    // When the older of two openings of one process closes, the newer one no longer locks the file.
    await runInDatabase(join(fixture.warehouse, 'film.duckdb'), 'CREATE TABLE film AS SELECT 1 AS id');
    expect(await count()).toEqual([{ n: '1000' }]);
    const killed = APPEND.replace('process.exit(0)', "process.kill(process.pid, 'SIGKILL')");
    await expect(promisify(execFile)(process.execPath, ['-e', killed, path, '1000'])).rejects.toMatchObject({
      signal: 'SIGKILL',
    });
    expect((await stat(`${path}.wal`)).size).toBeGreaterThan(0);
    expect(await count()).toEqual([{ n: '1001' }]);
  });

  it('skips a damaged file, serves the others and reports why its tables are missing', async () => {
    await writeFile(join(fixture.warehouse, 'broken.duckdb'), 'this is no database');

    expect(ok(await fixture.engine.listCatalogs())).toEqual([
      { name: 'bank', problem: null, skipped: null },
      { name: 'broken', problem: containing('broken.duckdb could not be opened'), skipped: null },
    ]);
    expect(JSON.stringify(await fixture.engine.listCatalogs())).not.toContain(fixture.folder);
    expect((await rowsOf('SELECT id FROM bank.customer WHERE id = 1', ['id'])).rows).toHaveLength(1);
    expect(await fixture.engine.describe('SELECT * FROM broken.main.t', 'bank')).toMatchObject({
      left: {
        kind: 'invalid_sql',
        message: containing(`catalogs are: bank; the warehouse file warehouse/broken.duckdb could not`),
      },
    });
  });

  it('skips a file that crashes DuckDB or was written by a later version, and serves the others', async () => {
    for (const name of ['lost', 'later']) {
      await runInDatabase(join(fixture.warehouse, `${name}.duckdb`), 'CREATE TABLE film AS SELECT 1 AS id');
    }
    await loseCatalogOf(join(fixture.warehouse, 'lost.duckdb'));
    await writtenByLaterVersion(join(fixture.warehouse, 'later.duckdb'));

    expect(ok(await fixture.engine.listCatalogs())).toEqual([
      { name: 'bank', problem: null, skipped: null },
      {
        name: 'later',
        problem: expect.stringMatching(/later\.duckdb could not be opened: .*version.*STORAGE_VERSION/s) as string,
        skipped: null,
      },
      {
        name: 'lost',
        problem: expect.stringMatching(/lost\.duckdb could not be opened: Failed to load/) as string,
        skipped: null,
      },
    ]);
    expect((await rowsOf('SELECT id FROM bank.customer WHERE id = 1', ['id'])).rows).toHaveLength(1);
  });

  it('reads CSV files and folders of partitioned Parquet as tables', async () => {
    const lake = join(fixture.warehouse, 'lake', 'raw');
    await writeParquet(join(lake, 'sale', 'year=2024', 'month=1', 'a.parquet'), "SELECT 1 AS id, 'x' AS kind");
    await writeParquet(join(lake, 'sale', 'year=2025', 'month=2', 'b.parquet'), 'SELECT 2 AS id');
    await writeParquet(join(lake, 'folder', 'no-partition', 'c.parquet'), 'SELECT 3 AS id');
    await writeFile(join(lake, 'person.csv'), 'id;name;born\n1;Ada;1815-12-10\n2;"Grace; H.";1906-12-09\n');

    const tables = ok(await fixture.engine.listTables('lake', 'raw', null));
    const types = (name: string) =>
      tables.find((table) => table.name === name)?.columns.map((column) => `${column.name} ${column.type}`);
    expect(tables.map(({ name }) => name)).toEqual(['person', 'sale']);
    expect(types('person')).toEqual(['id bigint', 'name varchar', 'born date']);
    expect(types('sale')).toEqual(['id integer', 'kind varchar', 'month bigint', 'year bigint']);
    const sql = `SELECT s.id, s.kind, s.year, p.name FROM lake.raw.sale s JOIN lake.raw.person p USING (id) ORDER BY s.id`;
    expect((await rowsOf(sql, ['id', 'kind', 'year', 'name'], 'lake')).rows).toEqual([
      { id: 1, kind: 'x', year: '2024', name: 'Ada' },
      { id: 2, kind: null, year: '2025', name: 'Grace; H.' },
    ]);

    await writeParquet(join(lake, 'sale', 'year=2026', 'month=3', 'd.parquet'), 'SELECT 4 AS id');
    expect((await rowsOf('SELECT id FROM lake.raw.sale WHERE year = 2026', ['id'], 'lake')).rows).toEqual([{ id: 4 }]);
  });

  it('names a broken file of a catalog, whose other tables can be queried', async () => {
    const lake = join(fixture.warehouse, 'lake', 'raw');
    await writeParquet(join(lake, 'event.parquet'), 'SELECT 5 AS id');
    await writeParquet(join(lake, 'sale', 'year=2024', 'a.parquet'), 'SELECT 1 AS id');
    await writeFile(join(lake, 'sale', 'year=2024', 'torn.parquet'), 'PAR1 and no more');
    expect(ok(await fixture.engine.listCatalogs())).toEqual([
      { name: 'bank', problem: null, skipped: null },
      { name: 'lake', problem: containing('year=2024/torn.parquet'), skipped: null },
    ]);
    expect((await rowsOf('SELECT id FROM lake.raw.event', ['id'], 'lake')).rows).toEqual([{ id: 5 }]);
  });

  it('says of an unknown table why its file is not read, and mentions no other file', async () => {
    for (const catalog of ['lake', 'sea']) {
      for (const file of ['torn.parquet', 'other.parquet', 'sheet.xlsx', 'old/part-0.orc']) {
        const path = join(fixture.warehouse, catalog, 'raw', file);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, 'PAR1 and no more');
      }
    }
    await writeFile(join(fixture.warehouse, 'broken.duckdb'), 'no database');
    const mentioned = async (sql: string, catalog: string | null = null) =>
      JSON.stringify(await fixture.engine.describe(sql, catalog)).match(/(?:lake|sea)\/raw\/[\w./-]+|broken\.duckdb/g);
    for (const [table, file] of [
      ['torn', 'lake/raw/torn.parquet'],
      ['SHEET', 'lake/raw/sheet.xlsx'],
      ['old', 'lake/raw/old/part-0.orc'],
      ['tron', null],
      ['lake', null],
    ] as const) {
      expect([table, [...new Set(await mentioned(`SELECT 1 FROM lake.raw.${table}`))]]).toEqual([
        table,
        file ? [file] : [],
      ]);
    }
    expect(await mentioned('SELECT 1 FROM broken.main.t')).toContain('broken.duckdb');
    expect(await mentioned('SELECT 1 FROM lake.raw.broken')).toBeNull();
    expect(await mentioned('SELECT 1 FROM nowhere', 'bank')).toBeNull();
    expect(await mentioned('SELECT 1', 'lak')).toBeNull();
    expect(await mentioned('SELECT 1 FROM torn', 'bank')).toEqual(expect.arrayContaining(['lake/raw/torn.parquet']));
  });

  it('follows links and ignores broken ones', async () => {
    await writeParquet(join(fixture.folder, 'elsewhere.parquet'), 'SELECT 3 AS id');
    await mkdir(join(fixture.warehouse, 'lake', 'raw'), { recursive: true });
    await symlink(join(fixture.folder, 'elsewhere.parquet'), join(fixture.warehouse, 'lake', 'raw', 'linked.parquet'));
    await symlink(join(fixture.folder, 'nowhere'), join(fixture.warehouse, 'nowhere.duckdb'));

    expect(await catalogNames()).toEqual(['bank', 'lake']);
    expect((await rowsOf('SELECT id FROM lake.raw.linked', ['id'])).rows).toEqual([{ id: 3 }]);
  });

  it('resolves unqualified names in the only catalog, and rejects them when there are several', async () => {
    expect((await rowsOf('SELECT id FROM customer WHERE id = 1', ['id'], null)).rows).toHaveLength(1);
    await runInDatabase(join(fixture.warehouse, 'film.duckdb'), 'CREATE TABLE film AS SELECT 1 AS id');

    expect(await fixture.engine.describe('SELECT id FROM customer')).toMatchObject({
      left: { kind: 'invalid_sql', message: containing('the catalogs are: bank, film') },
    });
    expect(await fixture.engine.describe('SELECT 1', 'nowhere')).toMatchObject({
      left: { kind: 'invalid_sql', message: 'unknown catalog "nowhere"; the catalogs are: bank, film' },
    });
  });

  it('does not mention catalogs that are absent from the query, unless hints are allowed', async () => {
    await runInDatabase(join(fixture.warehouse, 'vault.duckdb'), 'CREATE TABLE customers AS SELECT 1 AS id');
    const discreet = ok(
      await createDuckdbQueryEngine({
        warehouseDirectory: fixture.warehouse,
        scratchDirectory: join(fixture.folder, 'scratch'),
        memoryLimitMb: 500,
        threads: 1,
        hints: false,
      }),
    );
    const scratchDirectory = join(fixture.folder, 'discreet');
    await mkdir(scratchDirectory);
    const exported = async (sql: string, catalog: string | null, engine: typeof discreet) => {
      const request = {
        sql,
        columns: ['id'],
        catalog,
        destination: localDestination(scratchDirectory),
        scratchDirectory,
      };
      return JSON.stringify(await finish(engine, request));
    };
    for (const [sql, catalog] of [
      ['SELECT id FROM customers', 'bank'],
      ['SELECT id FROM customers', null],
      ['SELECT id FROM bank.customers', null],
      ['SELECT id FROM nowhere.main.customers', 'bank'],
      ['SELECT 1 AS id', 'nowhere'],
    ] as const) {
      const messages = JSON.stringify(await discreet.describe(sql, catalog)) + (await exported(sql, catalog, discreet));
      expect(messages).toMatch(/does not exist|unknown catalog/);
      expect(messages).not.toContain('vault');
      expect(await exported(sql, catalog, fixture.engine)).toContain('vault');
    }
    await discreet.close();
  });

  it('rejects a folder that does not exist', async () => {
    const opened = await createDuckdbQueryEngine({
      warehouseDirectory: join(fixture.folder, 'missing'),
      scratchDirectory: join(fixture.folder, 'scratch'),
      memoryLimitMb: 500,
      threads: 1,
    });
    expect(opened).toMatchObject({ left: { kind: 'unavailable', message: containing('missing') } });
  });
});

describe('a view of a database file', () => {
  const bank = () => join(fixture.warehouse, 'bank.duckdb');
  const ids = async (sql: string, catalog: string | null = null) => (await rowsOf(sql, ['id'], catalog)).rows;
  const sampled = async (schema: string, view: string) =>
    ok(await fixture.engine.sampleRows(['bank', schema, view], 3, 'ada'));

  beforeEach(async () => {
    await runInDatabase(
      bank(),
      'CREATE TABLE t AS SELECT 1 AS id',
      'CREATE SCHEMA s',
      'CREATE VIEW s.v AS SELECT id FROM t',
      'CREATE VIEW w AS SELECT id FROM s.v',
      'CREATE TABLE gone AS SELECT 1 AS id',
      'CREATE VIEW s.lost AS SELECT id FROM gone',
      'DROP TABLE gone',
    );
    await runInDatabase(join(fixture.warehouse, 'film.duckdb'), 'CREATE TABLE t AS SELECT 2 AS id');
  });

  it('finds names without a schema in main of its own catalog, and never in another catalog', async () => {
    for (const view of ['bank.s.v', 'bank.w', 'bank.main.w']) {
      expect(await ids(`SELECT id FROM ${view}`)).toEqual([{ id: 1 }]);
      expect(await ids(`SELECT id FROM ${view}`, 'bank')).toEqual([{ id: 1 }]);
      expect(await fixture.engine.describe(`SELECT id FROM ${view}`, 'film')).toMatchObject({
        left: { kind: 'invalid_sql', message: containing('run the query with the catalog bank') },
      });
    }
    expect(await ids('SELECT v.id + f.id AS id FROM bank.s.v AS v, film.main.t AS f')).toEqual([{ id: 3 }]);
    expect([await sampled('s', 'v'), await sampled('main', 'w')]).toEqual([[{ id: '1' }], [{ id: '1' }]]);
  });

  it('is named by its error, without a position in its text', async () => {
    for (const sql of ['SELECT id FROM bank.s.lost', 'SELECT 1 FROM bank.s.lost AS l JOIN film.main.t AS t ON true'])
      expect(await fixture.engine.describe(sql)).toMatchObject({
        left: {
          kind: 'invalid_sql',
          message: containing('the view bank.s.lost cannot be read: Table with'),
          position: null,
        },
      });
    expect(ok(await fixture.engine.listTables('bank', 's', null)).map(({ name }) => name)).toEqual(['lost', 'v']);
  });
});

describe('an export of DuckDB', () => {
  it('takes the rows of a limit before those of a join', async () => {
    const write = (name: string, sql: string) =>
      writeParquet(join(fixture.warehouse, `lake/main/${name}.parquet`), sql);
    await write('ranked', 'SELECT i AS id, hash(i) % 7 AS rank FROM range(200) t(i)');
    await write('chosen', 'SELECT i * 13 % 200 AS id FROM range(6) t(i)');
    const sql =
      'SELECT r.id FROM (SELECT id FROM lake.main.ranked ORDER BY rank, id LIMIT 20) r JOIN lake.main.chosen c ON c.id = r.id';
    // In one of three runs, DuckDB took the first rows of those that have a row in the other table.
    for (let run = 0; run < 12; run++) expect((await rowsOf(sql, ['id'])).rows).toHaveLength(1);
  });

  it('reads and converts times in UTC, whatever the zone of the machine', async () => {
    const noon = "TIMESTAMPTZ '2024-01-01 00:30:00+00'";
    const casts = `${noon}::DATE::VARCHAR AS d, date_trunc('day', ${noon})::VARCHAR AS t, strftime(${noon}, '%H') AS h`;
    const sql = `SELECT ${casts}, '2024-01-01 12:00:00'::TIMESTAMPTZ::VARCHAR AS text, current_setting('TimeZone') AS zone`;
    expect((await rowsOf(sql, ['d', 't', 'h', 'text', 'zone'])).rows).toEqual([
      { d: '2024-01-01', t: '2024-01-01 00:00:00+00', h: '00', text: '2024-01-01 12:00:00+00', zone: 'UTC' },
    ]);
  });

  it('keeps the sign of zeros', async () => {
    const zeros = "SELECT (CASE i % 2 WHEN 0 THEN '0.0' ELSE '-0.0' END)::DOUBLE AS x FROM range(100) AS t (i)";
    const { rows } = await rowsOf(`SELECT x, [x::FLOAT] AS list FROM (${zeros})`, ['x', 'list']);
    expect(rows.filter(({ x }) => Object.is(x, -0))).toHaveLength(50);
    expect(rows.filter(({ list }) => Array.isArray(list) && Object.is(list[0], -0))).toHaveLength(50);
  });

  it('keeps 128-bit integers exact', async () => {
    const { rows, types } = await rowsOf('SELECT sum(id) + 9007199254740993 AS total FROM customer', ['total']);
    expect(types).toEqual({ total: 'DECIMAL(38,0)' });
    expect(rows).toEqual([{ total: '9007199255240493' }]);
  });

  it.each([
    'SELECT id FROM customer WHERE id IN (1, 2)',
    '(SELECT id FROM customer LIMIT 2)',
    'WITH c AS (SELECT id FROM customer) SELECT * FROM c LIMIT 2',
    'SELECT id FROM (VALUES (1), (2)) AS t(id)',
    'SELECT id FROM customer WHERE id = 1 UNION ALL SELECT 2',
    'SELECT range AS id FROM range(2)',
  ])('accepts any form of a query: %s', async (sql) => expect((await rowsOf(sql, ['id'])).rows).toHaveLength(2));

  it('names the tables of a query that fails with their files, because DuckDB names neither', async () => {
    const failure = async (sql: string) => {
      const request = await requestOf(sql, ['id']);
      return JSON.stringify(await finish(fixture.engine, request));
    };
    const bank = 'bank.main.customer (warehouse/bank.duckdb)';
    expect(await failure('SELECT CAST(name AS INTEGER) AS id FROM bank.main.customer')).toContain(
      `to INT32 when casting from source column name; the query reads ${bank}: correct the query, or replace a file that is`,
    );
    const path = join(fixture.warehouse, 'lake', 'raw', 't.parquet');
    await writeParquet(path, 'SELECT i AS id FROM range(1000) t(i)');
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0xff, 4, 40));
    expect(await failure('WITH c AS (SELECT 1) SELECT a.id FROM lake.raw.T AS a, customer, c')).toContain(
      'the query reads lake.raw.T (warehouse/lake/raw/t.parquet), customer (warehouse/bank.duckdb): correct',
    );
  });

  it('says why a table does not exist whose file ended another process, until the catalogs are refreshed', async () => {
    const path = join(fixture.warehouse, 'lake', 'raw', 't.parquet');
    await writeParquet(path, 'SELECT 1 AS id');
    const engine = ok(
      await createDuckdbQueryEngine({
        ...{ warehouseDirectory: fixture.warehouse, scratchDirectory: join(fixture.folder, 'scratch') },
        ...{ memoryLimitMb: 500, threads: 1, leftOut: () => readLeftOut(fixture.folder) },
      }),
    );
    const exported = async () => finish(engine, await requestOf('SELECT id FROM lake.raw.t', ['id']));
    await keepLeftOut(fixture.folder, [path]);
    expect(await exported()).toMatchObject({
      left: { message: containing('warehouse/lake/raw/t.parquet ended the query engine when it was opened') },
    });
    await keepLeftOut(fixture.folder, []);
    expect(await exported()).toMatchObject({ right: { state: 'finished' } });
    await engine.close();
  });

  it('reports each file while it is opened, also to decide how a CSV file is read, and opens none that is left out', async () => {
    const path = join(fixture.warehouse, 'lake', 'raw', 't.csv');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'id\n1\n');
    let leftOut: readonly string[] = [];
    const seen: (readonly string[])[] = [];
    const engine = ok(
      await createDuckdbQueryEngine({
        ...{ warehouseDirectory: fixture.warehouse, scratchDirectory: join(fixture.folder, 'scratch') },
        ...{ memoryLimitMb: 500, threads: 1, leftOut: () => Promise.resolve(leftOut) },
        onOpening: (paths) => seen.push(paths),
      }),
    );
    ok(await engine.refresh());
    expect(seen).toEqual([[path], []]);
    ok(await engine.listCatalogs());
    expect(seen.flat()).toContain(join(fixture.warehouse, 'bank.duckdb'));
    expect(seen.at(-1)).toEqual([]);
    seen.length = 0;
    leftOut = [path];
    ok(await engine.refresh());
    ok(await engine.listCatalogs());
    expect(seen.flat()).toEqual([join(fixture.warehouse, 'bank.duckdb')]);
    await engine.close();
  });

  it('accepts VALUES and TABLE', async () => {
    expect((await rowsOf('VALUES (1), (2)', ['col0'])).rows).toHaveLength(2);
    expect((await rowsOf('TABLE customer', ['id'])).rows).toHaveLength(1000);
  });

  it('leaves no file but the result, whether it succeeds, fails or is cancelled', async () => {
    ok(await finish(fixture.engine, await requestOf('SELECT id FROM customer', ['id'])));
    await finish(fixture.engine, await requestOf('SELECT CAST(name AS bigint) AS id FROM customer', ['id']));
    const slow = ok(await submit('SELECT a.id AS n FROM customer a, customer b, customer c, customer d', ['n']));
    if (slow.state === 'running') ok(await fixture.engine.cancelExport(slow.nextUri));

    const [own] = await readdir(join(fixture.folder, 'scratch'));
    expect(await readdir(join(fixture.folder, 'scratch', own!, 'exports'))).toEqual([]);
    expect(await readdir(join(fixture.folder, `export-${number}`))).toEqual([]);
    await fixture.engine.close();
    expect(await readdir(join(fixture.folder, 'scratch'))).toEqual([]);
  });

  it('returns unknown_query for the address of another process', async () => {
    expect(await fixture.engine.pollExport('duckdb:0b3c2c5e', await requestOf('TABLE customer', ['id']))).toMatchObject(
      {
        left: { kind: 'unknown_query', message: containing('0b3c2c5e') },
      },
    );
  });
});
