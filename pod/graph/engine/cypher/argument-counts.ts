import { asciiUpper } from './cypher-tokens';
import { QueryFault } from './query-fault';
import { type Call } from './tree';

const names = (least: number, most: number, list: string) =>
  list.split(/\s+/).map((name) => [name, { least, most }] as const);

const TIMES = ['DATE', 'TIME', 'LOCALTIME', 'DATETIME', 'LOCALDATETIME'];

/** The functions of each type of time whose names end like this. */
const ofTimes = (least: number, most: number, ...ends: readonly string[]) =>
  TIMES.flatMap((type) => ends.flatMap((end) => names(least, most, type + end)));

/** The numbers of arguments of openCypher's functions; those of one engine alone are checked by it. */
const COUNTS = new Map([
  ...names(0, 0, 'E PI RAND RANDOMUUID TIMESTAMP'),
  ...ofTimes(0, 1, '', '.TRANSACTION', '.STATEMENT', '.REALTIME'),
  ...names(
    1,
    1,
    `TOSTRING TOINTEGER TOFLOAT TOBOOLEAN TOSTRINGORNULL TOINTEGERORNULL TOFLOATORNULL TOBOOLEANORNULL TOUPPER UPPER
    TOLOWER LOWER TRIM LTRIM RTRIM CHAR_LENGTH CHARACTER_LENGTH SIZE ISEMPTY HEAD LAST TAIL REVERSE KEYS PROPERTIES
    LABELS TYPE ID ELEMENTID STARTNODE ENDNODE NODES RELATIONSHIPS RELS LENGTH EXISTS ABS SIGN CEIL FLOOR SQRT EXP LOG
    LOG10 SIN COS TAN COT ASIN ACOS ATAN DEGREES RADIANS HAVERSIN ISNAN COUNT SUM AVG MIN MAX COLLECT STDEV STDEVP
    DURATION DATETIME.FROMEPOCHMILLIS`,
  ),
  ...names(1, 2, 'DATETIME.FROMEPOCH'),
  ...names(1, 3, 'ROUND'),
  ...ofTimes(1, 3, '.TRUNCATE'),
  ...names(1, Infinity, 'COALESCE'),
  ...names(2, 2, 'LEFT RIGHT SPLIT ATAN2 NULLIF PERCENTILECONT PERCENTILEDISC'),
  ...names(2, 2, 'DURATION.BETWEEN DURATION.INMONTHS DURATION.INDAYS DURATION.INSECONDS'),
  ...names(2, 3, 'SUBSTRING RANGE'),
  ...names(3, 3, 'REPLACE'),
]);

/** Throws a `QueryFault` if a function has another number of arguments, of which engines ignore some. */
export const checkArguments = ({ name, start, arguments: { length } }: Call): void => {
  const count = COUNTS.get(asciiUpper(name));
  if (count === undefined || (count.least <= length && length <= count.most)) return;
  const { least, most } = count;
  const range = least === most ? String(least) : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  const expected = `${range} ${least === 1 && (most === 1 || most === Infinity) ? 'argument' : 'arguments'}`;
  throw new QueryFault(`${name} expects ${expected}; got ${length}.`, start);
};
