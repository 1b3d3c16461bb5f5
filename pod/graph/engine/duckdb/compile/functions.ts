import { AGGREGATES } from '../../cypher/aggregates';
import { type QueryVocabulary, words } from '../../cypher/gate';
import { type Call } from '../../cypher/tree';
import { TEMPORAL_FUNCTIONS } from '../../evaluate/temporal/temporal-functions';
import { type Frame } from './frame';
import { converted } from './json-text';
import { usedOnce } from './list-map';
import { NUMBER_FUNCTIONS } from './number-functions';
import { isNumeric } from './operators';
import { textValue } from './text-value';
import { BOOLEAN, INTEGER, listOf, NULL, SMALL_INTEGER, TEXT, type Type, typed, unify, type Value } from './type';
import { ofText, type Write } from './write-call';

/** White space, as in Unicode. */
const SPACES = `' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288) || chr(65279)`;
const trimmed = (sql: string): string => `trim(${sql}, ${SPACES})`;

/** A count that must not be negative. */
const count = (value: Value, frame: Frame): string =>
  /^\d+(::BIGINT)?$/.test(value.sql)
    ? value.sql
    : usedOnce(
        value,
        frame,
        ({ sql }) =>
          `CASE WHEN ${sql} < 0 THEN error('rowgraph: a length or position is negative') ELSE least(${sql}, 2147483647) END`,
      );

const cut =
  (write: (text: string, ...counts: readonly (string | undefined)[]) => string): Write =>
  ([text = NULL, ...counts], frame) =>
    text.type.kind === 'text' && counts.every(({ type }) => type.kind === 'integer')
      ? typed(TEXT, write(text.sql, ...counts.map((value) => count(value, frame))))
      : null;

const WHOLE = `'[-+]?[0-9]+'`;
const DECIMAL = `'[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?'`;
const truncated = (sql: string): string => `CASE WHEN isfinite(${sql}) THEN CAST(trunc(${sql}) AS BIGINT) END`;

const toInteger: Write = ([value = NULL], frame) => {
  const { kind } = value.type;
  if (kind === 'integer') return value;
  if (kind === 'float')
    return typed(
      INTEGER,
      usedOnce(value, frame, ({ sql }) => truncated(sql)),
    );
  if (kind === 'boolean') return typed(SMALL_INTEGER, `CAST(${value.sql} AS BIGINT)`);
  if (kind !== 'text') return null;
  const text = { sql: trimmed(value.sql), type: TEXT };
  return typed(
    INTEGER,
    usedOnce(
      text,
      frame,
      ({ sql }) =>
        `CASE WHEN regexp_full_match(${sql}, ${WHOLE}) THEN CAST(${sql} AS BIGINT) ` +
        `WHEN regexp_full_match(${sql}, ${DECIMAL}) THEN ${truncated(`CAST(${sql} AS DOUBLE)`)} END`,
    ),
  );
};

const toFloat: Write = ([value = NULL], frame) => {
  if (isNumeric(value.type))
    return typed(
      { kind: 'float', ...(value.type.isFinite === true || value.type.kind === 'integer' ? { isFinite: true } : {}) },
      `CAST(${value.sql} AS DOUBLE)`,
    );
  if (value.type.kind !== 'text') return null;
  const text = { sql: trimmed(value.sql), type: TEXT };
  return typed(
    { kind: 'float', isFinite: true },
    usedOnce(
      text,
      frame,
      ({ sql }) => `CASE WHEN regexp_full_match(${sql}, ${DECIMAL}) THEN CAST(${sql} AS DOUBLE) END`,
    ),
  );
};

const toBoolean: Write = ([value = NULL], frame) => {
  if (value.type.kind === 'boolean') return value;
  if (value.type.kind !== 'text') return null;
  const text = { sql: `lower(${trimmed(value.sql)})`, type: TEXT };
  return typed(
    BOOLEAN,
    usedOnce(text, frame, ({ sql }) => `CASE ${sql} WHEN 'true' THEN true WHEN 'false' THEN false END`),
  );
};

const toText: Write = ([value = NULL], frame, call) => typed(TEXT, textValue(value, frame, call));

/** A function of lists. */
const ofList =
  (write: (list: string, item: Type, frame: Frame) => Value | string, type?: Type): Write =>
  ([list = NULL], frame) => {
    if (list.type.kind !== 'list') return null;
    const value = write(list.sql, list.type.item, frame);
    return typeof value === 'string' ? typed(type ?? list.type, value) : value;
  };

const size: Write = ([value = NULL]) => {
  if (value.type.kind === 'text') return typed(SMALL_INTEGER, `CAST(length(${value.sql}) AS BIGINT)`);
  return value.type.kind === 'list' ? typed(SMALL_INTEGER, `CAST(len(${value.sql}) AS BIGINT)`) : null;
};

/** DuckDB cannot interrupt the function. */
const MAX_ITEMS = 10_000_000;

const range: Write = ([from = NULL, to = NULL, step = typed(SMALL_INTEGER, '1')], frame) => {
  if (![from, to, step].every(({ type }) => type.kind === 'integer')) return null;
  const items = (start: string, end: string): string =>
    `abs(CAST(${end} AS HUGEINT) - ${start}) > ${MAX_ITEMS} * abs(${step.sql})`;
  const bounded = usedOnce(from, frame, (start) =>
    usedOnce(
      to,
      frame,
      (end) =>
        `CASE WHEN ${items(start.sql, end.sql)} THEN error('rowgraph: a range has more than ${MAX_ITEMS} items') ELSE ${end.sql} END`,
    ),
  );
  if (/^-?[1-9]\d*(::BIGINT)?$/.test(step.sql))
    return typed(listOf(from.type), `generate_series(${from.sql}, ${bounded}, ${step.sql})`);
  const checked = usedOnce(
    step,
    frame,
    ({ sql }) => `CASE WHEN ${sql} = 0 THEN error('rowgraph: the step of range is 0') ELSE ${sql} END`,
  );
  return typed(listOf(from.type), `generate_series(${from.sql}, ${bounded}, ${checked})`);
};

const coalesce: Write = (values, frame) => {
  const type = values.map((value) => value.type).reduce(unify, NULL.type);
  const texts = values.filter((value) => value.type.kind !== 'null').map((value) => converted(value, type, frame));
  if (texts.length === 0) return NULL;
  return { type, sql: `coalesce(${texts.join(', ')})`, isSimple: values.every(({ isSimple }) => isSimple === true) };
};

const split: Write = ([text = NULL, separator = NULL], frame) => {
  if (text.type.kind !== 'text' || separator.type.kind !== 'text') return null;
  return typed(
    listOf(TEXT),
    usedOnce(text, frame, (whole) =>
      usedOnce(separator, frame, ({ sql }) => {
        const characters = `CASE WHEN ${whole.sql} = '' THEN [] ELSE string_split(${whole.sql}, ${sql}) END`;
        return separator.isSimple === true && /^'(?!')/.test(sql)
          ? `string_split(${whole.sql}, ${sql})`
          : `CASE WHEN ${sql} = '' THEN ${characters} ELSE string_split(${whole.sql}, ${sql}) END`;
      }),
    ),
  );
};

const replace: Write = ([text = NULL, from = NULL, to = NULL], frame) => {
  if (![text, from, to].every(({ type }) => type.kind === 'text')) return null;
  return typed(
    TEXT,
    usedOnce(text, frame, (whole) =>
      usedOnce(from, frame, (part) =>
        usedOnce(to, frame, ({ sql }) => {
          const between = `${sql} || CASE WHEN ${whole.sql} = '' THEN '' ELSE array_to_string(string_split(${whole.sql}, ''), ${sql}) || ${sql} END`;
          const plain = `replace(${whole.sql}, ${part.sql}, ${sql})`;
          return /^'(?!')/.test(part.sql) ? plain : `CASE WHEN ${part.sql} = '' THEN ${between} ELSE ${plain} END`;
        }),
      ),
    ),
  );
};

const sameFunctions = (names: readonly string[], write: Write) =>
  Object.fromEntries(names.map((name) => [name, write] as const));

/** Functions of openCypher by their names in upper case. */
const FUNCTIONS: Readonly<Record<string, Write | undefined>> = {
  ...sameFunctions(['TOSTRING', 'TOSTRINGORNULL'], toText),
  ...sameFunctions(['TOINTEGER', 'TOINTEGERORNULL'], toInteger),
  ...sameFunctions(['TOFLOAT', 'TOFLOATORNULL'], toFloat),
  ...sameFunctions(['TOBOOLEAN', 'TOBOOLEANORNULL'], toBoolean),
  ...sameFunctions(
    ['TOUPPER', 'UPPER'],
    ofText(TEXT, (text) => `upper(replace(${text}, 'ß', 'ss'))`),
  ),
  ...sameFunctions(
    ['TOLOWER', 'LOWER'],
    ofText(TEXT, (text) => `lower(${text})`),
  ),
  TRIM: ofText(TEXT, trimmed),
  LTRIM: ofText(TEXT, (text) => `ltrim(${text}, ${SPACES})`),
  RTRIM: ofText(TEXT, (text) => `rtrim(${text}, ${SPACES})`),
  LEFT: cut((text, length = '0') => `left(${text}, ${length})`),
  RIGHT: cut((text, length = '0') => `right(${text}, ${length})`),
  SUBSTRING: cut(
    (text, from = '0', length) => `substring(${text}, ${from} + 1${length === undefined ? '' : `, ${length}`})`,
  ),
  REPLACE: replace,
  SPLIT: split,
  SIZE: size,
  ...sameFunctions(
    ['CHAR_LENGTH', 'CHARACTER_LENGTH'],
    ofText(SMALL_INTEGER, (text) => `CAST(length(${text}) AS BIGINT)`),
  ),
  ISEMPTY: (values, frame, call) => {
    const length = size(values, frame, call);
    return length === null ? null : typed(BOOLEAN, `(${length.sql} = 0)`);
  },
  HEAD: ofList((list, item) => typed(item, `${list}[1]`)),
  LAST: ofList((list, item) => typed(item, `${list}[-1]`)),
  TAIL: ofList((list) => `${list}[2:]`),
  REVERSE: ([value = NULL], frame) => {
    if (value.type.kind === 'list') return typed(value.type, `list_reverse(${value.sql})`);
    const characters = (text: Value): string =>
      usedOnce(
        text,
        frame,
        ({ sql }) =>
          `CASE WHEN ${sql} = '' THEN '' ELSE array_to_string(list_reverse(string_split(${sql}, '')), '') END`,
      );
    return value.type.kind === 'text' ? typed(TEXT, characters(value)) : null;
  },
  RANGE: range,
  COALESCE: coalesce,
  ...NUMBER_FUNCTIONS,
  RAND: () => typed({ kind: 'float', isFinite: true }, 'random()'),
  RANDOMUUID: () => typed(TEXT, 'CAST(gen_random_uuid() AS VARCHAR)'),
  DATE: ([value = NULL]) =>
    value.type.kind === 'date' || (value.type.kind === 'timestamp' && value.type.isConstant !== true)
      ? typed({ kind: 'date' }, `CAST(${value.sql} AS DATE)`)
      : null,
  TIMESTAMP: (values) => (values.length === 0 ? typed(INTEGER, 'epoch_ms(CAST(now() AS TIMESTAMP))') : null),
};

/** Functions that the compiler writes itself, because they depend on the graph or on the names of a query. */
export const GRAPH_FUNCTIONS = words(
  'EXISTS KEYS PROPERTIES LABELS TYPE ID ELEMENTID STARTNODE ENDNODE NODES RELATIONSHIPS RELS LENGTH',
);

export const VOCABULARY: QueryVocabulary = {
  functions: new Set([...Object.keys(FUNCTIONS), ...GRAPH_FUNCTIONS, ...AGGREGATES]),
  computed: TEMPORAL_FUNCTIONS,
  procedures: words('DB.LABELS DB.RELATIONSHIPTYPES DB.PROPERTYKEYS'),
  elsewhere: new Map(),
};

/** The value of a call. */
export const called = (call: Call, values: readonly Value[], frame: Frame): Value => {
  const write = FUNCTIONS[call.name.toUpperCase()];
  if (write === undefined) return frame.context.refuse(`${call.name} is not possible here.`, call);
  const name = call.name.toUpperCase();
  if (name !== 'COALESCE' && values.some(({ type }) => type.kind === 'null')) return NULL;
  const value = write(values, frame, call);
  if (value !== null) return value;
  return frame.context.refuse(`${call.name} is not possible here for values of these types.`, call);
};
