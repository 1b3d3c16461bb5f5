import { isLeft } from 'fp-ts/Either';
import { exactNumbers, exportedColumn, valueReader } from '../../../adapters/trino/trino-types';

it.each([
  ['bigint', 'x', 'BIGINT'],
  ['varchar(25)', 'x', 'VARCHAR'],
  ['decimal(22,2)', 'x', 'DECIMAL(22,2)'],
  ['smallint', 'CAST(x AS integer)', 'INTEGER'],
  ['char(3)', 'CAST(x AS varchar)', 'VARCHAR'],
  ['time(3)', 'CAST(x AS varchar)', 'VARCHAR'],
  ['time(3) with time zone', 'CAST(x AS varchar)', 'VARCHAR'],
  ['timestamp(3)', 'CAST(x AS timestamp(6))', 'TIMESTAMP'],
  ['timestamp(3) with time zone', "CAST(x AT TIME ZONE 'UTC' AS timestamp(6))", 'TIMESTAMP'],
  ['uuid', 'CAST(x AS varchar)', 'VARCHAR'],
  ['ipaddress', 'CAST(x AS varchar)', 'VARCHAR'],
  ['interval day to second', 'CAST(x AS varchar)', 'VARCHAR'],
  ['json', 'json_format(x)', 'VARCHAR'],
  ['unknown', 'CAST(x AS varchar)', 'VARCHAR'],
  ['array(bigint)', 'x', 'BIGINT[]'],
  ['array(uuid)', 'CAST(x AS array(varchar))', 'VARCHAR[]'],
])('%s is exported', (type, expression, duckdbType) => {
  const column = exportedColumn({ name: 'c', type });
  if (isLeft(column)) throw new Error(column.left);
  expect([column.right.expression('x'), column.right.duckdbType]).toEqual([expression, duckdbType]);
});

it.each(['hyperloglog', 'qdigest(bigint)', 'timestamp(9)', 'array(json)', 'bingtile'])(
  '%s is rejected by the name of its column',
  (type) =>
    expect(exportedColumn({ name: 'c', type })).toMatchObject({ left: expect.stringContaining('"c"') as string }),
);

it('reads BIGINT and DECIMAL exactly', () => {
  const page = exactNumbers('{"data":[[9007199254740993,"12345678901234567.10","NaN",1.2345678901234567E19]]}');
  const { data } = JSON.parse(page) as { data: readonly (readonly unknown[])[] };
  const read = valueReader(['bigint', 'decimal(19,2)', 'double', 'double']);
  expect(read(data[0] ?? [])).toEqual([9007199254740993n, '12345678901234567.10', NaN, 1.2345678901234567e19]);
});
