import fc from 'fast-check';
import { isLeft, isRight, right } from 'fp-ts/Either';
import { checkQuery } from '../../../domain/sql/check-query';
import { HARMLESS } from './harmless-queries';
import { INADMISSIBLE } from './inadmissible-queries';

describe('the check of a query', () => {
  it.each(HARMLESS)('accepts %j', (sql) => {
    expect(checkQuery(sql)).toMatchObject({ _tag: 'Right' });
  });

  it.each(INADMISSIBLE)('rejects %j', (sql, message) => {
    const checked = checkQuery(sql);
    expect(isLeft(checked) ? checked.left.message : 'admitted').toMatch(message);
  });

  it('returns the query without trailing semicolons', () => {
    expect(checkQuery(' SELECT 1 -- x\n')).toEqual(right(' SELECT 1 -- x\n'));
    expect(checkQuery("SELECT ';' ; ; -- done")).toEqual(right("SELECT ';' "));
  });

  it.each([
    ['SELECT 1;\nDROP TABLE t', 2, 1],
    ["SELECT '😀😀', getenv('x')", 1, 14],
    ["SELECT *\r\nFROM a,\r\n  'x.csv'", 3, 3],
    ['\n  SHOW TABLES', 2, 3],
    ["SELECT 'open", 1, 8],
    ['SELECT (1', 1, 8],
    ['', 1, 1],
    ['SELECT', 1, 1],
    ['SELECT 1 AS a\nFROM WHERE', 2, 6],
    ["SELECT *\nFROM (COPY t TO 'f')", 2, 7],
  ])('reports the position of the error in %j', (sql, line, column) => {
    expect(checkQuery(sql)).toMatchObject({ left: { line, column } });
  });

  it('accepts 100,000 characters, counted as code points, and rejects one more', () => {
    const query = (length: number): string => `SELECT '${'😀'.repeat(length - 9)}'`;
    expect(isRight(checkQuery(query(100_000)))).toBe(true);
    expect(checkQuery(query(100_001))).toMatchObject({
      left: { message: 'the query has 100001 characters; the maximum is 100000', line: 1, column: 1 },
    });
  });

  it.each([
    ['unions', `SELECT 1${' UNION SELECT 1'.repeat(6000)}`],
    ['commas', `SELECT * FROM a${', a'.repeat(30_000)}`],
    ['aliases', `SELECT * FROM ${'a:'.repeat(40_000)} b`],
    ['laterals', `SELECT * FROM ${'lateral '.repeat(12_000)} b`],
    ['minus signs', `SELECT ${'- '.repeat(49_000)} 1`],
  ])('parses long chains of %s quickly', (_, sql) => {
    expect(isRight(checkQuery(sql))).toBe(true);
  });

  describe('for any text', () => {
    const pieces = fc.constantFrom(
      ...[
        'SELECT',
        'FROM',
        'WITH',
        'AS',
        'a',
        '"b"',
        "'c'",
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        ',',
        ';',
        '.',
        ':',
        '*',
        '1',
        '1.',
        ' ',
        '\n',
      ],
      ...[
        '--',
        '/*',
        '*/',
        '$$',
        "E'",
        "'",
        '"',
        '\\',
        'VALUES',
        'TABLE',
        'JOIN',
        'UNION',
        'read_csv',
        'range',
        'DISTINCT',
        'IS',
        '😀',
        '\0',
      ],
    );
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );

    it('answers, with a position inside the text', () => {
      fc.assert(
        fc.property(text, (sql) => {
          const checked = checkQuery(sql);
          if (isRight(checked)) return;
          const lines = sql.split(/\r\n|\r|\n/);
          const { line, column } = checked.left;
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual(Array.from(lines[line - 1]!).length + 1);
          expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
        }),
        { numRuns: 3000 },
      );
    });

    it('rejects a string as a table, and accepts any content of a string value', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme' }), (content) => {
          expect(isRight(checkQuery(`SELECT '${content.replaceAll("'", "''")}' AS a`))).toBe(true);
          expect(isLeft(checkQuery(`SELECT * FROM '${content.replaceAll("'", "''")}'`))).toBe(true);
        }),
      );
    });

    it('accepts tables that are named like statements, however they are joined and quoted', () => {
      const word = fc.constantFrom(
        ...[
          'copy',
          'drop',
          'Delete',
          'insert',
          'UPDATE',
          'alter',
          'attach',
          'load',
          'pragma',
          'set',
          'call',
          'truncate',
        ],
      );
      const name = fc.oneof(
        word,
        word.map((text) => `main.${text}`),
      );
      const alias = fc.oneof(
        fc.constant(''),
        word.map((text) => ` ${text}`),
        word.map((text) => ` AS ${text}(a, b)`),
      );
      const table = fc.tuple(name, alias).map((parts) => parts.join(''));
      const join = fc.constantFrom(' JOIN ', ' LEFT JOIN ', ' CROSS JOIN ', ' NATURAL JOIN ', ' ASOF JOIN ', ', ');
      fc.assert(
        fc.property(table, fc.array(fc.tuple(join, table), { maxLength: 3 }), (first, others) => {
          const sql = `SELECT * FROM (${first}${others.flat().join('')})`;
          expect(checkQuery(sql)).toEqual(right(sql));
        }),
      );
    });

    it('returns the same answer with comments and spaces between the tokens', () => {
      const gap = fc.constantFrom(' ', '\n', '\t', '/* x */', '-- y\n', ' /**/ ');
      const words = fc.constantFrom(...HARMLESS.filter((sql) => /^[A-Za-z0-9_ ,*()=.]+$/.test(sql)));
      fc.assert(
        fc.property(words, fc.array(gap, { minLength: 60, maxLength: 60 }), (sql, gaps) => {
          const spaced = sql
            .split(' ')
            .map((word, index) => (gaps[index] ?? ' ') + word)
            .join(' ');
          expect(isRight(checkQuery(spaced))).toBe(true);
        }),
      );
    });
  });
});
