import { tableFromIPC } from 'apache-arrow';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import { createRowWriter } from '../../../../../pod/graph/engine/export/create-row-writer';
import { type ExportColumn } from '../../../../../pod/graph/engine/export/row-writer';
import { type ColumnType, scalar } from '../../../../../pod/graph/engine/graph-schema';

const written = async (
  format: ExportFormat,
  columns: readonly ExportColumn[],
  rows: readonly (readonly string[])[],
): Promise<Buffer> => {
  const writer = await createRowWriter(format, columns);
  const pieces = rows.map((row) => {
    writer.add(row);
    return writer.take();
  });
  return Buffer.concat([...pieces, writer.end()]);
};

const text = (name: string): ExportColumn => ({ name, type: 'STRING' });

it('CSV quotes as in RFC 4180, quotes empty strings, and leaves null empty', async () => {
  const rows = [
    ['"plain"', 'null', '""', '1.5'],
    ['"a \\"b\\", c"', '"line\\r\\nbreak"', '"é\\u0001"', '"NaN"'],
    ['[1,"x"]', '{"a":null}', 'true', '9007199254740993'],
  ];
  expect((await written('csv', [text('a'), text('b "c"'), text(''), text('d')], rows)).toString()).toBe(
    'a,"b ""c""","",d\n' +
      'plain,,"",1.5\n' +
      '"a ""b"", c","line\r\nbreak",é\u0001,NaN\n' +
      '"[1,""x""]","{""a"":null}",true,9007199254740993\n',
  );
});

it('NDJSON writes one object per line with unchanged values', async () => {
  expect((await written('ndjson', [text('a"b'), text('c')], [['9007199254740993', '"x"']])).toString()).toBe(
    '{"a\\"b":9007199254740993,"c":"x"}\n',
  );
  expect(await written('ndjson', [text('a')], [])).toHaveLength(0);
});

describe('Arrow', () => {
  const columns = 'STRING INT64 INT32 DOUBLE FLOAT BOOL DATE TIMESTAMP BLOB UUID DURATION LIST'.split(' ');
  const described = columns.map((type) => ({ name: type.toLowerCase(), type }));
  const full = [
    ...['"é"', '-9223372036854775808', '-5', '0.1', '0.5', 'true', '"-000044-03-15"'],
    ...['"2024-01-31T10:00:00.123456Z"', '"AAEC"', '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"', '"P1D"', '[1,"x"]'],
  ];

  it('stores each value in its type', async () => {
    const table = tableFromIPC(await written('arrow', described, [full, full.map(() => 'null')]));
    expect(table.schema.fields.map(({ type }) => String(type))).toEqual(
      ['Utf8', 'Int64', 'Int32', 'Float64', 'Float32', 'Bool', 'Date32<DAY>', 'Timestamp<MICROSECOND, UTC>'].concat([
        ...['Binary', 'Utf8', 'Utf8', 'Utf8'],
      ]),
    );
    expect(table.schema.fields.at(-1)?.metadata.get('ARROW:extension:name')).toBe('arrow.json');
    const [first, second] = table.toArray() as Record<string, unknown>[];
    expect(Object.values(second ?? {})).toEqual(columns.map(() => null));
    expect(first).toMatchObject({ string: 'é', int64: -(2n ** 63n), int32: -5, double: 0.1, float: 0.5, bool: true });
    expect(first).toMatchObject({
      blob: Uint8Array.of(0, 1, 2),
      uuid: full[9]?.slice(1, -1),
      duration: 'P1D',
      list: '[1,"x"]',
    });
    const raw = (name: string): unknown => (table.getChild(name)?.data[0]?.values as ArrayLike<unknown>)[0];
    expect([raw('date'), raw('timestamp')]).toEqual([-735_525, 1_706_695_200_123_456n]);
  });

  it('stores lists, maps and structs in the types of their parts', async () => {
    const times: ColumnType = { kind: 'list', item: scalar('TIMESTAMP') };
    const ids: ColumnType = { kind: 'map', key: scalar('INT64'), value: scalar('STRING') };
    const point: ColumnType = { kind: 'struct', fields: [{ name: 'x', type: scalar('FLOAT') }] };
    const nested = [times, ids, point, { kind: 'list', item: point } as const, { kind: 'list', item: times } as const];
    const row = ['["1970-01-01T00:00:00.000002Z",null]', '{"9007199254740993":"é"}', '{"x":0.5}'];
    const table = tableFromIPC(
      await written(
        'arrow',
        nested.map((each, at) => ({ name: `c${at}`, type: 'LIST', nested: each })),
        [[...row, '[{"x":null},null]', '[[],null]'], nested.map(() => 'null')],
      ),
    );
    expect(table.schema.fields.map(({ type }) => String(type))).toEqual([
      'List<Timestamp<MICROSECOND, UTC>>',
      'Map<{key:Int64, value:Utf8}>',
      'Struct<{x:Float32}>',
      'List<Struct<{x:Float32}>>',
      'List<List<Timestamp<MICROSECOND, UTC>>>',
    ]);
    const [first, second] = table.toArray() as unknown[];
    expect(JSON.stringify(first)).toBe(
      '{"c0":[0.002,null],"c1":{"9007199254740993":"é"},"c2":{"x":0.5},"c3":[{"x":null},null],"c4":[[],null]}',
    );
    expect(JSON.stringify(second)).toBe('{"c0":null,"c1":null,"c2":null,"c3":null,"c4":null}');
  });

  it.each<readonly [string, ColumnType]>([
    ['a part of several types', { kind: 'list', item: scalar('ANY') }],
    ['a node', { kind: 'struct', fields: [{ name: 'n', type: scalar('NODE') }] }],
    ['a map without keys', { kind: 'struct', fields: [] }],
  ])('stores JSON text for %s', async (_what, nested) => {
    const table = tableFromIPC(await written('arrow', [{ name: 'x', type: 'LIST', nested }], [['[1]']]));
    expect(table.schema.fields[0]?.metadata.get('ARROW:extension:name')).toBe('arrow.json');
    expect(table.getChild('x')?.get(0)).toBe('[1]');
  });

  it.each<readonly [string, ColumnType]>([
    ['[1,"x"]', { kind: 'list', item: scalar('INT64') }],
    ['["infinity"]', { kind: 'list', item: scalar('DATE') }],
    ['1', { kind: 'list', item: scalar('INT64') }],
    ['{"a":true}', { kind: 'struct', fields: [{ name: 'a', type: scalar('INT64') }] }],
    ['{"a":1}', { kind: 'map', key: scalar('INT64'), value: scalar('INT64') }],
  ])('rejects %s in another type', async (json, nested) => {
    await expect(written('arrow', [{ name: 'x', type: 'LIST', nested }], [[json]])).rejects.toThrow(
      `Row 1, column x: ${json} is not LIST, the type of the column. ` +
        'Return toString(value), or [x IN list | toString(x)] for a list, or export NDJSON.',
    );
  });

  it('has its columns without rows, and NaN as a value', async () => {
    expect(tableFromIPC(await written('arrow', described, [])).schema.names).toEqual(described.map(({ name }) => name));
    const doubles = tableFromIPC(
      await written('arrow', [{ name: 'x', type: 'DOUBLE' }], [['"NaN"'], ['"-Infinity"'], ['1e300']]),
    );
    expect([...(doubles.getChild('x') ?? [])]).toEqual([NaN, -Infinity, 1e300]);
  });

  it.each([
    ['INT64', '1.5'],
    ['BOOL', '1'],
    ['DOUBLE', '"x"'],
    ['STRING', '7'],
    ['TIMESTAMP', '"2024-01-31T10:00:00.123456789Z"'],
    ['DATE', '"soon"'],
  ])('rejects other values for %s', async (type, json) => {
    await expect(written('arrow', [{ name: 'x', type }], [['null'], [json]])).rejects.toThrow(
      `Row 2, column x: ${json} is not ${type}`,
    );
  });
});
