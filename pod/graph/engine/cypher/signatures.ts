import { asciiUpper } from './cypher-tokens';
import { QueryFault } from './query-fault';
import { type Call } from './tree';
import { common, integerUpTo, MOST_ROWS, mostOf, UNKNOWN, type ValueType } from './value-type';

interface Signature {
  /** The least and the greatest number of arguments. */
  readonly counts: readonly [least: number, most: number];
  /** The type of the result, from those of the arguments. */
  readonly resultOf: (values: readonly ValueType[]) => ValueType;
}

const named = (counts: Signature['counts'], resultOf: Signature['resultOf'], list: string) =>
  list.split(' ').map((name): readonly [string, Signature] => [name, { counts, resultOf }]);

const always = (type: ValueType) => (): ValueType => type;
const text = always({ kind: 'text' });
const integer = always({ kind: 'integer' });
const count = always(integerUpTo(MOST_ROWS));
const float = always({ kind: 'float' });
const boolean = always({ kind: 'boolean' });
const texts = always({ kind: 'list', item: { kind: 'text' } });
const unknown = always(UNKNOWN);
const time = (name: string) => always({ kind: 'other', name });
const first = ([value = UNKNOWN]: readonly ValueType[]): ValueType => value;
const sum = ([value = UNKNOWN]: readonly ValueType[]): ValueType =>
  value.kind === 'integer' ? integerUpTo(mostOf(value) * MOST_ROWS) : value;
const range = (ends: readonly ValueType[]): ValueType => ({
  kind: 'list',
  item: integerUpTo(Math.max(...ends.slice(0, 2).map(mostOf))),
});
const itemOfFirst = ([value]: readonly ValueType[]): ValueType => (value?.kind === 'list' ? value.item : UNKNOWN);

const TIMES = ['DATE', 'TIME', 'LOCALTIME', 'DATETIME', 'LOCALDATETIME'];

/** The functions of each type of time whose names end like this. */
const ofTimes = (counts: Signature['counts'], ...ends: readonly string[]) =>
  TIMES.flatMap((type) => ends.flatMap((end) => named(counts, unknown, type + end)));

/** Functions of one engine alone are checked by it. */
const UNCHECKED = [0, Infinity] as const;

/** The functions of openCypher, and those of one engine alone whose results have one type; the last line of a name counts. */
const SIGNATURES: ReadonlyMap<string, Signature> = new Map([
  ...named([0, 0], float, 'E PI RAND'),
  ...named([0, 0], integer, 'TIMESTAMP'),
  ...named([0, 0], unknown, 'RANDOMUUID'),
  ...named([1, 1], text, 'TOSTRING TOSTRINGORNULL TOUPPER UPPER TOLOWER LOWER TRIM TYPE ELEMENTID'),
  ...named([1, 1], integer, 'TOINTEGER TOINTEGERORNULL'),
  ...named([1, 1], count, 'SIZE LENGTH SIGN COUNT ID CHAR_LENGTH CHARACTER_LENGTH'),
  ...named([1, 1], float, 'TOFLOAT CEIL FLOOR SQRT EXP LOG LOG10 SIN COS TAN COT ASIN ACOS ATAN DEGREES RADIANS'),
  ...named([1, 1], float, 'AVG STDEV STDEVP TOFLOATORNULL'),
  ...named([1, 1], boolean, 'TOBOOLEAN TOBOOLEANORNULL ISEMPTY EXISTS'),
  ...named([1, 1], always({ kind: 'map' }), 'PROPERTIES'),
  ...named([1, 1], texts, 'LABELS KEYS'),
  ...named([1, 1], first, 'REVERSE TAIL ABS MIN MAX'),
  ...named([1, 1], sum, 'SUM'),
  ...named([1, 1], itemOfFirst, 'HEAD LAST'),
  ...named([1, 1], ([item = UNKNOWN]) => ({ kind: 'list', item }), 'COLLECT'),
  ...named([1, 1], unknown, 'STARTNODE ENDNODE NODES RELATIONSHIPS RELS HAVERSIN ISNAN DATETIME.FROMEPOCHMILLIS'),
  ...named([1, 2], unknown, 'DATETIME.FROMEPOCH'),
  ...named([1, 3], float, 'ROUND'),
  ...named([1, Infinity], (values) => values.reduce(common, { kind: 'null' }), 'COALESCE'),
  ...named([1, 1], texts, 'TOSTRINGLIST TOINTEGERLIST TOFLOATLIST TOBOOLEANLIST'),
  ...named([1, 2], text, 'BTRIM LTRIM RTRIM'),
  ...named([2, 2], text, 'LEFT RIGHT'),
  ...named([2, 2], texts, 'SPLIT'),
  ...named([2, 2], float, 'ATAN2 PERCENTILECONT'),
  ...named([2, 2], first, 'PERCENTILEDISC NULLIF'),
  ...named([2, 2], unknown, 'DURATION.BETWEEN DURATION.INMONTHS DURATION.INDAYS DURATION.INSECONDS'),
  ...named([2, 3], text, 'SUBSTRING'),
  ...named([2, 3], range, 'RANGE'),
  ...named([3, 3], text, 'REPLACE'),
  ...ofTimes([0, 1], '', '.TRANSACTION', '.STATEMENT', '.REALTIME'),
  ...ofTimes([1, 3], '.TRUNCATE'),
  ...named([0, 1], time('DATE'), 'DATE'),
  ...named([0, 1], time('TIMESTAMP'), 'LOCALDATETIME'),
  ...named([0, 1], time('TIME'), 'LOCALTIME'),
  ...named([1, 1], time('INTERVAL'), 'DURATION'),
  ...named(UNCHECKED, integer, 'INDEGREE OUTDEGREE'),
  ...named(UNCHECKED, float, 'POW'),
  ...named(UNCHECKED, boolean, 'HASLABELS'),
]);

/** Throws a `QueryFault` if a function has another number of arguments, of which engines ignore some. */
export const checkArguments = ({ name, start, arguments: { length } }: Call): void => {
  const [least, most] = SIGNATURES.get(asciiUpper(name))?.counts ?? UNCHECKED;
  if (least <= length && length <= most) return;
  const range = least === most ? String(least) : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  const expected = `${range} ${least === 1 && (most === 1 || most === Infinity) ? 'argument' : 'arguments'}`;
  throw new QueryFault(`${name} expects ${expected}; got ${length}.`, start);
};

/** The type of the result of a function. */
export const returnType = (name: string, values: readonly ValueType[]): ValueType =>
  SIGNATURES.get(name.toUpperCase())?.resultOf(values) ?? UNKNOWN;
