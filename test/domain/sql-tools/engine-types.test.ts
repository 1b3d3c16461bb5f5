import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../adapters/system/package-root';
import { PropertyType } from '../../../domain/mapping';
import { DUCKDB_TYPES, propertyTypeOf, TRINO_TYPES, type TypeRule } from '../../../domain/sql-tools';

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
  const DECIMALS = ['decimal(15,2)', 'decimal(18,0)', 'decimal(38,2)', 'decimal(38,0)'].map(
    (name) => [name, propertyTypeOf(name)] as const,
  );
  const engines = [DUCKDB_TYPES, TRINO_TYPES].map((types) => [...Object.entries(types), ...DECIMALS]);
  const cautions = [...new Set(engines.flat().flatMap(([, { caution }]) => caution ?? []))];
  const markOf = ({ caution }: TypeRule): string =>
    caution === undefined ? '' : ` (${cautions.indexOf(caution) + 1})`;
  const cellOf = (types: readonly (readonly [string, TypeRule])[], type: string): string =>
    types.flatMap(([name, rule]) => (rule.type === type ? [`\`${name}\`${markOf(rule)}`] : [])).join(', ');

  it('has the types of both engines for each property type', () => {
    const section = page.split('## Columns\n')[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.replace(/ *\| */g, '|')] : []));
    const expected = Object.keys(PropertyType.keys).map(
      (type) => `|\`${type}\`|${engines.map((types) => cellOf(types, type)).join('|')}|`,
    );
    expect(rows.join('\n')).toBe(expected.join('\n'));
  });

  it('has every caution', () => {
    expect(page.match(/^\d\. .*(?=\.$)/gm)).toEqual(cautions.map((caution, index) => `${index + 1}. ${caution}`));
  });
});
