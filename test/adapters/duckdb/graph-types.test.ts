import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DUCKDB_TYPES, propertyTypeOf } from '../../../domain/sql-tools';
import { storedColumn } from '../../../pod/graph/loading/stored-column';
import { finish, ok } from '../../contracts/query-engine/query-engine-contract';
import { localDestination, storedPaths } from '../../support/local-destination';
import { openWarehouseFixture, type WarehouseFixture } from './warehouse-fixture';

/** For each type, one of the hardest values to store among those without a caution. */
const SAMPLES: Readonly<Record<string, string>> = {
  boolean: 'true',
  tinyint: '(-128)::TINYINT',
  smallint: '(-32768)::SMALLINT',
  integer: '(-2147483648)::INTEGER',
  bigint: '(-9223372036854775807 - 1)::BIGINT',
  utinyint: '255::UTINYINT',
  usmallint: '65535::USMALLINT',
  uinteger: '4294967295::UINTEGER',
  ubigint: '9223372036854775807::UBIGINT',
  hugeint: '(-9223372036854775807)::HUGEINT',
  uhugeint: '9223372036854775807::UHUGEINT',
  bignum: "'123456789012345678901234567890123456789012345'::BIGNUM",
  float: '1.1::FLOAT',
  double: '0.1::DOUBLE',
  varchar: "'ä''\"'",
  json: '\'{"a": [1]}\'::JSON',
  enum: "'b'::ENUM ('a', 'b')",
  bit: "'0101'::BIT",
  uuid: 'uuid()',
  blob: "'\\x00\\xFF'::BLOB",
  date: "DATE '0001-01-01'",
  time: "TIME '23:59:59.999999'",
  time_ns: "'23:59:59.999999999'::TIME_NS",
  'time with time zone': "'23:59:59+05'::TIMETZ",
  timestamp: "TIMESTAMP '1969-07-20 20:17:40.123456'",
  timestamp_s: "'1969-07-20 20:17:40'::TIMESTAMP_S",
  timestamp_ms: "'1969-07-20 20:17:40.123'::TIMESTAMP_MS",
  timestamp_ns: "'1969-07-20 20:17:40.123456'::TIMESTAMP_NS",
  'timestamp with time zone': "TIMESTAMPTZ '1969-07-20 20:17:40.123456+05'",
  interval: "INTERVAL '-1 month 00:00:00.000007'",
  list: "[['a'], NULL]",
  array: 'array_value(1, 2, 3)',
  map: "MAP {'a': [1]}",
  struct: "{'a': 1, 'b': {'c': DATE '2020-01-01'}}",
  union: 'union_value(a := 1)::UNION(a INTEGER, b VARCHAR)',
  variant: '1::VARIANT',
  'decimal(15,4)': '99999999999.9999::DECIMAL(15,4)',
  'decimal(18,0)': '999999999999999999::DECIMAL(18,0)',
};
/** Not in every build of DuckDB. */
const UNTRIED = ['geometry'];

let fixture: WarehouseFixture;
let database: DuckDBInstance;
beforeAll(async () => {
  fixture = await openWarehouseFixture();
  database = await DuckDBInstance.create();
});
afterAll(async () => {
  database.closeSync();
  await fixture.close();
});

describe('a column of a DuckDB type', () => {
  it('is tested for every type of the table', () => {
    expect([...Object.keys(SAMPLES), ...UNTRIED]).toEqual(expect.arrayContaining(Object.keys(DUCKDB_TYPES)));
  });

  it.each(Object.entries(SAMPLES))('%s is loaded exactly as the suggested property type', async (name, value) => {
    const sql = `SELECT ${value} AS x`;
    const [described] = ok(await fixture.engine.describe(sql));
    const rule = propertyTypeOf(described!.type);
    if (name in DUCKDB_TYPES) expect(rule).toEqual(DUCKDB_TYPES[name === 'json' ? 'varchar' : name]);

    const scratchDirectory = join(fixture.folder, name);
    await mkdir(scratchDirectory);
    const request = {
      sql,
      columns: ['x'],
      catalog: null,
      destination: localDestination(scratchDirectory),
      scratchDirectory,
    };
    const ended = ok(await finish(fixture.engine, request));
    const file = storedPaths(request.destination, ended)[0];
    const connection = await database.connect();
    await connection.run("SET TimeZone = 'UTC'");
    const exported = await connection.runAndReadAll(`SELECT * FROM '${file}'`);
    const stored = storedColumn('x', 'x', exported.columnType(0), rule.type);
    expect(stored).not.toBeNull();
    const kept = await connection.runAndReadAll(
      `SELECT count(${stored!.expression}), count(*) FILTER (WHERE ${stored!.misfit ?? 'false'}) FROM '${file}'`,
    );
    expect(kept.getRowsJson()).toEqual([['1', '0']]);
    if (rule.type === 'STRING' && name !== 'time with time zone') {
      const texts = await connection.runAndReadAll(
        `SELECT ${stored!.expression} = CAST((${value}) AS VARCHAR) FROM '${file}'`,
      );
      expect(texts.getRowsJson()).toEqual([[true]]);
    }
    connection.closeSync();
  });

  it.each([
    ['a list of 128-bit integers', '[9223372036854775807::HUGEINT, NULL]', '["9223372036854775807",null]'],
    ['an array of them', 'array_value((-9007199254740993)::HUGEINT)', '["-9007199254740993"]'],
    ['a struct of them', "{'A b': 9007199254740993::UHUGEINT}", '{"A b":"9007199254740993"}'],
    ['a map of them', "MAP {'k': 9007199254740993::HUGEINT}", '[{"key":"k","value":"9007199254740993"}]'],
    ['intervals', "[INTERVAL '-1 day 00:00:00.000007']", '["-1 day 00:00:00.000007"]'],
    ['unions', '[union_value(a := 1)::UNION(a INTEGER, b VARCHAR)]', '["1"]'],
    ['structs without names', "[row(1, 'a')]", '["(1, a)"]'],
    ['enums beside intervals', "{'e': 'b'::ENUM ('a', 'b'), 'i': INTERVAL 1 DAY}", '{"e":"b","i":"1 day"}'],
  ])('%s is exported with its values', async (name, value, expected) => {
    const sql = `SELECT ${value} AS x`;
    const scratchDirectory = join(fixture.folder, name);
    await mkdir(scratchDirectory);
    const destination = localDestination(scratchDirectory);
    const request = { sql, columns: ['x'], catalog: null, destination, scratchDirectory };
    const file = storedPaths(destination, ok(await finish(fixture.engine, request)))[0];
    const connection = await database.connect();
    const exported = await connection.runAndReadAll(`SELECT * FROM '${file}'`);
    const [described] = ok(await fixture.engine.describe(sql));
    const stored = storedColumn('x', 'x', exported.columnType(0), propertyTypeOf(described!.type).type);
    const kept = await connection.runAndReadAll(
      `SELECT ${stored!.expression}, count(*) FILTER (WHERE ${stored!.misfit ?? 'false'}) FROM '${file}' GROUP BY ALL`,
    );
    const [[shown, misfits] = []] = kept.getRowsJson();
    expect([JSON.stringify(shown), misfits]).toEqual([expected, '0']);
    connection.closeSync();
  });
});
