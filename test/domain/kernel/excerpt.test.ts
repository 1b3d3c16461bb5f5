import { excerptAt } from '../../../domain/kernel/excerpt';

test.each([
  ['plain text', 'RETURN 1 +', 10, 'RETURN 1 +', 9],
  ['tabs', '\tRETURN\tx', 9, ' RETURN x', 8],
  ['wide letters', "RETURN '東京' + x", 15, "RETURN '東京' + x", 16],
  ['a pair of surrogates', "RETURN '😀' + x", 14, "RETURN '😀' + x", 14],
  ['accents of their own', 'RETURN e\u0301 + x', 13, 'RETURN e\u0301 + x', 11],
])('the caret is below the place after %s', (_, text, column, line, blanks) => {
  expect(excerptAt(`MATCH (n)\r\n${text}`, { line: 2, column })).toEqual({ line, caret: `${' '.repeat(blanks)}^` });
});

test('a place at the end of a line has a caret; one on an empty or missing line has no excerpt', () => {
  expect(excerptAt('RETURN', { line: 1, column: 7 })).toEqual({ line: 'RETURN', caret: '      ^' });
  expect([excerptAt('a\n\t', { line: 2, column: 1 }), excerptAt('a', { line: 3, column: 1 })]).toEqual([null, null]);
});
