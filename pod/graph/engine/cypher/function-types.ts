import { common, UNKNOWN, type ValueType } from './value-type';

type Simple = 'text' | 'integer' | 'float' | 'boolean' | 'map';

const names = (kind: Simple, list: string): readonly (readonly [string, Simple])[] =>
  list.split(' ').map((name) => [name, kind]);

/** Functions of openCypher and of the engines whose results have one type. */
const RESULTS: ReadonlyMap<string, Simple> = new Map([
  ...names('text', 'TOSTRING TOLOWER TOUPPER LOWER UPPER LEFT RIGHT TRIM LTRIM RTRIM REPLACE SUBSTRING TYPE ELEMENTID'),
  ...names('text', 'LABEL CONCAT LPAD RPAD REPEAT INITCAP STRING REGEXP_REPLACE SPLIT_PART'),
  ...names('integer', 'COUNT SIZE LENGTH TOINTEGER TIMESTAMP SIGN INDEGREE OUTDEGREE'),
  ...names(
    'float',
    'AVG STDEV STDEVP PERCENTILECONT TOFLOAT RAND SQRT LOG LOG10 LN EXP E PI SIN COS TAN COT ASIN ACOS',
  ),
  ...names('float', 'ATAN ATAN2 DEGREES RADIANS CEIL FLOOR ROUND POW'),
  ...names('boolean', 'EXISTS TOBOOLEAN ISEMPTY HASLABELS STARTS_WITH ENDS_WITH CONTAINS LIST_CONTAINS'),
]);

const LISTS: ReadonlyMap<string, Simple> = new Map([
  ...names('text', 'LABELS KEYS SPLIT STRING_SPLIT'),
  ...names('integer', 'RANGE'),
]);

const OF_ARGUMENT = new Set(
  'MIN MAX SUM ABS PERCENTILEDISC REVERSE TAIL LIST_SORT LIST_REVERSE LIST_FILTER LIST_PREPEND LIST_SLICE'.split(' '),
);

/** The type of the result of a function; `unknown` for most functions that only one engine has. */
export const returnType = (name: string, values: readonly ValueType[]): ValueType => {
  const upper = name.toUpperCase();
  const [first = UNKNOWN] = values;
  const result = RESULTS.get(upper);
  if (result !== undefined) return { kind: result };
  const item = LISTS.get(upper);
  if (item !== undefined) return { kind: 'list', item: { kind: item } };
  if (OF_ARGUMENT.has(upper)) return first;
  switch (upper) {
    case 'PROPERTIES':
      // Kuzu: with a name, that property of each node or relationship in a list.
      return values.length > 1 ? { kind: 'list', item: UNKNOWN } : { kind: 'map' };
    case 'COALESCE':
      return values.reduce(common, { kind: 'null' });
    case 'COLLECT':
      return { kind: 'list', item: first };
    case 'LIST_TRANSFORM':
      return { kind: 'list', item: values[1] ?? UNKNOWN };
    case 'LIST_EXTRACT':
    case 'LIST_REDUCE':
    case 'HEAD':
    case 'LAST':
      return first.kind === 'list' ? first.item : UNKNOWN;
    default:
      return TEMPORAL.get(upper) ?? UNKNOWN;
  }
};

const TEMPORAL: ReadonlyMap<string, ValueType> = new Map(
  [
    ['DATE', 'DATE'],
    ['LOCALDATETIME', 'TIMESTAMP'],
    ['LOCALTIME', 'TIME'],
    ['DURATION', 'INTERVAL'],
    ['INTERVAL', 'INTERVAL'],
  ].map(([called = '', type = '']) => [called, { kind: 'other', name: type }]),
);
