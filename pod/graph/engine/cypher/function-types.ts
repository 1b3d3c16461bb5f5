import { common, UNKNOWN, type ValueType } from './value-type';

type Simple = 'text' | 'integer' | 'float' | 'boolean' | 'map';

const names = (kind: Simple, list: string): readonly (readonly [string, Simple])[] =>
  list.split(' ').map((name) => [name, kind]);

/** Functions of openCypher and of the engines whose results have one type. */
const RESULTS: ReadonlyMap<string, Simple> = new Map([
  ...names('text', 'TOSTRING TOLOWER TOUPPER LOWER UPPER LEFT RIGHT TRIM LTRIM RTRIM REPLACE SUBSTRING TYPE ELEMENTID'),
  ...names('integer', 'COUNT SIZE LENGTH TOINTEGER TIMESTAMP SIGN INDEGREE OUTDEGREE'),
  ...names('float', 'AVG STDEV STDEVP PERCENTILECONT TOFLOAT RAND SQRT LOG LOG10 EXP E PI SIN COS TAN COT ASIN ACOS'),
  ...names('float', 'ATAN ATAN2 DEGREES RADIANS CEIL FLOOR ROUND POW'),
  ...names('boolean', 'EXISTS TOBOOLEAN ISEMPTY HASLABELS'),
]);

const LISTS: ReadonlyMap<string, Simple> = new Map([
  ...names('text', 'LABELS KEYS SPLIT'),
  ...names('integer', 'RANGE'),
]);

const OF_ARGUMENT = new Set(['MIN', 'MAX', 'SUM', 'ABS', 'PERCENTILEDISC', 'REVERSE', 'TAIL']);

/** The type of the result of a function; `unknown` for most functions that only one kind has. */
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
      return { kind: 'map' };
    case 'COALESCE':
      return values.reduce(common, { kind: 'null' });
    case 'COLLECT':
      return { kind: 'list', item: first };
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
  ].map(([called = '', type = '']) => [called, { kind: 'other', name: type }]),
);
