import { QueryFault } from '../cypher/query-fault';
import { AMBIGUOUS, CLASSES } from '../cypher/regular-expressions';
import { type Call } from '../cypher/tree';
import { INTEGER_LIMIT, isFloat, mayBeInteger, MOST_ROWS, mostOf, UNKNOWN, type ValueType } from '../cypher/value-type';
import { FOLDED_LETTERS } from './quirks/single-letters';

/** A template with `_1`, `_2`, …, or a function that returns one for the types of the arguments and the call. */
type Written = string | ((types: readonly ValueType[], call: Call) => string);

/** Removes the matches of a regular expression from a text. */
const without = (text: string, expression: string): string => `string.replaceRegEx(${text}, '${expression}', '')`;

/** The text of openCypher for a stored TIMESTAMP: without the zone and without zeros that say nothing. */
export const TIMESTAMP_TEXT = without('_1', '(:00[.]0+|[.]?0*)Z\\\\z');

/**
 * The first value whose condition on `_v` is true for an argument. The engine computes all branches of CASE, including
 * those that fail.
 */
const choice = (
  name: string,
  of: string,
  ...branches: readonly (readonly [condition: string, value: string])[]
): string =>
  `(${branches.map(([condition, value]) => `[${name} IN [${of}] WHERE ${condition} | ${value}]`).join(' + ')})[0]`;

const IS_SHORT = 'floor(abs(_f) * 1000000 + 0.5) / 1000000 = abs(_f) AND (_f = 0 OR 0.001 <= abs(_f) < 10000000)';
/** The engine prints six decimals. `left` fails for numbers that have more, or an exponent. */
const FLOAT_TEXT = choice(
  '_f',
  '_1',
  [IS_SHORT, without('toString(_f)', '0{1,5}\\\\z')],
  [`NOT (${IS_SHORT})`, 'left(_f, 0)'],
);

/** 0, or a failure unless a condition is true: `left` fails for a number. */
const failingUnless = (condition: string): string => `size(left(CASE WHEN ${condition} THEN '' ELSE 0.5 END, 0))`;

const IS_NUMBER = "size(string.matchRegEx(_t, '\\\\A[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[-+]?[0-9]+)?\\\\z')) > 0";
const DIGITS = `toInteger(${without('_t', '[.]|e.*\\\\z')})`;
const DECIMALS = `size(${without('_t', '\\\\A[^.e]*[.]?|e.*\\\\z')})`;
const EXPONENT = without('_t', '\\\\A[^e]*e?');
/**
 * The engine parses texts in single precision. The product or quotient of at most 2^53 and a power of ten up to 10^22 is
 * exact.
 */
const FLOAT_IN_TEXT =
  `[_n IN [_t IN [toLower(trim(_1))] WHERE ${IS_NUMBER} | ` +
  `[${DIGITS}, toInteger(CASE ${EXPONENT} WHEN '' THEN '0' ELSE ${EXPONENT} END) - ${DECIMALS}]] | ` +
  'CASE WHEN _n[1] < 0 THEN _n[0] / 10.0 ^ (0 - _n[1]) ELSE _n[0] * 10.0 ^ _n[1] END + ' +
  `${failingUnless('abs(_n[0]) <= 9007199254740992 AND abs(_n[1]) <= 22')}][0]`;
const WHOLE_PART = `toInteger(${without('_t', '[.][0-9]*\\\\z')})`;
/** The engine rounds down, and does not read exponents. */
const INTEGER_IN_TEXT = `[_t IN [toLower(trim(_1))] | ${WHOLE_PART} + ${failingUnless(`${WHOLE_PART} IS NOT NULL OR NOT ${IS_NUMBER}`)}][0]`;
/** The engine rounds down, and makes the least integer of NaN, infinity and great numbers. */
const WHOLE = choice(
  '_f',
  '_1',
  ['abs(_f) < 9223372036854775808.0', 'toInteger(CASE WHEN _f < 0 THEN ceil(_f) ELSE _f END)'],
  ['abs(_f) >= 9223372036854775808.0 AND _f - _f = 0', 'left(_f, 0)'],
);

/** Depends on the type of the argument, which is tested per row if it is unknown. */
const byType =
  (engine: string, written: Readonly<Partial<Record<'text' | 'float' | 'integer', string>>>) =>
  ([of]: readonly ValueType[]): string => {
    if (of?.kind === 'text' || of?.kind === 'integer') return written[of.kind] ?? engine;
    if (of === undefined) return engine;
    if (isFloat(of)) return written.float ?? engine;
    if (of.kind !== 'unknown' && of.kind !== 'float') return engine;
    const own = (
      [
        ['text', 'String'],
        ['float', 'Float'],
        ['integer', 'Integer'],
      ] as const
    ).flatMap(([kind, type]) => {
      const value = written[kind];
      return value === undefined ? [] : [[`typeOf(_v) = '${type}'`, value.replaceAll('_1', '_v')] as const];
    });
    const others = `NOT (${own.map(([condition]) => condition).join(' OR ')})`;
    return choice('_v', '_1', ...own, [others, engine.replaceAll('_1', '_v')]);
  };

/** The least float that an integer may not have. */
export const FLOAT_LIMIT = '9223372036854774784.0';

/** 0, or a failure for an integer beyond 64 bits: only points do not have a size. */
export const failingIf = (overflow: string): string =>
  `size(CASE WHEN ${overflow} THEN point({latitude: 0, longitude: 0}) ELSE '' END)`;

/** The engine adds doubles: the sums of the quotients and of the remainders are exact. */
const sum: Written = ([of], { distinct }) => {
  if (of !== undefined && mayBeInteger(of)) {
    const integers = "count(CASE WHEN typeOf(_1) = 'Integer' THEN _1 END)";
    return `CASE WHEN ${integers} = count(_1) THEN toInteger(sum(_1)) + ${failingUnless('abs(sum(_1)) < 9007199254740992')} ELSE sum(_1) END`;
  }
  if (of?.kind !== 'integer') return 'sum(_1)';
  const isSmall = mostOf(of) * MOST_ROWS < INTEGER_LIMIT;
  const failure = isSmall
    ? ''
    : ` + ${failingIf(`abs(${distinct ? addedAs('0.0') : 'sum(1.0 * _1)'}) >= ${FLOAT_LIMIT}`)}`;
  if (distinct) return addedAs('0') + failure;
  return `toInteger(sum((_1 - _1 % 67108864) / 67108864)) * 67108864 + toInteger(sum(_1 % 67108864))${failure}`;
};

const addedAs = (start: string): string => `reduce(_sum = ${start}, _x IN collect(_1) | _sum + _x)`;

/** The float `_f` as a whole number: halves are rounded up. */
const WHOLE_FLOAT = 'CASE WHEN _f - floor(_f) < 0.5 THEN floor(_f) ELSE ceil(_f) END';
/** With a number of digits: the decimal number is rounded, halves away from 0; a float of 2^52 has no digits. */
const roundedTo = (digits: string): string => {
  const [scale, whole] = [`10.0 ^ ${digits}`, `floor(abs(_f) * 10.0 ^ ${digits})`];
  const size = `(${whole} + CASE WHEN abs(_f) < (${whole} + 0.5) / ${scale} THEN 0 ELSE 1 END) / ${scale}`;
  return `CASE WHEN abs(_f) * ${scale} < 4503599627370496 THEN sign(_f) * ${size} ELSE _f END`;
};

const round: Written = (_, { arguments: [, digits, mode], start }) => {
  if (digits === undefined) return `[_f IN [1.0 * _1] | ${WHOLE_FLOAT}][0]`;
  if (mode !== undefined || digits.kind !== 'number')
    throw new QueryFault('FalkorDB rounds to a number of digits that is written in the query, without a mode.', start);
  return `[_f IN [1.0 * _1] | ${Number(digits.text) === 0 ? WHOLE_FLOAT : roundedTo('_2')}][0]`;
};

/** The engine reads beyond the end of a text if its last characters have several bytes. */
const SIZE = 'size(_t)';
const atMost = (bound: string, count: string): string =>
  `CASE WHEN ${count} > ${bound} THEN ${bound} ELSE ${count} END`;
const START = atMost(SIZE, '_2');
const REST = `${SIZE} - ${START}`;
/** The engine fails if a bound is null. */
const ofText = (part: string, ...bounds: readonly string[]): string =>
  `[_t IN [_1] WHERE ${['_t', ...bounds].map((each) => `${each} IS NOT NULL`).join(' AND ')} | ${part}][0]`;

/** The engine fails if a bound is null. */
const range: Written = (_, { arguments: values }) => {
  const names = values.map((_value, at) => `_${at + 1}`);
  const found = `range(${names.join()})`;
  return values.every(({ kind }) => kind === 'number')
    ? found
    : choice('_n', '1', [names.map((name) => `${name} IS NOT NULL`).join(' AND '), found]);
};

/** The engine puts the new text between the bytes of characters if the replaced one is empty. */
const replace: Written = (_, { arguments: [, part] }) => {
  if (part?.kind === 'literal' && part.value !== '') return 'replace(_1, _2, _3)';
  const letters = "string.join(CASE WHEN _1 = '' THEN ['', ''] ELSE [''] + split(_1, '') + [''] END, coalesce(_3, ''))";
  const between = `CASE WHEN _3 IS NOT NULL THEN ${letters} END`;
  return `CASE WHEN _2 = '' THEN ${between} ELSE replace(_1, _2, _3) END`;
};

/** The server ends when it sorts DISTINCT values for a percentile, and makes a float of an integer. */
const percentile =
  (name: string): Written =>
  ([of = UNKNOWN], { distinct, start }) => {
    const isOneOf = name === 'percentileDisc';
    if (distinct || (mayBeInteger(of) && (isOneOf || of.kind === 'float')))
      throw new QueryFault(
        `FalkorDB computes ${name} of rows with values of one type: write WITH DISTINCT, or toFloat(…).`,
        start,
      );
    const found = `${name}(_1, _2)`;
    if (!isOneOf || of.kind !== 'integer') return found;
    const failure = mostOf(of) <= 2 ** 53 ? '' : ` + ${failingUnless(`abs(${found}) < 9007199254740992`)}`;
    return `toInteger(${found})${failure}`;
  };

/** A sigma after a letter, and not before another one; marks and some punctuation between them do not count. */
const LAST_SIGMA = (() => {
  const [letters, others] = [String.raw`[\\p{Lu}\\p{Ll}\\p{Lt}]`, String.raw`[\\p{M}\\p{Cf}\\p{Lm}\\p{Sk}\'’.:·]*`];
  return `(?<=${letters}${others})Σ(?!${others}${letters})`;
})();
const lower = (text: string): string => `toLower(replace(${text}, 'İ', 'i̇'))`;
/** The expression takes 90 µs. */
const LOWER = choice(
  '_t',
  '_1',
  ["NOT (_t CONTAINS 'Σ')", lower('_t')],
  ["_t CONTAINS 'Σ'", lower(`string.replaceRegEx(_t, '${LAST_SIGMA}', 'ς')`)],
);
const UPPER = "toUpper(replace(_1, 'ß', 'ss'))";

/** Without characters at the ends of a text: white space, or those of a second argument. */
const trimmed =
  (expression: (characters: string) => string): Written =>
  (_, { arguments: [, characters], start }) => {
    if (characters === undefined) return without('_1', expression('\\\\s+'));
    if (characters.kind !== 'literal' || typeof characters.value !== 'string')
      throw new QueryFault('FalkorDB trims characters that are written in the query, as a text.', start);
    const escaped = characters.value.replace(/[\\[\]^&-]/g, '\\$&').replace(/[\\']/g, '\\$&');
    return without('_1', expression(escaped === '' ? '(?!)' : `[${escaped}]+`));
  };

/** How functions of openCypher are written for the engine, by their names in upper case. */
export const FUNCTIONS: ReadonlyMap<string, Written> = new Map<string, Written>([
  ...['', 'OrNull'].flatMap((end): readonly (readonly [string, Written])[] => [
    [`TOSTRING${end.toUpperCase()}`, byType(`toString${end}(_1)`, { float: FLOAT_TEXT })],
    [`TOINTEGER${end.toUpperCase()}`, byType(`toInteger${end}(_1)`, { text: INTEGER_IN_TEXT, float: WHOLE })],
    [`TOFLOAT${end.toUpperCase()}`, byType(`toFloat${end}(_1)`, { text: FLOAT_IN_TEXT })],
    [
      `TOBOOLEAN${end.toUpperCase()}`,
      byType(`toBoolean${end}(_1)`, { text: 'toBoolean(trim(_1))', integer: '_1 <> 0' }),
    ],
  ]),
  ['SUM', sum],
  ['PERCENTILEDISC', percentile('percentileDisc')],
  ['PERCENTILECONT', percentile('percentileCont')],
  ['ROUND', round],
  ['ABS', ([of]) => (of !== undefined && isFloat(of) ? 'abs(_1) + 0.0' : 'abs(_1)')],
  ['CEIL', 'ceil(1.0 * _1)'],
  ['FLOOR', 'floor(1.0 * _1)'],
  ['TRIM', trimmed((space) => `\\\\A${space}|${space}\\\\z`)],
  ['LTRIM', trimmed((space) => `\\\\A${space}`)],
  ['RTRIM', trimmed((space) => `${space}\\\\z`)],
  ['TOLOWER', LOWER],
  ['TOUPPER', UPPER],
  ['REPLACE', replace],
  ['LEFT', ofText(`left(_t, ${START})`, '_2')],
  ['RIGHT', ofText('right(_t, _2)', '_2')],
  [
    'SUBSTRING',
    ({ length }) =>
      length > 2
        ? ofText(`substring(_t, ${START}, ${atMost(REST, '_3')})`, '_2', '_3')
        : ofText(`substring(_t, ${START}, ${REST})`, '_2'),
  ],
  ['RANGE', range],
  ['ELEMENTID', 'toString(id(_1))'],
  ['EXISTS', '_1 IS NOT NULL'],
  ['ISNAN', '[1.0 * _1 <> 1.0 * _1][0]'],
  ['CHAR_LENGTH', 'size(_1)'],
  ['NULLIF', 'CASE WHEN _1 = _2 THEN NULL ELSE _1 END'],
]);

/** The text that `+` appends to a text. */
export const addedText = byType('_1', { float: FLOAT_TEXT });

/** A comparison of two texts; null for all other values. */
export const comparedTexts = (operator: string): string =>
  choice('_v', '[_1, _2]', ["typeOf(_v[0]) = 'String' AND typeOf(_v[1]) = 'String'", `_v[0] ${operator} _v[1]`]);

/** A regular expression of `=~`, which is `_3` in the query, must match the whole text. */
export const MATCHED = "(size(string.matchRegEx(_1, '\\\\A(?:' + _2 + ')\\\\z')) > 0) = (_1 = _1 AND _3 = _3)";

/** The same; null for a value that is not a text. */
export const MATCHED_TEXT = choice('_v', '_1', ["typeOf(_v) = 'String'", MATCHED.replaceAll('_1', '_v')]);

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\')}'`;
/** Parts that cannot be changed in an expression that is known in each row only: an escaped backslash, \\D, \\W and \\S. */
const UNCHANGEABLE = quoted(
  `${AMBIGUOUS.source}|${String.raw`\\\\|\\[DWS]|\A(?=.*\(\?[a-z]*i).*(?:[^ -~]-|-[^ -~]|[${FOLDED_LETTERS}])`}`,
);
/** The first letters of those that the engine takes for one without regard to case, outside of classes. */
const APART = ['s', 'S', 'f', 'F'].map(
  (letter) => `[${quoted(String.raw`${letter}(?=[sStTfFiIlL](?![^\[]*\]))`)}, '${letter}(?:)']`,
);

/** A regular expression that is known in each row only, as `withAsciiClasses` changes others; `(?[` is never one. */
export const EXPRESSION_OF_ROW =
  `reduce(_p = reduce(_r = string.replaceRegEx(_1, ${UNCHANGEABLE}, '(?['), _c IN [` +
  Object.entries(CLASSES)
    .map(([letter, characters]) => `[${quoted(`\\${letter}`)}, ${quoted(`[${characters}]`)}]`)
    .join() +
  `] | replace(_r, _c[0], _c[1])), _a IN [${APART.join()}] | string.replaceRegEx(_p, _a[0], _a[1]))`;
