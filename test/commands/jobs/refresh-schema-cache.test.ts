import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { readConnectionTo } from '../../../adapters/postgres/connection';
import { createPostgresSchemaCache } from '../../../adapters/postgres/postgres-schema-cache';
import { uuids } from '../../../adapters/system/uuids';
import { createSchemaRefresh, type SchemaRefresh } from '../../../commands/jobs/refresh-schema-cache';
import { type SchemaCache } from '../../../domain/ports/schema-cache';
import { type AllowList, parseAllowList } from '../../../domain/schema-cache';
import { openReadDatabase, type ReadDatabase } from '../../../queries/kit/database';
import { type ListQuery } from '../../../queries/kit/list';
import { readLastRefresh, schemaCache } from '../../../queries/schema-cache';
import { createTestPool } from '../../support/create-test-pool';
import { EngineStandIn } from '../../support/engine-stand-in';
import { expectRight, NOON } from '../../support/given-when-then';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';
import { scheduledRun } from '../../support/scheduled-run';

const never = new AbortController().signal;
const EVERYTHING = expectRight(parseAllowList(null));

let database: TestDatabase;
let pool: Pool;
let db: ReadDatabase;
let cache: SchemaCache;
let engine: EngineStandIn;
let now: Date;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = createTestPool({ connectionString: database.connectionString, max: 4 });
  db = openReadDatabase(readConnectionTo(database.connectionString));
  cache = createPostgresSchemaCache(pool, uuids.uuid);
  now = NOON;
  engine = new EngineStandIn();
  engine.content = {
    bank: { main: { account: ['id', 'owner'], customer: ['id', 'name'], transfer: ['id'] }, old: { account: ['id'] } },
    lake: { raw: { Event_Log: ['Id', 'kind_%'] } },
  };
});
afterEach(async () => {
  await db.destroy();
  await pool.end();
  await database.drop();
});

const refreshOf = (allowList: AllowList = EVERYTHING): SchemaRefresh =>
  createSchemaRefresh({ engine, cache, clock: { now: () => now }, allowList });
const refresh = (allowList: AllowList = EVERYTHING) => refreshOf(allowList).job.run(scheduledRun(never));
const cached = (allowList = EVERYTHING) => schemaCache(db, allowList);
const tablesOf = async (catalog: string, schema: string, allowList = EVERYTHING) =>
  (await cached(allowList).listTables({ catalog, schema })).items.map((table) => table.table_name);
const later = () => (now = new Date(now.getTime() + 60_000));

describe('a refresh of the schema cache', () => {
  it('reads all catalogs, schemas, tables and columns', async () => {
    expect(await refresh()).toEqual({
      _tag: 'Right',
      right: { catalogs: 2, tables: 5, columns: 8, catalogs_forgotten: 0 },
    });

    const cached_at = NOON.toISOString();
    expect((await cached().listCatalogs()).items).toEqual([
      { catalog_name: 'bank', schema_count: 2, cached_at, problem: null },
      { catalog_name: 'lake', schema_count: 1, cached_at, problem: null },
    ]);
    expect((await cached().listSchemas({ catalog: 'bank' })).items).toEqual([
      { catalog_name: 'bank', schema_name: 'main', table_count: 3, cached_at },
      { catalog_name: 'bank', schema_name: 'old', table_count: 1, cached_at },
    ]);
    expect(await tablesOf('bank', 'main')).toEqual(['account', 'customer', 'transfer']);
    expect((await cached().listColumns({ catalog: 'lake', schema: 'raw', table: 'Event_Log' })).items).toMatchObject([
      { column_name: 'Id', data_type: 'varchar', is_nullable: true, ordinal_position: 1, column_default: null },
      { column_name: 'kind_%', ordinal_position: 2, cached_at },
    ]);
    expect(await cached().readStats()).toMatchObject({
      total_catalogs: 2,
      total_schemas: 3,
      total_tables: 5,
      total_columns: 8,
      last_refresh: cached_at,
      last_failure: null,
    });
  });

  it('applies changes and removes deleted objects', async () => {
    await refresh();
    engine.content = { bank: { main: { account: ['id', 'holder', 'iban'], customer: ['name'] } }, film: { m: {} } };
    later();
    expect(await refresh()).toMatchObject({ right: { catalogs: 2, catalogs_forgotten: 1 } });

    expect((await cached().listCatalogs()).items.map((row) => row.catalog_name)).toEqual(['bank', 'film']);
    expect(await tablesOf('bank', 'main')).toEqual(['account', 'customer']);
    expect(await tablesOf('bank', 'old')).toEqual([]);
    expect(await cached().findCachedAt({ catalog: 'bank', schema: 'old' })).toBeNull();
    expect(await cached().findCachedAt({ catalog: 'bank' })).toBe(now.toISOString());
    expect((await cached().listColumns({ catalog: 'bank', schema: 'main', table: 'account' })).items).toMatchObject([
      { column_name: 'id', cached_at: now.toISOString() },
      { column_name: 'holder' },
      { column_name: 'iban' },
    ]);
    expect((await cached().searchColumns('id', { offset: 0, limit: 10 })).items).toHaveLength(1);
    expect((await cached().searchColumns('owner', { offset: 0, limit: 10 })).items).toEqual([]);
    expect((await cached().searchTables('event', { offset: 0, limit: 10 })).items).toEqual([]);
  });

  it('keeps the cached entries of a catalog that fails, refreshes the others, and names it', async () => {
    await refresh();
    engine.failures.set('bank.old', { kind: 'query_failed', message: 'disk broken', canRetry: false });
    engine.content = {
      bank: { main: {}, old: {} },
      lake: { raw: { fresh: ['id'] } },
    };
    later();

    expect(await refresh()).toMatchObject({
      left: { code: 'QUERYENGINE_ERROR', message: expect.stringMatching(/catalog bank: disk broken/) as string },
    });
    expect(await tablesOf('bank', 'main')).toEqual(['account', 'customer', 'transfer']);
    expect(await tablesOf('lake', 'raw')).toEqual(['fresh']);
    const [bank, lake] = (await cached().listCatalogs()).items;
    expect(bank).toMatchObject({ cached_at: NOON.toISOString(), problem: 'disk broken' });
    expect(lake).toMatchObject({ cached_at: now.toISOString(), problem: null });
    expect(await pool.query('SELECT FROM schema_cache.staged_tables')).toMatchObject({ rowCount: 0 });
  });

  it('only adds to a catalog that is partly unreadable', async () => {
    await refresh();
    engine.problems.set('bank', 'a file is damaged');
    engine.content['bank'] = { main: { account: ['id'], added: ['id'] } };
    later();

    expect(await refresh()).toMatchObject({ left: { message: expect.stringMatching(/a file is damaged/) as string } });
    expect(await tablesOf('bank', 'main')).toEqual(['account', 'added', 'customer', 'transfer']);
    expect((await cached().listColumns({ catalog: 'bank', schema: 'main', table: 'account' })).items).toHaveLength(1);
    expect((await cached().listColumns({ catalog: 'bank', schema: 'main', table: 'customer' })).items).toHaveLength(2);
    expect((await cached().listCatalogs()).items[0]).toMatchObject({
      cached_at: NOON.toISOString(),
      problem: 'a file is damaged',
    });
    engine.problems.clear();
    expect(await refresh()).toMatchObject({ right: { catalogs: 2 } });
    expect((await cached().listCatalogs()).items[0]).toMatchObject({ problem: null });
  });

  it('lists a catalog that was never readable, with the reason', async () => {
    engine.failures.set('bank.main', { kind: 'query_failed', message: 'written by a newer version', canRetry: false });
    expect(await refresh()).toMatchObject({ left: { code: 'QUERYENGINE_ERROR' } });
    expect((await cached().listCatalogs()).items[0]).toEqual({
      catalog_name: 'bank',
      schema_count: 0,
      cached_at: NOON.toISOString(),
      problem: 'written by a newer version',
    });
  });

  it('keeps everything when the engine is unavailable, with the reason until it is available', async () => {
    await refresh();
    engine.failures.set('listCatalogs', { kind: 'unavailable', message: 'no answer' });
    later();
    expect(await refresh()).toMatchObject({ left: { code: 'SERVICE_UNAVAILABLE' } });
    const problem = expect.stringContaining('no answer') as string;
    const cached_at = NOON.toISOString();
    expect((await cached().listCatalogs()).items).toMatchObject([
      { problem, cached_at },
      { problem, cached_at },
    ]);
    expect(await readLastRefresh(db)).toBe(cached_at);
    const last_failure = { started_at: now.toISOString(), message: problem };
    expect(await cached().readStats()).toMatchObject({ last_refresh: cached_at, last_failure });

    engine.failures.clear();
    await refresh();
    expect((await cached().listCatalogs()).items).toMatchObject([{ problem: null }, { problem: null }]);
    expect(await cached().readStats()).toMatchObject({ last_failure: null });
  });

  it('reads only allowed catalogs and schemas', async () => {
    const allowList = expectRight(parseAllowList('BANK.main,film'));
    await refresh(allowList);
    expect(engine.calls).not.toContain('lake');
    expect(engine.calls).not.toContain('bank.old');
    expect(await cached().readStats()).toMatchObject({ total_catalogs: 1, total_schemas: 1 });
  });

  it('runs once more when it is requested while it runs, by a user and by the job', async () => {
    let open = (): void => undefined;
    engine.gate = new Promise((resolve) => (open = resolve));
    const subject = refreshOf();
    const first = subject.start(never);
    const second = subject.start(never);
    const job = subject.job.run({ ...scheduledRun(never), triggeredBy: 'olivia' });
    open();

    expect([first.status, second.status]).toEqual(['started', 'already_running']);
    expect(await second.ended).toBe(await first.ended);
    expect(await job).toBe(await first.ended);
    expect(engine.calls.filter((call) => call === 'listCatalogs')).toHaveLength(2);
    expect(subject.start(never).status).toBe('started');
  });

  it('keeps the reason why files are not tables, and is complete all the same', async () => {
    await refresh();
    engine.content = { bank: { main: { account: ['id'] } } };
    engine.skipped.set('bank', 'bank/t.json is not read: its format is unknown');
    expect(await refresh()).toMatchObject({ right: { catalogs: 1 } });
    expect((await cached().listCatalogs()).items).toMatchObject([{ problem: engine.skipped.get('bank') }]);
    expect(await tablesOf('bank', 'main')).toEqual(['account']);
  });

  it('stops between two pages, and does not change the catalog it was reading', async () => {
    await refresh();
    engine.content = { bank: { main: { fresh: ['id'] } } };
    const stopping = new AbortController();
    let open = (): void => undefined;
    engine.gate = new Promise((resolve) => (open = resolve));
    const subject = refreshOf();
    const run = subject.job.run(scheduledRun(stopping.signal));
    stopping.abort();
    expect(await run).toMatchObject({ left: { code: 'SERVICE_UNAVAILABLE' } });
    open();
    await subject.settled();
    expect(await tablesOf('bank', 'main')).toEqual(['account', 'customer', 'transfer']);
  });

  it('never exposes a partial catalog', async () => {
    const tables = (count: number, suffix: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}${suffix}`, ['a', 'b']]));
    engine.content = { bank: { main: tables(9, 'x') } };
    await refresh();
    const watcher = { isOver: false };
    const seen = new Set<string>();
    const watching = (async () => {
      while (!watcher.isOver) {
        const names = await tablesOf('bank', 'main');
        seen.add(`${names.length} ${names.every((name) => name.endsWith('x')) ? 'x' : ''}`);
      }
    })();
    for (const suffix of ['y', 'x', 'y']) {
      engine.content = { bank: { main: tables(suffix === 'x' ? 9 : 7, suffix) } };
      await refresh();
    }
    watcher.isOver = true;
    await watching;
    expect([...seen].filter((what) => what !== '9 x' && what !== '7 ')).toEqual([]);
  });

  it('skips names that are too long for the index', async () => {
    engine.content = { bank: { main: { ['x'.repeat(501)]: ['id'], fine: ['id', 'ä'.repeat(251), ''] } } };
    expect(await refresh()).toMatchObject({ right: { tables: 1, columns: 1 } });
    expect(await tablesOf('bank', 'main')).toEqual(['fine']);
  });
});

describe('a changed allow-list', () => {
  it('removes at once what it does not allow, and has a new fingerprint', async () => {
    const narrow = expectRight(parseAllowList('bank.old'));
    expect(await cache.adoptAllowList(EVERYTHING)).toBe(true);
    await refresh();
    expect(await cache.adoptAllowList(EVERYTHING)).toBe(false);

    expect(await cache.adoptAllowList(narrow)).toBe(true);
    expect(await cached().readStats()).toMatchObject({ total_catalogs: 1, total_tables: 1 });
    expect((await cached().searchColumns('id', { offset: 0, limit: 10 })).items).toHaveLength(1);
    expect(await cache.adoptAllowList(narrow)).toBe(false);
  });

  it('hides what another replica still caches', async () => {
    await refresh();
    const narrow = expectRight(parseAllowList('bank.OLD'));
    expect((await cached(narrow).listCatalogs()).items).toMatchObject([{ catalog_name: 'bank', schema_count: 1 }]);
    expect((await cached(narrow).listSchemas({ catalog: 'bank' })).items).toMatchObject([{ schema_name: 'old' }]);
    expect(await tablesOf('bank', 'main', narrow)).toEqual([]);
    expect(await tablesOf('bank', 'old', narrow)).toEqual(['account']);
    expect((await cached(narrow).searchTables('', { offset: 0, limit: 10 })).items).toHaveLength(1);
    expect((await cached(narrow).searchColumns('id', { offset: 0, limit: 10 })).items).toHaveLength(1);
    expect(await cached(narrow).readStats()).toMatchObject({ total_catalogs: 1, total_tables: 1, total_columns: 1 });
  });
});

describe('the lists of the schema cache', () => {
  const names = async (filters: ListQuery, page = { offset: 0, limit: 10 }) => {
    const { items, total } = await cached().listTables({ catalog: 'b', schema: 's' }, filters, page);
    return { names: items.map((row) => row.table_name), total };
  };
  beforeEach(async () => {
    engine.content = { b: { s: { Ärger: ['id'], a_b: ['id', 'x'], axb: ['id', 'x', 'y'] }, Über: { one: ['id'] } } };
    expect(isLeft(await refresh())).toBe(false);
  });

  it('are by name without an order, and descending with one', async () => {
    expect(await names({})).toEqual({ names: ['a_b', 'axb', 'Ärger'], total: 3 });
    expect(await names({ sort_order: 'desc' })).toEqual({ names: ['Ärger', 'axb', 'a_b'], total: 3 });
    expect(await names({ sort_by: 'column_count' })).toEqual({ names: ['axb', 'a_b', 'Ärger'], total: 3 });
    expect(await names({ sort_by: 'column_count', sort_order: 'asc' }, { offset: 1, limit: 1 })).toEqual({
      names: ['a_b'],
      total: 3,
    });
    expect(await names({}, { offset: 3, limit: 1 })).toEqual({ names: [], total: 3 });
  });

  it('are searched for any part of a name, ignoring case', async () => {
    expect(await names({ search: 'äRG' })).toEqual({ names: ['Ärger'], total: 1 });
    expect(await names({ search: 'A_' })).toEqual({ names: ['a_b'], total: 1 });
    expect((await cached().listCatalogs({ search: 'B' })).total).toBe(1);
    const schemas = await cached().listSchemas({ catalog: 'b' }, { search: 'üBER' });
    expect(schemas.items).toMatchObject([{ schema_name: 'Über', table_count: 1 }]);
    const columns = { catalog: 'b', schema: 's', table: 'axb' };
    expect((await cached().listColumns(columns, { search: 'y' })).items).toHaveLength(1);
  });
});

describe('the search for a prefix', () => {
  beforeEach(async () => {
    engine.content = {
      b: { s: { Account: ['ID', 'id_%x', 'id_yx'], acc_t: ['Ärger', 'id'] } },
      a: { s: { ACCOUNT: ['x'] }, r: { account: ['x'] } },
    };
    expect(isLeft(await refresh())).toBe(false);
  });

  it('ignores case, and finds tables of one name in every schema', async () => {
    const { items: found } = await cached().searchTables('aCCo', { offset: 0, limit: 10 });
    expect(found.map((row) => `${row.catalog_name}.${row.schema_name}.${row.table_name}`)).toEqual([
      'a.r.account',
      'a.s.ACCOUNT',
      'b.s.Account',
    ]);
    expect((await cached().searchTables('aCC', { offset: 0, limit: 2 })).items).toMatchObject([
      { table_name: 'acc_t' },
      { schema_name: 'r' },
    ]);
    expect((await cached().searchColumns('äR', { offset: 0, limit: 10 })).items).toMatchObject([
      { column_name: 'Ärger' },
    ]);
  });

  it('matches % and _ literally', async () => {
    const names = async (prefix: string) =>
      (await cached().searchColumns(prefix, { offset: 0, limit: 10 })).items.map((row) => row.column_name);
    expect(await names('id_%')).toEqual(['id_%x']);
    expect(await names('id_')).toEqual(['id_%x', 'id_yx']);
    expect(await names('i%')).toEqual([]);
    expect(await names('d')).toEqual([]);
    expect(await names('id')).toEqual(['ID', 'id', 'id_%x', 'id_yx']);
  });
});
