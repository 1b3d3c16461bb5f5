import { type FunctionTable, type Written } from '../cypher/written-call';
import { QueryFault } from '../cypher/query-fault';
import { type Expression } from '../cypher/tree';
import { quoted } from '../literal';
import { type ValueType } from '../cypher/value-type';
import { noTimes, truncated, writtenDate, writtenDuration, writtenMoment } from './times';

const textOf = (value: Expression | undefined): string | null =>
  value?.kind === 'literal' && typeof value.value === 'string' ? value.value : null;

const SPECIAL = /[\\^$.|?*+()[\]{}]/g;

/** A text as a regular expression that matches it literally. */
const pattern = (value: Expression | undefined, operand: string): string => {
  const text = textOf(value);
  if (text !== null) return quoted(text.replace(SPECIAL, '\\$&'));
  return `regexp_replace(${operand}, ${quoted(`(${SPECIAL.source})`)}, ${quoted('\\\\\\1')}, 'g')`;
};

/** A text as a literal replacement of a regular expression's matches. */
const replacement = (value: Expression | undefined, operand: string): string => {
  const text = textOf(value);
  if (text !== null) return quoted(text.replaceAll('\\', '\\\\'));
  return `regexp_replace(${operand}, ${quoted('\\\\')}, ${quoted('\\\\\\\\')}, 'g')`;
};

/**
 * The engine drops empty parts, so each part begins with a mark while the text is split. Null stays null. In a list
 * function, `substring` and `regexp_replace` write outside of their memory after 2,048 elements.
 */
const MARK = quoted('\u0001');
const splitAt = (separator: Expression | undefined): string => {
  const after = `regexp_replace(_1, ${pattern(separator, '_2')}, ${replacement(separator, '_2')} + ${MARK}, 'g')`;
  const marked = `regexp_replace(${after}, '^', ${MARK})`;
  const parts = `list_transform(string_split(${marked}, _2), _part -> right(_part, size(_part) - 1))`;
  if (textOf(separator) === '') return 'string_split(_1, _2)';
  return textOf(separator) === null ? `CASE WHEN _2 = '' THEN string_split(_1, _2) ELSE ${parts} END` : parts;
};

const ALL = '2147483647';
const DIGITS = '([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?';
/** `nullif` may keep the value of another row, so a text without a number becomes 0 before CASE replaces it by null. */
const castOf = (text: string, digits: string, type: string): string => {
  const number = `'^ *[+]?(-?${digits}) *$'`;
  const isNumber = `regexp_matches(${text}, ${number})`;
  const always = `CASE WHEN ${isNumber} THEN regexp_extract(${text}, ${number}, 1) ELSE '0' END`;
  return `CASE WHEN ${isNumber} THEN CAST(${always} AS ${type}) END`;
};
const integerIn = (text: string): string => castOf(text, '[0-9]{1,19}', 'INT64');
const floatIn = (text: string): string => castOf(text, DIGITS, 'DOUBLE');
const whole = (float: string): string => `CAST(sign(${float}) * floor(abs(${float})) AS INT64)`;
/** The text from which a value is parsed. */
const read = ([of]: readonly ValueType[]): string => (of?.kind === 'text' ? '_1' : 'CAST(_1 AS STRING)');

const BOOLEAN_TEXT = 'lower(CAST(_1 AS STRING))';
/** JSON has no NaN. */
const FLOAT_TEXT =
  "CASE WHEN CAST(to_json(_1) AS STRING) <> '' THEN CAST(to_json(_1) AS STRING) ELSE CAST(_1 AS STRING) END";

/** Converts a value of a type to text. */
export const textOfType = (of: ValueType | undefined): string => {
  if (of?.kind === 'text') return '_1';
  if (of?.kind === 'boolean') return BOOLEAN_TEXT;
  if (of?.kind === 'float') return FLOAT_TEXT;
  if (of?.kind === 'integer') return 'CAST(_1 AS STRING)';
  if (of?.kind === 'other' && of.name === 'TIMESTAMP') return "regexp_replace(CAST(_1 AS STRING), ' ', 'T')";
  return `CASE typeof(_1) WHEN 'BOOL' THEN ${BOOLEAN_TEXT} WHEN 'DOUBLE' THEN ${FLOAT_TEXT} ELSE CAST(_1 AS STRING) END`;
};

const toInteger: Written = (types) => {
  if (types[0]?.kind === 'integer') return '_1';
  if (types[0]?.kind === 'float') return whole('_1');
  return `coalesce(${integerIn(read(types))}, ${whole(floatIn(read(types)))})`;
};

const toFloat: Written = (types) =>
  types[0]?.kind === 'integer' || types[0]?.kind === 'float' ? 'CAST(_1 AS DOUBLE)' : floatIn(read(types));

const toBoolean: Written = (types) => {
  const is = (word: string): string => `WHEN regexp_matches(lower(${read(types)}), '^ *${word} *$') THEN ${word}`;
  return types[0]?.kind === 'boolean' ? '_1' : `CASE ${is('true')} ${is('false')} END`;
};

const noDeviation: Written = (_, { start, name }) => {
  const advice = 'sqrt((sum(x * x) - sum(x) * avg(x)) / count(x)), over count(x) - 1 for a sample';
  throw new QueryFault(`${name} is not possible on this kind of instance: write ${advice}.`, start);
};

const ranked = (place: string): string =>
  `list_extract(list_sort(collect(_1)), CASE WHEN count(_1) > 0 THEN CAST(${place} AS INT64) END)`;
const SHARE = '(CAST(_2 AS DOUBLE) * (count(_1) - 1))';
const [LOW, HIGH] = [ranked(`floor(${SHARE}) + 1`), ranked(`ceil(${SHARE}) + 1`)];
const RANK = 'ceil(CAST(_2 AS DOUBLE) * count(_1))';

const element = (place: string): string => `list_extract(_1, CASE WHEN size(_1) > 0 THEN ${place} END)`;

/** How functions of openCypher are written for the engine, by their names in upper case. */
export const FUNCTIONS: FunctionTable = new Map<string, Written>([
  ['TOSTRING', ([of]) => textOfType(of)],
  ['TOSTRINGORNULL', ([of]) => textOfType(of)],
  ['TOINTEGER', toInteger],
  ['TOINTEGERORNULL', toInteger],
  ['TOFLOAT', toFloat],
  ['TOFLOATORNULL', toFloat],
  ['TOBOOLEAN', toBoolean],
  ['TOBOOLEANORNULL', toBoolean],
  ['HEAD', element('1')],
  ['LAST', element('-1')],
  ['TAIL', 'list_slice(_1, 2, -1)'],
  [
    'REVERSE',
    ([of], { start }) => {
      if (of?.kind === 'list') return 'list_reverse(_1)';
      if (of?.kind === 'text' || of?.kind === 'null') return 'reverse(_1)';
      throw new QueryFault('Is this a list or a text? Write list_reverse(…), or reverse(toString(…)).', start);
    },
  ],
  // Beyond the end of a text with non-ASCII characters, the engine starts again at the beginning.
  [
    'SUBSTRING',
    (types) => `CASE WHEN _2 >= size(_1) THEN '' ELSE substring(_1, _2 + 1, ${types.length > 2 ? '_3' : ALL}) END`,
  ],
  ['SPLIT', (_, { arguments: [, separator] }) => splitAt(separator)],
  [
    'REPLACE',
    (_, { arguments: [, from, to] }) => `regexp_replace(_1, ${pattern(from, '_2')}, ${replacement(to, '_3')}, 'g')`,
  ],
  ['ISEMPTY', 'size(_1) = 0'],
  ['NULLIF', 'CASE WHEN _1 = _2 THEN NULL ELSE _1 END'],
  ['CHAR_LENGTH', 'size(_1)'],
  ['CHARACTER_LENGTH', 'size(_1)'],
  ['E', '2.718281828459045'],
  ['EXP', 'pow(2.718281828459045, _1)'],
  ['LOG', 'ln(_1)'],
  ['ROUND', ({ length }) => (length === 1 ? 'floor(_1 + 0.5)' : 'round(_1, _2)')],
  ['RAND', 'CAST(hash(gen_random_uuid()) % 9007199254740992 AS DOUBLE) / 9007199254740992'],
  ['RANDOMUUID', 'CAST(gen_random_uuid() AS STRING)'],
  ['TIMESTAMP', ({ length }) => (length === 0 ? 'to_epoch_ms(current_timestamp())' : 'timestamp(_1)')],
  ['ELEMENTID', 'CAST(id(_1) AS STRING)'],
  ['STARTNODE', 'start_node(_1)'],
  ['ENDNODE', 'end_node(_1)'],
  ['EXISTS', (_, { arguments: [value] }) => (value?.kind === 'pattern' ? '_1' : '_1 IS NOT NULL')],
  ['STDEV', noDeviation],
  ['STDEVP', noDeviation],
  ['PERCENTILEDISC', ranked(`CASE WHEN ${RANK} > 1 THEN ${RANK} ELSE 1 END`)],
  ['PERCENTILECONT', `${LOW} + (${HIGH} - ${LOW}) * (${SHARE} - floor(${SHARE}))`],
  ['DATE', writtenDate],
  ['LOCALDATETIME', writtenMoment],
  ['DATETIME', writtenMoment],
  ['DURATION', writtenDuration],
  ['DURATION.INDAYS', 'to_days(CAST(_2 AS DATE) - CAST(_1 AS DATE))'],
  ['DURATION.BETWEEN', noTimes('duration.inDays(from, to), or to - from')],
  ['DURATION.INMONTHS', noTimes('duration.inDays(from, to)')],
  ['DURATION.INSECONDS', noTimes('to - from')],
  ['DATE.TRUNCATE', truncated('DATE')],
  ['LOCALDATETIME.TRUNCATE', truncated('TIMESTAMP')],
  ['DATETIME.TRUNCATE', truncated('TIMESTAMP')],
  ...['TIME', 'LOCALTIME', 'TIME.TRUNCATE', 'LOCALTIME.TRUNCATE'].map(
    (name) => [name, noTimes("localdatetime('2024-05-01T10:30:00'), times have a date")] as const,
  ),
]);
