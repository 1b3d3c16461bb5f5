import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DUCKDB_TYPES, propertyTypeOf, TRINO_TYPES, type TypeRule } from '../../../domain/sql-tools';
import { packageRoot } from '../../../adapters/system/package-root';

describe('the property type of an engine type', () => {
  it.each([
    ['bigint', 'INT64'],
    ['VARCHAR', 'STRING'],
    ['varchar(20)', 'STRING'],
    ['decimal(15,2)', 'DOUBLE'],
    ['decimal(18,0)', 'INT64'],
    ['decimal(18)', 'INT64'],
    ['timestamp with time zone', 'TIMESTAMP'],
    ['timestamp(3) with time zone', 'TIMESTAMP'],
    ['timestamp(6)', 'TIMESTAMP'],
    ['time(3)', 'STRING'],
    ['time(6) with time zone', 'STRING'],
    ["enum('a(b', 'c[]')", 'STRING'],
    ['integer[]', 'LIST'],
    ['struct("a" integer)[3]', 'LIST'],
    ['array(row(a bigint))', 'LIST'],
    ['map(varchar, integer[])', 'MAP'],
    ['struct("a" integer[], "b" varchar)', 'STRUCT'],
    ['row(a bigint, b varchar)', 'STRUCT'],
  ])('%s becomes %s', (engineType, type) => expect(propertyTypeOf(engineType)).toEqual({ type }));

  it.each([
    ['hugeint', 'INT64'],
    ['decimal(38,0)', 'INT64'],
    ['decimal(16,2)', 'DOUBLE'],
    ['timestamp_ns', 'TIMESTAMP'],
    ['timestamp(9)', 'TIMESTAMP'],
    ['timestamp(12) with time zone', 'TIMESTAMP'],
    ['union("a" integer)', 'STRING'],
    ['hyperloglog', 'STRING'],
  ])('%s becomes %s, with a warning', (engineType, type) =>
    expect(propertyTypeOf(engineType)).toEqual({ type, caution: expect.any(String) as string }),
  );
});

describe('docs/types.md', () => {
  const page = readFileSync(join(packageRoot, 'docs', 'types.md'), 'utf8');
  const rowsBelow = (heading: string): readonly string[] =>
    (page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split('|')
          .map((cell) => cell.trim())
          .join('|'),
      );
  const rowOf = ([name, { type, caution = '' }]: readonly [string, TypeRule]): string =>
    `|\`${name}\`|\`${type}\`|${caution}|`;

  it.each([
    ['DuckDB', DUCKDB_TYPES],
    ['Trino', TRINO_TYPES],
  ])('contains the table of %s', (engine, types) =>
    expect(rowsBelow(engine)).toEqual([...Object.entries(types).map(rowOf), ...DECIMALS.map(rowOf)]),
  );

  const DECIMALS = ['decimal(15,2)', 'decimal(18,0)', 'decimal(38,2)', 'decimal(38,0)'].map(
    (name) => [name, propertyTypeOf(name)] as const,
  );
});
