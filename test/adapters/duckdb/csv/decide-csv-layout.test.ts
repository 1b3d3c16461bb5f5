import '../../../../adapters/duckdb/exact-texts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { isLeft } from 'fp-ts/Either';
import { type CsvDescription } from '../../../../adapters/duckdb/csv/csv-description';
import { readTyped } from '../../../../adapters/duckdb/csv/csv-layout';
import { decideCsvLayout } from '../../../../adapters/duckdb/csv/decide-csv-layout';

let folder: string;
let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-csv-'));
  instance = await DuckDBInstance.create(':memory:', { errors_as_json: 'true' });
  connection = await instance.connect();
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true });
});

/** The columns and rows of a file, or why it has no layout. */
const read = async (content: string | Buffer, description: CsvDescription = {}) => {
  const path = join(folder, 't.csv');
  const file = { path, parts: [path], compression: 'none' } as const;
  await writeFile(file.path, content);
  const layout = await decideCsvLayout(connection, file, description);
  if (isLeft(layout)) return layout.left.replace(folder, '');
  const rows = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${readTyped(file, layout.right)})`);
  const columns = layout.right.columns.map(({ name, type }) => `${name} ${type.toLowerCase()}`);
  return [columns.join(', '), ...rows.getRowsJson()];
};

const REST = Array.from({ length: 30_000 }, (_, n) => String(n + 1));

describe('the types of a CSV file', () => {
  it.each([
    ['leading zeros', '007', 'varchar'],
    ['fractions', '1.5', 'varchar'],
    ['numbers of 20 digits', '12345678901234567890', 'varchar'],
    ['spaces', ' 12', 'varchar'],
    ['signs', '+12', 'varchar'],
    ['more integers', '-12', 'bigint'],
  ])('are decided over the whole file: %s', async (_what, last, type) => {
    const answer = await read(['id', ...REST, last, ''].join('\n'));
    expect([answer[0], answer.length, answer.at(-1)]).toEqual([`id ${type}`, 30_002, [last]]);
  });

  it.each([
    ['dates', '2024-01-31', '2024-02-01', 'date'],
    ['dates with a time of day', '2024-01-31', '2024-02-01 10:00:00', 'varchar'],
    ['dates with slashes', '01/02/2024', '02/01/2024', 'varchar'],
    ['times', '2024-01-31 00:00:00', '2024-01-31 10:00:00.123456', 'timestamp'],
    ['nanoseconds', '2024-01-31 00:00:00', '2024-01-31 10:00:00.123456789', 'varchar'],
    ['offsets', '2024-01-31 00:00:00', '2024-01-31 10:00:00+02', 'varchar'],
    ['times in UTC', '2024-01-31 00:00:00+00', '2024-01-31 10:00:00+00', 'timestamptz'],
    ['prices', '10.50', '-0.99', 'decimal(15, 2)'],
    ['fractions', '0.5', '10.25', 'double'],
    ['mixed precision', '0.5', '10.250', 'varchar'],
    ['truth', 'true', 'false', 'boolean'],
    ['words', 'nan', 'inf', 'varchar'],
    ['words with a sign', '-nan', '-inf', 'varchar'],
    ['the same of dates', '2024-01-31', '-infinity', 'varchar'],
    ['large decimals', '1234567890123456.50', '0.25', 'decimal(38, 2)'],
  ])('%s', async (_what, first, second, type) => {
    expect(await read(`a,v\nx,${first}\nx,\nx,${second}\n`)).toEqual([
      `a varchar, v ${type}`,
      ['x', first],
      ['x', null],
      ['x', second],
    ]);
  });

  it('are decided where the first values come late', async () => {
    const content = `a,b\n${REST.map((n) => `${n},\n`).join('')}x,7.50\n`;
    expect((await read(content))[0]).toBe('a varchar, b decimal(15, 2)');
  });

  it('are decided for 130 columns within seconds', async () => {
    const path = join(folder, 'wide.csv');
    const rowOf = (text: string) => Array.from({ length: 130 }, (_, index) => `${text}${index}`).join(',');
    await writeFile(path, `${rowOf('c')}\n${rowOf('x')}\n`);
    const layout = await decideCsvLayout(connection, { path, parts: [path], compression: 'none' }, {});
    expect(isLeft(layout) ? layout.left : layout.right.columns.length).toBe(130);
  });

  it('are text in a column without values', async () => {
    expect(await read('a,b\n1,\n')).toEqual(['a bigint, b varchar', ['1', null]]);
  });

  it('can be declared, where another spelling of the same value is accepted and another value is an error', async () => {
    const types = { n: 'integer', d: 'double', t: 'timestamp', p: 'decimal(10,2)' };
    expect(await read('n,d,t,p\n007,2,2024-01-31T10:00:00.500,1.5\n', { types })).toEqual([
      'n integer, d double, t timestamp, p decimal(10,2)',
      ['7', '2.0', '2024-01-31 10:00:00.5', '1.50'],
    ]);
    expect(await read('n\n1\n1.5\n', { types: { n: 'integer' } })).toBe(
      'row 2 has the value "1.5" in the column n, which its description declares as integer; correct one of them',
    );
    expect(await read('n\n1\n', { types: { m: 'integer' } })).toContain('m, which is not a column');
  });
});

describe('the rows of a CSV file', () => {
  it.each([
    ['a value with another separator', 'name\nSmith; John\nMiller, Ann\n', [['Smith; John'], ['Miller, Ann']]],
    [
      'rows that begin with #',
      'a,b\n#1,2\n3,4\n',
      [
        ['#1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'a quoted empty text, and null',
      'a,b\n"",\n,""\n',
      [
        ['', null],
        [null, ''],
      ],
    ],
    ['quoted separators and line ends', 'a;b\n"x;y";"p\nq"\n', [['x;y', 'p\nq']]],
    ['line ends of Windows', 'a,b\r\n"x\ny",2\r\n', [['x\ny', '2']]],
    ['a byte order mark', '\ufeff"a",b\n1,2\n', [['1', '2']]],
    ['the same character in a value', 'a,b\n\ufeff1,2\n', [['\ufeff1', '2']]],
    ['doubled quotes', 'a,b\n"x""y",z"w\n', [['x"y', 'z"w']]],
    [
      'quotes and spaces',
      'a,b\n"""x"" ""y""",x" "y\n" ",""" ""b"\nz,"a,"" ""b"\n',
      [
        ['"x" "y"', 'x" "y'],
        [' ', '" "b'],
        ['z', 'a," "b'],
      ],
    ],
    ['quotes and spaces behind a line end', 'a,b\n"p\n""\n"" ""\n"" ",1\n', [['p\n"\n" "\n" ', '1']]],
    ['empty lines', 'a,b\n\n1,2\n\n', [['1', '2']]],
    ['spaces', 'a,b\n x , y \n', [[' x ', ' y ']]],
    ['no last line end', 'a,b\n1,2', [['1', '2']]],
    ['empty lines of one column', 'a\n1\n\n2\n', [['1'], [null], ['2']]],
    ['a header alone', 'a,b\n', []],
    ['a header with a line end', '"a\nz",b\n1,2\n', [['1', '2']]],
    ['quotes around one column', 'a\n"x, y"\n""\n', [['x, y'], ['']]],
    [
      'a single quote, and a space',
      'a,b\n1,5" x\n2," "\n',
      [
        ['1', '5" x'],
        ['2', ' '],
      ],
    ],
    ['quotes and line ends', 'a,b\n"x\n""y"" ""z""\n"," "\n', [['x\n"y" "z"\n', ' ']]],
    ['bars', 'a|b\n1|2\n', [['1', '2']]],
    ['a header that begins with #', '#,#id\n1,2\n', [['1', '2']]],
    ['tabs', 'a\tb\n1,5\t2\n', [['1,5', '2']]],
  ])('are exact: %s', async (_what, content, rows) => {
    expect((await read(content)).slice(1)).toEqual(rows);
  });

  it.each([
    ['too few values', 'a,b\n1,2\n3\n', 'line 3 of the file /t.csv has 1 value instead of 2; correct it, or describe'],
    ['too many values', 'a,b\n1,2,3\n', 'line 2 of the file /t.csv has 3 values instead of 2'],
    ['a wrong quote', 'a,b\n1,"x" y\n', 'line 2 of the file /t.csv has a quote at a wrong place'],
    ['quoted texts with a space between', 'a,b\n"y""",x\n1,"x" "y"\n', 'the line 1,"x" "y" has a quote at a wrong'],
    ['the same in the first value', 'a|b\n"x"  "y"|1\n', 'the line "x"  "y"|1 has a quote at a wrong place'],
    ['the same in one column', 'a\n"x, " " "\n', 'the line "x, " " " has a quote at a wrong place'],
    ['the same behind a line end', 'a,b\n1,"x\ny" "z"\n', 'the line y" "z" has a quote at a wrong place'],
    ['the same behind a single quote', 'a,b\n1,5" x\n2,"x" "y"\n', 'the line 2,"x" "y" has a quote at a wrong'],
    ['a line end of Windows in a quoted name', '"a\r\n",b\r"1",2\r', 'its first row has a line end of Windows in a'],
    ['an open quote', 'a,b\n1,"x\n2,3\n', 'line 2 of the file /t.csv has a quote at a wrong place'],
    ['a space before a quote', 'a,b\n1, "x"\n', 'some characters would be lost'],
    ['a space behind a quote', 'a,b\n"x" ,1\n', 'some characters would be lost'],
    ['mixed line ends', 'a,b\r\n1,2\n3,4\r\n', 'the file /t.csv has line ends or quotes of several kinds'],
    [
      'another encoding',
      Buffer.from('a,b\n\xe9,1\n', 'latin1'),
      'line 2 of the file /t.csv is not UTF-8 text; save the file as UTF-8 (iconv -f WINDOWS-1252 -t UTF-8; or -f UTF-16, if the program `file` says so), and refresh',
    ],
    ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), 'line 1 of the file /t.csv is not UTF-8 text; save'],
    ['UTF-16 of other order', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le').swap16(), 'is not UTF-8 text; save'],
    ['UTF-16 without a mark', Buffer.from('a,b\n1,2\n', 'utf16le'), 'has zero bytes, as text in UTF-16 has; save'],
    ['the same of other order', Buffer.from('a,b\n1,2\n', 'utf16le').swap16(), 'has zero bytes, as text in UTF-16'],
    [
      'an empty line before the header',
      '\n\na,b\n1,2\n',
      'the file /t.csv begins with an empty line; delete the lines before its header',
    ],
    ['an empty line of Windows first', '\r\na;b\r\n1;2\r\n', 'begins with an empty line'],
    ['an empty line before one column', '\na\n1\n', 'begins with an empty line'],
    ['a separator for Excel', '\ufeffsep=;\r\na;b\r\n1;2\r\n', 'its first line, sep=;, is an instruction for Excel'],
    ['the same in quotes', '"sep=,"\na,b\n1,2\n', 'its first line, "sep=,", is an instruction for Excel'],
    [
      'a comment before the header',
      '# of June, by ada\nid,name\n1,x\n',
      'its first line, # of June, by ada, begins like a',
    ],
    ['a commented header', '# id,name\n1,x\n', 'write "header: true" into a description'],
    [
      'a comment without a separator',
      '#June\nid,name\n1,x\n',
      'its first line, #June, is one value, and the lines below',
    ],
    [
      'a title',
      'Report\n\nid;"a;b"\n1;x\n',
      'the lines below have 2, separated by a semicolon; delete the lines before',
    ],
    ['two separators', 'a,b;c\n1,2;3\n', 'several separators fit every line: comma and semicolon'],
    ['names that differ in case', 'id,name,NAME\n1,2,3\n', 'several columns are named NAME'],
    ['nothing', '', 'the file is empty'],
  ])('are an error: %s', async (_what, content, message) => {
    expect(await read(content)).toContain(message);
    expect(await read(content)).not.toMatch(/strict_mode|null_padding|ignore_errors|Set By User/);
  });

  it('are an error in a file that ends with a line longer than the buffers of DuckDB, which would skip it', async () => {
    const long = Buffer.alloc(130_000_000, 'x');
    expect(await read(Buffer.concat([Buffer.from('id,name\n1,'), long]))).toContain('130000002 bytes');
  });

  it('are an error that does not advise settings of DuckDB where its memory does not suffice', async () => {
    await connection.run("SET memory_limit = '40MB'");
    const answer = await read('id,name\n1,x\n');
    await connection.run("SET memory_limit = '4GB'");
    expect(answer).toMatch(/^it needs more memory .*; use fewer rows or columns/);
  });

  it('have names where the first row has the types of the others, or a description says so', async () => {
    expect(await read('1,x\n2,y\n')).toEqual(['column0 bigint, column1 varchar', ['1', 'x'], ['2', 'y']]);
    expect(await read('2023,2024,n\n1,2,3\n')).toEqual(['2023 bigint, 2024 bigint, n bigint', ['1', '2', '3']]);
    expect(await read('x,1\ny,2\n', { header: false })).toEqual([
      'column0 varchar, column1 bigint',
      ['x', '1'],
      ['y', '2'],
    ]);
    expect(await read(',b\n1,2\n')).toEqual(['column0 bigint, b bigint', ['1', '2']]);
  });

  it('can be described where they cannot be decided', async () => {
    expect(await read('a,b;c\n1,2;3\n', { delimiter: ';' })).toEqual(['a,b varchar, c bigint', ['1,2', '3']]);
    expect(await read('# a,b\nx,2\n', { header: true })).toEqual(['# a varchar, b bigint', ['x', '2']]);
    expect(await read('a\nx,y\nz,\n', { delimiter: '|' })).toEqual(['a varchar', ['x,y'], ['z,']]);
    expect(await read('a,b\n1, "x"\n', { quote: 'none' })).toEqual(['a bigint, b varchar', ['1', ' "x"']]);
    expect(await read('a,b\nNA,\n1,""\n', { null: 'NA' })).toEqual(['a bigint, b varchar', [null, ''], ['1', '']]);
  });
});
