import { render } from '../../../adapters/cli/output';
import { resultTable } from '../../../adapters/cli/result-table';

test('aligns numbers to the right, text to the left, and columns with each other', () => {
  expect(
    resultTable(
      ['name', 'amount'],
      [
        ['Ada', 7],
        ['Bartholomew', 1234.5],
      ],
    ),
  ).toBe(['name         amount', '───────────  ──────', 'Ada               7', 'Bartholomew  1234.5'].join('\n'));
});

test('aligns columns by the width of characters: Chinese, Japanese, Korean, emoji and combined ones', () => {
  const names = ['日本', '한국어', '👩‍👩‍👧', 'e\u0301', 'ab'];
  const [title, , ...lines] = resultTable(
    ['name', 'x'],
    names.map((name) => [name, 'y']),
  ).split('\n');
  expect(title).toBe('name    x');
  expect(lines).toEqual(['日本    y', '한국어  y', '👩‍👩‍👧      y', 'e\u0301       y', 'ab      y']);
  const [, , cutLine] = resultTable(['name'], [['日本語日本語']], { maxCell: 6 }).split('\n');
  expect(cutLine).toBe('日本…');
});

test('shows lists in brackets and nulls as empty, and cuts long text', () => {
  const [, , row] = resultTable(['way', 'nothing', 'long'], [[['a', 'b'], null, 'x'.repeat(60)]], {
    maxCell: 48,
  }).split('\n');

  expect(row).toMatch(/^\[a, b\] +x{47}…$/);
});

test('shrinks the widest columns of a table that is too wide for the terminal', () => {
  const lines = resultTable(['id', 'sql', 'name'], [[1, 'x'.repeat(90), 'y'.repeat(20)]], { width: 40 }).split('\n');

  expect(lines.map(({ length }) => length).every((length) => length <= 40)).toBe(true);
  expect(lines[2]).toBe(` 1  ${'x'.repeat(16)}…  ${'y'.repeat(16)}…`);
});

test('prints nodes, relationships and paths as in Cypher, and integers as integers', () => {
  const node = { _id: 'Account:7', _label: 'Account', kind: 'savings' };
  const [, , row] = resultTable(['path', 'i'], [[[node, { _id: 'x', _type: 'OWNS' }], 9007199254740993n]]).split('\n');

  expect(row).toBe('(Account:7 {kind: savings}) → [:OWNS]  9007199254740993');
});

test('prints numbers exactly unless fewer digits are requested', () => {
  const shown = (digits?: number) =>
    resultTable(['x'], [[1234.56789]], digits === undefined ? {} : { digits }).split('\n')[2];

  expect([shown(), shown(6)]).toEqual(['1234.56789', '1234.57'.padStart(7)]);
});

test('distinguishes null from an empty string in tables and in CSV', () => {
  const table = {
    columns: ['a', 'b'],
    rows: [
      [null, ''],
      [['x', null, ''], { y: null }],
    ],
    nullText: 'NULL',
  };
  const [, , ...rows] = render({ data: null, table }, 'table', Infinity).split('\n');
  expect(rows).toEqual(['NULL', '[x, NULL, ]  {y: NULL}']);
  expect(render({ data: null, table }, 'csv', Infinity)).toBe('a,b\n,""\n"[""x"",null,""""]","{""y"":null}"');
});

test('distinguishes null from the text that null is printed as', () => {
  const rows = [[null, 'NULL', '"NULL"', ['NULL', null], 'null']];
  const [, , row] = resultTable(['a', 'b', 'c', 'd', 'e'], rows, { nullText: 'NULL' }).split('\n');
  expect(row).toBe(String.raw`NULL  "NULL"  "\"NULL\""  ["NULL", NULL]  null`);
});

test('prints a column title of several lines as one line', () => {
  expect(resultTable(['n.age +\n  1'], [[7]]).split('\n')[0]).toBe('n.age + 1');
});
