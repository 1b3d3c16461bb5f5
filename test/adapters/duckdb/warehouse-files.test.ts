import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { createDuckdbQueryEngine } from '../../../adapters/duckdb/duckdb-query-engine';
import { containing, finish, ok, readParquet } from '../../contracts/query-engine/query-engine-contract';
import { localDestination, storedPaths } from '../../support/local-destination';
import { waitFor } from '../../support/wait-for';
import { openWarehouseFixture, runInDatabase, type WarehouseFixture, writeParquet } from './warehouse-fixture';

let fixture: WarehouseFixture;
let lake: string;
let number = 0;

beforeEach(async () => {
  fixture = await openWarehouseFixture();
  lake = join(fixture.warehouse, 'lake', 'raw');
  await mkdir(lake, { recursive: true });
});
afterEach(() => fixture.close());

const rowsOf = async (sql: string, columns: readonly string[]) => {
  const scratchDirectory = join(fixture.folder, `export-${(number += 1)}`);
  await mkdir(scratchDirectory);
  const destination = localDestination(scratchDirectory);
  const request = { sql, columns, catalog: 'lake', destination, scratchDirectory };
  return (await readParquet(storedPaths(destination, ok(await finish(fixture.engine, request))))).rows;
};
const problem = async () => ok(await fixture.engine.listCatalogs()).find(({ name }) => name === 'lake')?.problem;
const tables = async () => ok(await fixture.engine.listTables('lake', 'raw', null)).map(({ name }) => name);

const byKey = (a: { k: string }, b: { k: string }): number => (a.k < b.k ? -1 : 1);

describe('partitioned Parquet', () => {
  it('returns null for the default partition of Hive, and decodes values', async () => {
    await writeParquet(join(lake, 't', 'who=__HIVE_DEFAULT_PARTITION__', 'a.parquet'), 'SELECT 1 AS id');
    await writeParquet(join(lake, 't', 'who=A%2FB c', 'a.parquet'), 'SELECT 2 AS id');
    expect(await rowsOf('SELECT id, who FROM lake.raw.t ORDER BY id', ['id', 'who'])).toEqual([
      { id: 1, who: null },
      { id: 2, who: 'A/B c' },
    ]);
    expect(await problem()).toBeNull();
  });

  it('keeps the text NULL, leading zeros and other values of its keys', async () => {
    const values = ['NULL', 'null', 'Nu%6cl', '007', '', 'x'];
    for (const [n, value] of values.entries())
      await writeParquet(join(lake, 't', `k=${value}`, 'a.parquet'), `SELECT ${n} AS id`);
    await writeParquet(join(lake, 't', 'k=__HIVE_DEFAULT_PARTITION__', 'a.parquet'), 'SELECT 6 AS id');
    const keys = (await rowsOf('SELECT k FROM lake.raw.t ORDER BY id', ['k'])).map(({ k }) => k);
    expect(keys).toEqual(['NULL', 'null', 'Null', '007', '', 'x', null]);
    expect(await rowsOf("SELECT id FROM lake.raw.t WHERE k = 'NULL'", ['id'])).toEqual([{ id: 0 }]);
  });

  it.each([
    ['007', '1', 'varchar'],
    ['-7', '1', 'bigint'],
    ['2024-01-31', '2024-02-01', 'date'],
    ['2024-01-31 10%3A00%3A00', '2024-01-31 10%3A00%3A00.5', 'timestamp'],
    ['2024-01-31', '2024-1-31', 'varchar'],
  ])('has keys of the type that all of their values fit: %s, %s', async (one, other, type) => {
    for (const value of [one, other]) await writeParquet(join(lake, 't', `k=${value}`, 'a.parquet'), 'SELECT 1 AS id');
    const [table] = ok(await fixture.engine.listTables('lake', 'raw', null));
    expect(table?.columns.map((column) => `${column.name} ${column.type}`)).toEqual(['id integer', `k ${type}`]);
    const text = 'SELECT k::VARCHAR AS k FROM lake.raw.t ORDER BY 1';
    expect(await rowsOf(text, ['k'])).toEqual([one, other].map((k) => ({ k: decodeURIComponent(k) })).sort(byKey));
  });

  it('a key that has the name of a column is an error, because one would hide the other', async () => {
    await writeParquet(join(lake, 't', 'k=1', 'a.parquet'), 'SELECT 1 AS id');
    await writeParquet(join(lake, 't', 'k=2', 'a.parquet'), 'SELECT 2 AS id, {a: 1, k: 2} AS s, 7 AS K');
    expect(await problem()).toMatch(/the partition key k of .*raw\/t is also a column of the file .*k=2\/a\.parquet/);
    expect(await tables()).toEqual([]);
  });

  it('may differ in columns, their order and their types', async () => {
    await writeParquet(join(lake, 't', 'k=1', 'a.parquet'), "SELECT 1 AS id, 'x' AS a");
    await writeParquet(join(lake, 't', 'k=2', 'a.parquet'), "SELECT 2.5::DOUBLE AS b, 'y' AS a, 5000000000 AS id");
    expect(await rowsOf('SELECT id, a, b, k FROM lake.raw.t ORDER BY k', ['id', 'a', 'b', 'k'])).toEqual([
      { id: '1', a: 'x', b: null, k: '1' },
      { id: '5000000000', a: 'y', b: 2.5, k: '2' },
    ]);
  });

  it('has its columns even without rows', async () => {
    await writeParquet(join(lake, 't', 'k=1', 'a.parquet'), 'SELECT 1 AS id WHERE false');
    expect(await rowsOf('SELECT id, k FROM lake.raw.t', ['id', 'k'])).toEqual([]);
  });

  it('ignores marker files that programs write next to the data', async () => {
    await writeParquet(join(lake, 't', 'k=1', 'a.parquet'), 'SELECT 1 AS id');
    for (const name of ['_SUCCESS', '_temporary.parquet', '.a.parquet.crc', '.part-1.parquet']) {
      await writeFile(join(lake, 't', 'k=1', name), 'unfinished');
    }
    expect(await problem()).toBeNull();
    expect(await rowsOf('SELECT id FROM lake.raw.t', ['id'])).toEqual([{ id: 1 }]);
  });

  it('1,000 files are one table', async () => {
    const rows = 'SELECT range AS id, range AS k FROM range(1000)';
    await runInDatabase(':memory:', `COPY (${rows}) TO '${lake}/t' (FORMAT parquet, PARTITION_BY (k))`);
    expect(await readdir(join(lake, 't'))).toHaveLength(1000);
    expect(await rowsOf('SELECT count(*) AS n FROM lake.raw.t WHERE id = k', ['n'])).toEqual([{ n: '1000' }]);
  }, 120_000);
});

describe('files of other endings and folders', () => {
  const skipped = async () =>
    ok(await fixture.engine.listCatalogs()).flatMap((catalog) => catalog.skipped?.split('\n') ?? []);

  it('are tables wherever DuckDB can read them', async () => {
    await writeFile(join(lake, 'a.CSV'), 'id\n1\n');
    await writeFile(join(lake, 'b.csv.gz'), gzipSync('id\n2\n'));
    await runInDatabase(':memory:', `COPY (SELECT 3 AS id) TO '${lake}/c.csv.zst' (FORMAT csv, COMPRESSION zstd)`);
    await writeFile(join(lake, 'd.tsv'), 'id\tname\n4\tx, y\n');
    await writeFile(join(lake, 'e.TSV.GZ'), gzipSync('id\n5,5\n'));
    await writeParquet(join(lake, 'f.PARQUET'), 'SELECT 6::BIGINT AS id');
    await writeParquet(join(lake, 'g.parq'), 'SELECT 7::BIGINT AS id');
    await writeParquet(join(lake, 'h', 'part-00000-a.snappy.parquet'), 'SELECT 8::BIGINT AS id');
    await writeParquet(join(lake, 'h', 'part-00001-a.snappy.parquet'), 'SELECT 9::BIGINT AS id');
    await writeFile(join(lake, 'h', '_SUCCESS'), '');
    for (const name of ['one.db', 'two.ddb', 'three.DUCKDB'])
      await runInDatabase(join(fixture.warehouse, name), 'CREATE TABLE t AS SELECT 10::BIGINT AS id');
    expect([await problem(), await skipped()]).toEqual([null, []]);
    expect(await tables()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    const all = (await tables()).map((table) => `SELECT id::VARCHAR AS id FROM lake.raw.${table}`);
    const databases = ['one', 'two', 'three'].map((name) => `SELECT id::VARCHAR FROM ${name}.main.t`);
    const rows = await rowsOf([...all, ...databases].join(' UNION ALL '), ['id']);
    expect(rows.map(({ id }) => id).sort()).toEqual(['1', '10', '10', '10', '2', '3', '4', '5,5', '6', '7', '8', '9']);
  });

  it.each([
    ['people.csv', 'a table needs two folders'],
    ['lake/people.parquet', 'a table needs a schema'],
    ['lake/raw/t.json', 'its format is unknown'],
    ['lake/raw/t.duckdb', 'its format is unknown'],
    ['lake/raw/000000_0', 'its format is unknown (end its name with its format, such as .parquet'],
    ['lake/raw/good.csv.yml', 'a description is named like people.csv.yaml'],
    ['lake/raw/lost.csv.yaml', 'a description is named like'],
    ['lake/raw/t/part-0.json', 'its format is unknown'],
    ['lake/raw/t/k=1/part-0.csv', 'partitions must be Parquet files', 'lake/raw/t'],
    ['lake/raw/t/2024/a.parquet', 'a folder below a table needs a name such as <key>=<value>', 'lake/raw/t/2024'],
    ['lake/raw/t/_delta_log/0.json', 'some of its files are deleted', 'lake/raw/t'],
    ['lake/raw/good.csv', 'warehouse/lake/raw/good.parquet has this name already (rename one)'],
    ['bank/main/t.csv', 'warehouse/bank.duckdb has this name already', 'bank'],
    ['bank.db', 'warehouse/bank.duckdb has this name already'],
  ])('are listed with the reason where they are not read: %s', async (path, reason, named = path) => {
    await writeParquet(join(lake, 'good.parquet'), 'SELECT 1 AS id');
    await mkdir(dirname(join(fixture.warehouse, path)), { recursive: true });
    await writeFile(join(fixture.warehouse, path), 'x');
    await writeFile(join(lake, 'README.md'), 'x');
    expect(await skipped()).toEqual([containing(`warehouse/${named} is not read: `)]);
    expect(await skipped()).toEqual([containing(reason)]);
    expect(await tables()).toEqual(['good']);
  });
});

describe('a folder of CSV files', () => {
  const writeParts = async (...contents: readonly string[]) => {
    await mkdir(join(lake, 't'), { recursive: true });
    for (const [n, content] of contents.entries()) await writeFile(join(lake, 't', `part-0000${n}.csv`), content);
    await writeFile(join(lake, 't', '_SUCCESS'), '');
  };
  const typesAndRows = async () => {
    const [table] = ok(await fixture.engine.listTables('lake', 'raw', null));
    const columns = (table?.columns ?? []).map(({ name, type }) => `${name} ${type}`);
    const names = (table?.columns ?? []).map(({ name }) => name);
    const rows = await rowsOf('SELECT * FROM lake.raw.t', names);
    return [columns, rows.map((row) => Object.values(row).map(String).join('|')).sort()];
  };

  it('is one table, whose types are decided over all of them', async () => {
    await writeParts('id,name\n1,Ada\n', 'id,name\n', 'id,name\n007,"Grace, Hopper"\n');
    expect(await typesAndRows()).toEqual([
      ['id varchar', 'name varchar'],
      ['007|Grace, Hopper', '1|Ada'],
    ]);
    await rm(join(lake, 't'), { recursive: true });
    await writeParts('id,name\n1,Ada\n', 'id,name\n22,Zoë\n');
    await fixture.engine.refresh();
    expect(await typesAndRows()).toEqual([
      ['id bigint', 'name varchar'],
      ['1|Ada', '22|Zoë'],
    ]);
  });

  it('may have no header in any of them', async () => {
    await writeParts('1;1.25\n3;3.75\n', '2;2.5\n');
    expect(await typesAndRows()).toEqual([
      ['column0 bigint', 'column1 double'],
      ['1|1.25', '2|2.5', '3|3.75'],
    ]);
  });

  it('is an error that names the part with another header, or with a value that no longer fits', async () => {
    await writeParts('id,name\n1,Ada\n', 'name,id\nGrace,2\n');
    expect(await problem()).toContain('t/part-00001.csv has another header than');
    await rm(join(lake, 't'), { recursive: true });
    await writeParts('id,name\n1,Ada\n');
    await fixture.engine.refresh();
    expect((await typesAndRows())[1]).toEqual(['1|Ada']);
    await writeParts('id,name\n1,Ada\n', 'name,id\nGrace,2\n');
    expect(await problem()).toContain('the header of the file');
  });

  it('lists parts of another format, which are not read', async () => {
    await writeParts('id\n1\n');
    await writeFile(join(lake, 't', 'part-00001.csv.gz'), gzipSync('id\n2\n'));
    const [{ skipped } = {}] = ok(await fixture.engine.listCatalogs()).filter(({ name }) => name === 'lake');
    expect(skipped).toContain('part-00001.csv.gz is not read: a folder of a table can have files of one format only');
  });
});

describe('a warehouse file with a problem', () => {
  it('is a line of its own, and in the error of a query only where the query names its table', async () => {
    for (const name of ['a.csv', 'b.csv']) await writeFile(join(lake, name), '\xff\xfe\x00\x00\x01', 'latin1');
    expect((await problem())?.split('\n')).toEqual([containing('a.csv'), containing('b.csv')]);
    const messageOf = async (sql: string) => JSON.stringify(await fixture.engine.describe(sql));
    expect(await messageOf('SELECT 1 FROM lake.raw.b')).toMatch(/^(?!.*a\.csv).*b\.csv/);
    expect(await messageOf('SELECT 1 FROM bank.main.b')).toMatch(/the catalogs are: bank, lake"/);
  });

  it.each([
    ['an empty Parquet file', 'bad.parquet', ''],
    ['an empty partition file', 't/k=1/bad.parquet', ''],
    ['a CSV file that is not text', 'bad.csv', '\xff\xfe\x00\x00\x01'],
    ['partitions by different keys', 't/other=1/bad.parquet', null],
  ])('%s is named, and the other files can be queried', async (_what, path, content) => {
    await writeParquet(join(lake, 'good.parquet'), 'SELECT 1 AS id');
    await writeParquet(join(lake, 't', 'k=1', 'a.parquet'), 'SELECT 1 AS id');
    if (content === null) await writeParquet(join(lake, path), 'SELECT 2 AS id');
    else await writeFile(join(lake, path), content, 'latin1');
    const named = path.startsWith('t/') ? 'raw/t' : path;
    expect([await problem(), await tables()]).toEqual([containing(named), expect.arrayContaining(['good'])]);
    expect(await rowsOf('SELECT id FROM lake.raw.good', ['id'])).toEqual([{ id: 1 }]);
  });

  const rowsAsText = ['id', ...Array.from({ length: 60_000 }, (_, n) => String((n * 7919) % 1_000_003)), ''].join('\n');
  const changedAt = (bytes: Buffer, at: number): Buffer =>
    Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 0x55 : byte)));
  it.each([
    ['is cut off', 'gz', (all: Buffer) => all.subarray(0, all.length / 2), 'unexpected end of file'],
    ['is damaged', 'gz', (all: Buffer) => changedAt(all, all.length - 6), 'incorrect data check'],
    ['is not compressed', 'gz', () => Buffer.from('id\n1\n'), 'incorrect header check'],
    ['is empty', 'gz', () => Buffer.alloc(0), 'unexpected end of file'],
    ['is cut off', 'zst', (all: Buffer) => all.subarray(0, all.length / 2), 'unexpected end of file'],
    ['is cut off in a header', 'zst', (all: Buffer) => all.subarray(0, 6), 'unexpected end of file'],
    ['is not compressed', 'zst', () => Buffer.from('id\n1\n2\n3\n'), 'incorrect header'],
    ['is empty', 'zst', () => Buffer.alloc(0), 'unexpected end of file'],
  ])('is a compressed file that %s: %s', async (_what, ending, change, reason) => {
    const path = join(lake, `t.csv.${ending}`);
    if (ending === 'gz') await writeFile(path, gzipSync(rowsAsText));
    else {
      await writeFile(join(fixture.folder, 't.csv'), rowsAsText);
      const from = `read_csv('${fixture.folder}/t.csv')`;
      await runInDatabase(':memory:', `COPY (FROM ${from}) TO '${path}' (FORMAT csv, COMPRESSION zstd)`);
    }
    const whole = await readFile(path);
    expect(await rowsOf('SELECT count(*)::INTEGER AS n FROM lake.raw.t', ['n'])).toEqual([{ n: 60_000 }]);
    await writeFile(path, change(whole));
    const named = `is not complete ${ending === 'gz' ? 'gzip' : 'zstd'} data (${reason}); replace it`;
    expect(await problem()).toContain(named);
    ok(await fixture.engine.refresh());
    expect([await problem(), await tables()]).toEqual([containing(named), []]);
  });

  it('is a Parquet file with names that differ only in case, one of which SQL would not find', async () => {
    const columnData = ['name', 'NAME'].map((name) => ({ name, data: ['x'], type: 'STRING' as const }));
    await writeFile(join(lake, 't.parquet'), Buffer.from(parquetWriteBuffer({ columnData })));
    expect(await problem()).toContain(
      'the columns name and NAME of the file warehouse/lake/raw/t.parquet are the same name',
    );
    await writeParquet(join(lake, 't.parquet'), "SELECT {name: 1} AS a, {'NAME': 2} AS b, 3 AS name");
    expect(await tables()).toEqual(['t']);
  });

  it('is a Parquet file with decimals of more digits than DuckDB reads, which would be other numbers', async () => {
    const type = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 21, converted_type: 'DECIMAL' } as const;
    const schema = [
      { name: 'root', num_children: 1 },
      { ...type, name: 'd', precision: 50, scale: 1, repetition_type: 'REQUIRED' as const },
    ];
    const columnData = [{ name: 'd', data: [15n] }];
    await writeFile(join(lake, 't.parquet'), Buffer.from(parquetWriteBuffer({ columnData, schema })));
    expect(await problem()).toMatch(
      /the column d of the file .*raw\/t\.parquet is a decimal of 50 digits, of which the query engine reads at most 38/,
    );
    expect(await tables()).toEqual([]);
  });

  it.each([
    ['9007199254740993::BIGINT', '1.5::DOUBLE', '9007199254740993'],
    ['16777217::INTEGER', '1.5::FLOAT', '16777217'],
    ['123.45::DECIMAL(38,2)', '9::DECIMAL(38,0)', '123.45'],
  ])('is a Parquet file with %s beside one with %s, which would change the value', async (value, other, shown) => {
    await writeParquet(join(lake, 't', 'a.parquet'), `SELECT 1 AS id, ${value} AS v`);
    await writeParquet(join(lake, 't', 'b.parquet'), `SELECT 2 AS id, ${other} AS v`);
    expect(await problem()).toMatch(
      new RegExp(
        `the column v is .* in the file .*a\\.parquet, and .* which would change its value ${shown}; write all`,
      ),
    );
    expect(await tables()).toEqual([]);
  });

  it('is none where every value fits the common type of Parquet files', async () => {
    await writeParquet(join(lake, 't', 'a.parquet'), 'SELECT 1 AS id, 9007199254740992::BIGINT AS v');
    await writeParquet(join(lake, 't', 'b.parquet'), 'SELECT 2 AS id, 1.5::DOUBLE AS v');
    expect(await rowsOf('SELECT v FROM lake.raw.t ORDER BY v', ['v'])).toEqual([{ v: 1.5 }, { v: 9007199254740992 }]);
    expect(await problem()).toBeNull();
  });

  it('does not hide the other files when it is a link to itself', async () => {
    await writeParquet(join(lake, 'good.parquet'), 'SELECT 1 AS id');
    await mkdir(join(lake, 't'));
    await symlink('k=1', join(lake, 't', 'k=1'));
    expect(await rowsOf('SELECT id FROM lake.raw.good', ['id'])).toEqual([{ id: 1 }]);
  });
});

test('a folder that vanished is an error that says what to do', async () => {
  await rm(fixture.warehouse, { recursive: true });
  expect(await fixture.engine.refresh()).toMatchObject({
    left: {
      message: expect.stringMatching(/does not exist; create this folder, or correct ROWGRAPH_WAREHOUSE_DIR/) as string,
    },
  });
});

describe('a CSV file that has changed', () => {
  const write = (content: string) => writeFile(join(lake, 't.csv'), content);
  const rows = () => rowsOf('SELECT * FROM lake.raw.t', ['id', 'name']);

  it('keeps its types until a refresh while every value fits', async () => {
    await write('id,name\n1,x\n');
    expect(await rows()).toEqual([{ id: '1', name: 'x' }]);
    await write('id,name\n1,x\n20,007\n');
    expect(await rows()).toEqual([
      { id: '1', name: 'x' },
      { id: '20', name: '007' },
    ]);
  });

  it.each([
    ['a value of another type', 'id,name\n1,x\n1.5,y\n', '"1.5", which is not a bigint'],
    ['leading zeros', 'id,name\n007,x\n', '"007", which is not a bigint'],
    ['other columns', 'name,id\nx,1\n', 'the header of the file warehouse/lake/raw/t.csv has changed'],
    ['a further column', 'id,name,born\n1,x,2000\n', 'line 1 of the file warehouse/lake/raw/t.csv has 3 values'],
    ['another separator', 'id;name\n1;x\n', 'line 1 of the file warehouse/lake/raw/t.csv has 1 value'],
    ['a short row', 'id,name\n1,x\n2\n', 'line 3 of the file warehouse/lake/raw/t.csv has 1 value instead of 2'],
  ])('is an error with %s, and is read after a refresh if it can be', async (_what, content, message) => {
    await write('id,name\n1,x\n');
    await rows();
    await write(content);
    const answer = JSON.stringify(await rows().catch(String)).replaceAll('\\', '') + String(await problem());
    expect(answer).toContain(message);
    expect(answer).toContain('refresh the catalogs');
    expect(answer).not.toMatch(/strict_mode|Set By User/);
    ok(await fixture.engine.refresh());
    if (!message.startsWith('line 3')) expect(await rows()).not.toEqual([]);
    else expect(await problem()).toContain(message);
  });

  it('is read by its description after a refresh', async () => {
    await write('id,name\n007,x\n');
    expect(await rows()).toEqual([{ id: '007', name: 'x' }]);
    await writeFile(join(lake, 't.csv.yaml'), 'types:\n  id: bigint\n');
    expect(await rows()).toEqual([{ id: '007', name: 'x' }]);
    ok(await fixture.engine.refresh());
    expect(await rows()).toEqual([{ id: '7', name: 'x' }]);
    await writeFile(join(lake, 't.csv.yaml'), 'separator: x\n');
    ok(await fixture.engine.refresh());
    expect(await problem()).toContain('unknown key separator');
  });

  it('does not hold up queries of other tables while it is read for the first time', async () => {
    await write(['id,name', ...Array.from({ length: 50_000 }, (_, n) => `${n},x`), ''].join('\n'));
    const scratchDirectory = join(fixture.folder, 'inspector');
    const settings = { warehouseDirectory: fixture.warehouse, scratchDirectory, memoryLimitMb: 500, threads: 1 };
    const inspector = ok(await createDuckdbQueryEngine({ ...settings, decideWithinMs: 0 }));
    expect(ok(await inspector.describe('SELECT id FROM bank.main.customer'))).toHaveLength(1);
    const isRead = async () => (await inspector.describe('FROM lake.raw.t'))._tag === 'Right';
    const [, early] = ok(await inspector.listCatalogs());
    if (!(await isRead())) expect(early?.problem).toContain('t.csv is being read to decide its types; try again later');
    await waitFor('the file is a table', isRead);
    await inspector.close();
  });

  it('is decided again without a refresh where no other process shares its layout', async () => {
    const scratchDirectory = join(fixture.folder, 'worker');
    const settings = { warehouseDirectory: fixture.warehouse, scratchDirectory, memoryLimitMb: 500, threads: 1 };
    const worker = ok(await createDuckdbQueryEngine(settings));
    const types = async () => ok(await worker.describe('FROM lake.raw.t')).map(({ type }) => type);
    await write('id,name\n1,x\n');
    expect(await types()).toEqual(['bigint', 'varchar']);
    await write('id,name\n1,x\n007,y\n');
    expect(await types()).toEqual(['varchar', 'varchar']);
    await worker.close();
  });
});

describe('unusual file and column names', () => {
  it.each(['a [1]', 'b*', 'c?', 'd"e', "f'g", 'ä ö', '%20', '{x,y}'])('%s', async (name) => {
    await writeParquet(join(lake, `${name}.parquet`), 'SELECT 1 AS id');
    await writeParquet(join(lake, 'b-other.parquet'), 'SELECT 2 AS id');
    await writeParquet(join(lake, 'a 1.parquet'), 'SELECT 3 AS id');
    await writeFile(join(lake, `${name} c.csv`), 'id\n4\n');
    await writeParquet(join(lake, `${name} h`, 'k=[x]*', `${name}.parquet`), 'SELECT 5 AS id');
    expect(await problem()).toBeNull();
    const quoted = (suffix = ''): string => `"${(name + suffix).replaceAll('"', '""')}"`;
    for (const [suffix, id] of [
      ['', 1],
      [' c', '4'],
      [' h', 5],
    ] as const) {
      expect(await rowsOf(`SELECT id FROM lake.raw.${quoted(suffix)}`, ['id'])).toEqual([{ id }]);
    }
  });
});
