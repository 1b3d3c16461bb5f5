import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { writeParquet } from '../../../adapters/client/write-parquet';
import {
  type DuckdbSession,
  openDuckdb,
  readParquet,
  sqlName,
  sqlString,
} from '../../../pod/graph/duckdb/duckdb-session';
import { createRowWriter } from '../../../pod/graph/engine/export/create-row-writer';
import { type ExportColumn } from '../../../pod/graph/engine/export/row-writer';
import { type ColumnType, scalar } from '../../../pod/graph/engine/graph-schema';

let folder: string;
let file: string;
let files = 0;
let duckdb: DuckdbSession;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-parquet-'));
  duckdb = await openDuckdb({ memoryBytes: 2 ** 28, threads: 1, scratchDirectory: folder });
});
afterAll(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

/** Writes rows given as JSON texts, as an instance sends them. */
const write = async (columns: readonly ExportColumn[], rows: Iterable<readonly string[]>): Promise<void> => {
  const writer = await createRowWriter('arrow', columns);
  const pieces = function* (): Generator<Uint8Array> {
    for (const row of rows) {
      writer.add(row);
      if (writer.size() > 2 ** 18) yield writer.take();
    }
    yield writer.end();
  };
  // A new file each time: DuckDB caches what it read from a file.
  file = join(folder, `rows-${files++}.parquet`);
  const { fileWriter } = await import('hyparquet-writer');
  await writeParquet(Readable.from(pieces()), fileWriter(file));
};

const typesRead = async (): Promise<readonly (readonly [string, string])[]> =>
  (await duckdb.columns(`FROM ${readParquet([file])}`)).map(({ name, type }) => [name, String(type)]);

/** Every value as DuckDB prints it, which distinguishes -0 from 0. */
const textsRead = async (): Promise<readonly (readonly unknown[])[]> => {
  const columns = (await typesRead()).map(([name]) => `CAST(${sqlName(name)} AS VARCHAR) AS ${sqlName(name)}`);
  return (await duckdb.rows(`SELECT ${columns.join(', ')} FROM ${readParquet([file])}`)).map(Object.values);
};

/** For each type of an instance: DuckDB's type, and JSON values with DuckDB's text for them. */
const TYPES: readonly (readonly [type: string, duckdb: string, values: readonly (readonly [string, string])[]])[] = [
  [
    'INT64',
    'BIGINT',
    [
      ['-9223372036854775808', '-9223372036854775808'],
      ['9223372036854775807', '9223372036854775807'],
    ],
  ],
  [
    'INT32',
    'INTEGER',
    [
      ['-2147483648', '-2147483648'],
      ['2147483647', '2147483647'],
    ],
  ],
  [
    'INT16',
    'SMALLINT',
    [
      ['-32768', '-32768'],
      ['32767', '32767'],
    ],
  ],
  [
    'INT8',
    'TINYINT',
    [
      ['-128', '-128'],
      ['127', '127'],
    ],
  ],
  [
    'DOUBLE',
    'DOUBLE',
    [
      ['"NaN"', 'nan'],
      ['"-Infinity"', '-inf'],
      ['-0.0', '-0.0'],
      ['5e-324', '5e-324'],
      ['0.1', '0.1'],
    ],
  ],
  [
    'FLOAT',
    'FLOAT',
    [
      ['"Infinity"', 'inf'],
      ['0.1', '0.1'],
      ['-0.0', '-0.0'],
      ['"NaN"', 'nan'],
    ],
  ],
  [
    'BOOL',
    'BOOLEAN',
    [
      ['true', 'true'],
      ['false', 'false'],
    ],
  ],
  [
    'STRING',
    'VARCHAR',
    [
      ['""', ''],
      ['"é\\u0001 😀 a \\"b\\""', 'é\u0001 😀 a "b"'],
      ['"null"', 'null'],
      ['"\ufeffa"', '\ufeffa'],
    ],
  ],
  ['UUID', 'VARCHAR', [['"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']]],
  ['LIST', 'VARCHAR', [['[1,"x",null]', '[1,"x",null]']]],
  [
    'DATE',
    'DATE',
    [
      ['"1969-12-31"', '1969-12-31'],
      ['"-000044-03-15"', '0045-03-15 (BC)'],
      ['"2024-02-29"', '2024-02-29'],
    ],
  ],
  [
    'TIMESTAMP',
    'TIMESTAMP WITH TIME ZONE',
    [
      ['"2024-01-31T10:00:00.123456Z"', '2024-01-31 10:00:00.123456+00'],
      ['"1912-06-23T00:00:00.000001Z"', '1912-06-23 00:00:00.000001+00'],
    ],
  ],
  [
    'BLOB',
    'BLOB',
    [
      ['"AAH/"', '\\x00\\x01\\xFF'],
      ['""', ''],
    ],
  ],
];

it.each(TYPES)(
  '%s is written as %s with every value unchanged and nulls preserved',
  async (type, duckdbType, values) => {
    const column = (name: string): ExportColumn => ({ name, type });
    const cells = Array.from({ length: 40 }, () => [...values, ['null', null] as const]).flat();
    await write(
      [column('a'), column('all null'), column('A "b"')],
      cells.map(([json]) => [json, 'null', json]),
    );
    expect(await typesRead()).toEqual(['a', 'all null', 'A "b"'].map((name) => [name, duckdbType]));
    expect(await textsRead()).toEqual(cells.map(([, text]) => [text, null, text]));
  },
);

const LIST_OF_INT64: ColumnType = { kind: 'list', item: scalar('INT64') };
const STRUCT: ColumnType = {
  kind: 'struct',
  fields: [
    { name: 'seen', type: scalar('TIMESTAMP') },
    { name: 'ids "x"', type: LIST_OF_INT64 },
  ],
};

/** For each nested type: DuckDB's type, and JSON values with DuckDB's text for them. */
const NESTED: readonly (readonly [
  duckdb: string,
  nested: ColumnType,
  values: readonly (readonly [string, string])[],
])[] = [
  [
    'BIGINT[]',
    LIST_OF_INT64,
    [
      ['[9223372036854775807,null,-1]', '[9223372036854775807, NULL, -1]'],
      ['[]', '[]'],
    ],
  ],
  [
    'TIMESTAMP WITH TIME ZONE[]',
    { kind: 'list', item: scalar('TIMESTAMP') },
    [['["2024-01-31T10:00:00.123456Z",null]', "['2024-01-31 10:00:00.123456+00', NULL]"]],
  ],
  [
    'VARCHAR[][]',
    { kind: 'list', item: { kind: 'list', item: scalar('STRING') } },
    [['[["a"],[],null,["b",null,"c"]]', '[[a], [], NULL, [b, NULL, c]]']],
  ],
  [
    'STRUCT("seen" TIMESTAMP WITH TIME ZONE, "ids ""x""" BIGINT[])',
    STRUCT,
    [
      ['{"seen":"1912-06-23T00:00:00Z","ids \\"x\\"":[1]}', `{'seen': '1912-06-23 00:00:00+00', 'ids "x"': [1]}`],
      ['{"seen":null,"ids \\"x\\"":null}', `{'seen': NULL, 'ids "x"': NULL}`],
    ],
  ],
  [
    'MAP(BIGINT, DOUBLE)',
    { kind: 'map', key: scalar('INT64'), value: scalar('DOUBLE') },
    [
      ['{"9007199254740993":"NaN","1":null,"2":0.1,"3":-0.0}', '{1=NULL, 2=0.1, 3=-0.0, 9007199254740993=nan}'],
      ['{}', '{}'],
    ],
  ],
  [
    'MAP(VARCHAR, DATE[])',
    { kind: 'map', key: scalar('STRING'), value: { kind: 'list', item: scalar('DATE') } },
    [['{"1":["2024-02-29"],"b":null}', '{1=[2024-02-29], b=NULL}']],
  ],
];

it.each(NESTED)('%s keeps every value and null within', async (duckdbType, nested, values) => {
  const cells = Array.from({ length: 40 }, () => [...values, ['null', null] as const]).flat();
  await write(
    [
      { name: 'a', type: 'ANY', nested },
      { name: 'b', type: 'INT64' },
    ],
    cells.map(([json], at) => [json, String(at)]),
  );
  expect(await typesRead()).toEqual([
    ['a', duckdbType],
    ['b', 'BIGINT'],
  ]);
  expect(await textsRead()).toEqual(cells.map(([, text], at) => [text, String(at)]));
});

it('keeps the columns of an answer without rows, and leaves no other file', async () => {
  await write(
    TYPES.map(([type]) => ({ name: type, type })),
    [],
  );
  expect(await typesRead()).toEqual(TYPES.map(([type, duckdbType]) => [type, duckdbType]));
  expect(await textsRead()).toEqual([]);
  expect(await readdir(folder)).toHaveLength(files);
});

it('writes a row group when it reaches the limit of rows or bytes', async () => {
  const groups = async (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    duckdb.rows(
      `SELECT row_group_num_rows AS rows, sum(total_uncompressed_size) AS bytes
       FROM parquet_metadata(${sqlString(file)}) GROUP BY row_group_id, row_group_num_rows`,
    );
  const texts = Array.from({ length: 200 }, (_, index) => JSON.stringify(String(index).repeat(1000).slice(0, 1000)));
  await write(
    texts.map((_, index) => ({ name: `c${index}`, type: 'STRING' })),
    Array.from({ length: 200 }, (_, row) => texts.map((_, index) => texts[(row + index) % 200] ?? '')),
  );
  const byBytes = await groups();
  expect(byBytes.length).toBeGreaterThan(1);
  expect(Math.max(...byBytes.map(({ bytes }) => Number(bytes)))).toBeLessThan(2 ** 25);
  expect(await duckdb.rows(`SELECT sum(length(c7)) AS length FROM ${readParquet([file])}`)).toEqual([
    { length: 200_000n },
  ]);

  await write(
    [{ name: 'n', type: 'INT64' }],
    Array.from({ length: 120_000 }, (_, row) => [String(row)]),
  );
  const byRows = await groups();
  expect(Math.max(...byRows.map(({ rows }) => Number(rows)))).toBeLessThanOrEqual(50_000);
  expect(await duckdb.rows(`SELECT count(DISTINCT n) AS n, max(n) AS most FROM ${readParquet([file])}`)).toEqual([
    { n: 120_000n, most: 119_999n },
  ]);
});
