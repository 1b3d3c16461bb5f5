import { AGGREGATES } from '../../cypher/aggregates';
import { onlyInPod, type QueryVocabulary, words } from '../../cypher/gate';
import { OTHER_FUNCTIONS } from '../../cypher/other-functions';
import { type Call } from '../../cypher/tree';
import { TEMPORAL_FUNCTIONS } from '../../evaluate/temporal/temporal-functions';
import { refuseValues } from './any-value';
import { equality } from './comparison';
import { DURATION_FUNCTIONS } from './duration-functions';
import { type Frame } from './frame';
import { converted } from './json-text';
import { eachUsedOnce, itemType, usedOnce } from './list-map';
import { orError } from './literal';
import { NUMBER_FUNCTIONS } from './number-functions';
import { textValue } from './text-value';
import { TIME_FUNCTIONS } from './time-functions';
import {
  BOOLEAN,
  FINITE,
  FLOAT,
  INTEGER,
  listOf,
  mayBeNaN,
  NULL,
  SMALL_INTEGER,
  TEXT,
  type Type,
  typed,
  unify,
  type Value,
} from './type';
import { firstOf, of, ofRepeated, type Write } from './write-call';

/** White space, as in Unicode. */
const SPACES = `' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288) || chr(65279)`;
const trimmed = (sql: string): string => `trim(${sql}, ${SPACES})`;

const trim = (name: string): Write =>
  firstOf(
    of(['text', 'text'], TEXT, (text, characters) => `${name}(${text}, ${characters})`),
    of(['text'], TEXT, (text) => `${name}(${text}, ${SPACES})`),
  );

/** A function of a text without the white space around it. */
const ofTrimmed =
  (type: Type, write: (text: string) => string, change = trimmed): Write =>
  ([{ sql, type: { kind } } = NULL], frame) =>
    kind === 'text'
      ? typed(
          type,
          usedOnce(typed(TEXT, change(sql)), frame, (text) => write(text.sql)),
        )
      : null;

/** A value that a function does not change. */
const unchanged =
  (kind: Type['kind']): Write =>
  ([value = NULL]) =>
    value.type.kind === kind ? value : null;

const WHOLE = `'[-+]?[0-9]+'`;
const DECIMAL = `'[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?'`;
const truncated = (sql: string): string => `CASE WHEN isfinite(${sql}) THEN CAST(trunc(${sql}) AS BIGINT) END`;

const length = (text: string): string => `CAST(length(${text}) AS BIGINT)`;
const lengthOfList = (list: string): string => `CAST(len(${list}) AS BIGINT)`;
const typeOf = ({ type }: Value): Type => type;

/** A count that must not be negative. */
const count = (value: Value, frame: Frame): string =>
  /^\d+(::BIGINT)?$/.test(value.sql)
    ? value.sql
    : usedOnce(value, frame, ({ sql }) => {
        const least = `CASE WHEN ${sql} IS NOT NULL THEN least(${sql}, 2147483647) END`;
        return orError(`${sql} < 0`, 'A length must be an integer of at least 0.', least);
      });

const cut =
  (write: (text: string, ...counts: readonly (string | undefined)[]) => string): Write =>
  ([text = NULL, ...counts], frame) =>
    text.type.kind === 'text' && counts.every(({ type }) => type.kind === 'integer')
      ? typed(TEXT, write(text.sql, ...counts.map((value) => count(value, frame))))
      : null;

/** DuckDB cannot interrupt the function. */
const MAX_ITEMS = 10_000_000;

const range: Write = ([from = NULL, to = NULL, step = typed(SMALL_INTEGER, '1')], frame) => {
  if (![from, to, step].every(({ type }) => type.kind === 'integer')) return null;
  const bounded = eachUsedOnce([from, to], frame, (start, end) => {
    const isTooLong = `${step.sql} <> 0 AND abs(CAST(${end.sql} AS HUGEINT) - ${start.sql}) > ${MAX_ITEMS} * abs(${step.sql})`;
    return orError(isTooLong, `A range has more than ${MAX_ITEMS} items; return a part of it.`, end.sql);
  });
  const checked = /^-?[1-9]\d*(::BIGINT)?$/.test(step.sql)
    ? step.sql
    : usedOnce(step, frame, ({ sql }) => orError(`${sql} = 0`, 'The step of range must not be 0.', sql));
  return typed(listOf(from.type), `generate_series(${from.sql}, ${bounded}, ${checked})`);
};

const coalesce: Write = (values, frame) => {
  const type = values.map((value) => value.type).reduce(unify, NULL.type);
  const texts = values.filter((value) => value.type.kind !== 'null').map((value) => converted(value, type, frame));
  if (texts.length === 0) return NULL;
  return { type, sql: `coalesce(${texts.join(', ')})`, isSimple: values.every(({ isSimple }) => isSimple === true) };
};

const nullIf: Write = ([value = NULL, other = NULL], frame, call) =>
  typed(
    value.type,
    usedOnce(value, frame, (once) => `CASE WHEN ${equality(once, other, frame, call)} THEN NULL ELSE ${once.sql} END`),
  );

/** A sigma after a letter, and not before another one; marks and some punctuation do not count. */
const LAST_SIGMA = (() => {
  const [letters, others] = [String.raw`\p{Lu}\p{Ll}\p{Lt}`, String.raw`\p{M}\p{Cf}\p{Lm}\p{Sk}''’.:·`];
  return String.raw`'([${letters}][${others}]*)Σ([${others}]*(?:[^${letters}${others}]|\z))'`;
})();

const TEXT_LITERAL = /^'(?!')/;

const split = ofRepeated(['text', 'text'], listOf(TEXT), (text, separator) => {
  const parts = `string_split(${text}, ${separator})`;
  if (TEXT_LITERAL.test(separator)) return parts;
  return `CASE WHEN ${separator} IS NOT NULL THEN ${parts} END`;
});

const replace = ofRepeated(['text', 'text', 'text'], TEXT, (text, part, by) => {
  const plain = `replace(${text}, ${part}, ${by})`;
  if (TEXT_LITERAL.test(part)) return plain;
  const between = `regexp_replace(${text}, '', replace(${by}, '\\', '\\\\'), 'g')`;
  return `CASE WHEN ${part} = '' THEN ${between} ELSE ${plain} END`;
});

/** Functions of openCypher by their names in upper case. */
const FUNCTIONS: Readonly<Record<string, Write | undefined>> = {
  TOSTRING: ([value = NULL], frame, call) => typed(TEXT, textValue(value, frame, call)),
  TOINTEGER: firstOf(
    unchanged('integer'),
    ofRepeated(['float'], INTEGER, truncated),
    of(['boolean'], SMALL_INTEGER, (boolean) => `CAST(${boolean} AS BIGINT)`),
    ofTrimmed(
      INTEGER,
      (text) =>
        `CASE WHEN regexp_full_match(${text}, ${WHOLE}) THEN CAST(${text} AS BIGINT) ` +
        `WHEN regexp_full_match(${text}, ${DECIMAL}) THEN ${truncated(`CAST(${text} AS DOUBLE)`)} END`,
    ),
  ),
  TOFLOAT: firstOf(
    of(
      ['double'],
      ({ type }) => (mayBeNaN(type) ? FLOAT : FINITE),
      (number) => number,
    ),
    ofTrimmed(FINITE, (text) => `CASE WHEN regexp_full_match(${text}, ${DECIMAL}) THEN CAST(${text} AS DOUBLE) END`),
  ),
  TOBOOLEAN: firstOf(
    unchanged('boolean'),
    of(['integer'], BOOLEAN, (number) => `(${number} <> 0)`),
    ofTrimmed(
      BOOLEAN,
      (text) => `CASE ${text} WHEN 'true' THEN true WHEN 'false' THEN false END`,
      (text) => `lower(${trimmed(text)})`,
    ),
  ),
  TOUPPER: of(['text'], TEXT, (text) => `upper(replace(${text}, 'ß', 'ss'))`),
  TOLOWER: ofRepeated(
    ['text'],
    TEXT,
    (text) =>
      `CASE WHEN contains(${text}, 'Σ') THEN lower(replace(regexp_replace(${text}, ${LAST_SIGMA}, '\\1ς\\2', 'g'), 'İ', 'i̇')) ELSE lower(replace(${text}, 'İ', 'i̇')) END`,
  ),
  TRIM: trim('trim'),
  LTRIM: trim('ltrim'),
  RTRIM: trim('rtrim'),
  LEFT: cut((text, length = '0') => `left(${text}, ${length})`),
  RIGHT: cut((text, length = '0') => `right(${text}, ${length})`),
  SUBSTRING: cut(
    (text, from = '0', length) => `substring(${text}, ${from} + 1${length === undefined ? '' : `, ${length}`})`,
  ),
  REPLACE: replace,
  SPLIT: split,
  CHAR_LENGTH: of(['text'], SMALL_INTEGER, length),
  SIZE: firstOf(of(['text'], SMALL_INTEGER, length), of(['list'], SMALL_INTEGER, lengthOfList)),
  ISEMPTY: firstOf(
    of(['text'], BOOLEAN, (text) => `(${length(text)} = 0)`),
    of(['list'], BOOLEAN, (list) => `(${lengthOfList(list)} = 0)`),
  ),
  HEAD: of(['list'], itemType, (list) => `${list}[1]`),
  LAST: of(['list'], itemType, (list) => `${list}[-1]`),
  TAIL: of(['list'], typeOf, (list) => `${list}[2:]`),
  REVERSE: firstOf(
    of(['list'], typeOf, (list) => `list_reverse(${list})`),
    ofRepeated(
      ['text'],
      TEXT,
      (text) => `CASE WHEN ${text} = '' THEN '' ELSE array_to_string(list_reverse(string_split(${text}, '')), '') END`,
    ),
  ),
  RANGE: range,
  COALESCE: coalesce,
  NULLIF: nullIf,
  ...NUMBER_FUNCTIONS,
  RAND: of([], FINITE, () => 'random()'),
  RANDOMUUID: of([], TEXT, () => 'CAST(gen_random_uuid() AS VARCHAR)'),
  ...TIME_FUNCTIONS,
  ...DURATION_FUNCTIONS,
  TIMESTAMP: (values) => (values.length === 0 ? typed(INTEGER, 'epoch_ms(CAST(now() AS TIMESTAMP))') : null),
};

/** Other names of functions. */
const ALIASES: Readonly<Record<string, string | undefined>> = {
  TOSTRINGORNULL: 'TOSTRING',
  TOINTEGERORNULL: 'TOINTEGER',
  TOFLOATORNULL: 'TOFLOAT',
  TOBOOLEANORNULL: 'TOBOOLEAN',
};

/** Functions that the compiler writes itself, because they depend on the graph or on the names of a query. */
export const GRAPH_FUNCTIONS = words(
  'EXISTS KEYS PROPERTIES LABELS TYPE ID ELEMENTID STARTNODE ENDNODE NODES RELATIONSHIPS LENGTH',
);

export const VOCABULARY: QueryVocabulary = {
  functions: new Set([
    ...Object.keys(FUNCTIONS),
    ...Object.keys(ALIASES),
    ...OTHER_FUNCTIONS,
    ...GRAPH_FUNCTIONS,
    ...AGGREGATES,
  ]),
  computed: TEMPORAL_FUNCTIONS,
  procedures: words('DB.LABELS DB.RELATIONSHIPTYPES DB.PROPERTYKEYS'),
  elsewhere: new Map(),
};

/** The types of values that have no text, number or boolean. */
const NO_SCALAR = /^(list|map|stored_map|node|relationship|path|blob)$/;

const TAKES_NULL = new Set(['COALESCE', 'NULLIF']);

/** The value of a call. */
export const called = (call: Call, values: readonly Value[], frame: Frame): Value => {
  const name = call.name.toUpperCase();
  const write = FUNCTIONS[ALIASES[name] ?? name];
  const refuse = (): never =>
    TEMPORAL_FUNCTIONS.has(name) ? frame.context.refuse(onlyInPod(call.name), call) : refuseValues(call, values, frame);
  if (write === undefined) return refuse();
  if (!TAKES_NULL.has(name) && values.some(({ type }) => type.kind === 'null')) return NULL;
  const isOrNull = name.endsWith('ORNULL') && values.some(({ type }) => NO_SCALAR.test(type.kind));
  return (isOrNull ? NULL : write(values, frame, call)) ?? refuse();
};
