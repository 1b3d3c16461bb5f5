import { literal } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Call, type Expression } from '../../cypher/tree';
import { changeExpressions } from '../../cypher/walk';
import { numberOf } from '../../evaluate/operators';
import { DATE_PARTS, TIME_PARTS } from '../../evaluate/temporal/date-and-time';
import { constantMoment } from '../../evaluate/temporal/make-moment';
import { type Moment } from '../../evaluate/temporal/moment';

/** A duration of the engine is a number of seconds, and its times of day have whole seconds. */
export const exactTimes: Quirk = {
  id: 'falkordb-exact-times',
  description:
    'Fractions of times and durations, and months of durations, are truncated or estimated; such queries are rejected.',
  rewrite: (query) =>
    changeExpressions(query, (value) => {
      if (value.kind !== 'call') return value;
      const rule = RULES[value.name.toUpperCase()];
      if (rule !== undefined && isInexact(value, rule.exact)) throw new QueryFault(rule.message, value.start);
      return withPlainText(value);
    }),
};

/** The engine parses weeks, quarters and days of a year wrongly, and does not support some text formats. */
const withPlainText = (value: Call): Call => {
  const hasTime = value.name.toUpperCase() === 'LOCALDATETIME';
  if (!hasTime && value.name.toUpperCase() !== 'DATE') return value;
  const [of] = value.arguments;
  if (of === undefined) return value;
  const moment = momentOf(of, hasTime ? 'LOCALDATETIME' : 'DATE');
  if (moment === undefined && !isRead(of, hasTime)) throw new QueryFault(NOT_READ, of.start);
  return moment == null ? value : { ...value, arguments: [literal(moment.toString(), of)] };
};

const PARTS = [...DATE_PARTS, ...TIME_PARTS.slice(0, -1)];

/** The moment of a text or of a map of numbers; null if it is invalid, undefined for other values. */
const momentOf = (of: Expression, type: 'DATE' | 'LOCALDATETIME'): Moment | null | undefined => {
  if (of.kind === 'literal') return typeof of.value === 'string' ? constantMoment(type, of.value) : undefined;
  if (of.kind !== 'map') return undefined;
  const parts = of.entries.flatMap(({ key, value }) =>
    value.kind === 'number' && PARTS.includes(key.text) ? [[key.text, numberOf(value)] as const] : [],
  );
  return parts.length === of.entries.length ? constantMoment(type, new Map(parts)) : undefined;
};

const NOT_READ =
  'FalkorDB makes a time of a text, or of year, month, day, hour, minute and second: write one of these.';

/** Whether the engine converts a value to the correct time. */
const isRead = (of: Expression, hasTime: boolean): boolean =>
  of.kind === 'map'
    ? of.entries.every(({ key }) => READ.test(key.text))
    : !hasTime || !/^(variable|call)$/.test(of.kind);

const READ = /^(year|month|day|hour|minute|second)$/;

const RULES: Readonly<Record<string, { readonly exact: RegExp; readonly message: string }>> = {
  DURATION: {
    exact: /^-?P(?:-?\d+W)?(?:-?\d+D)?(?:T(?:-?\d+H)?(?:-?\d+M)?(?:-?\d+S)?)?$/i,
    message: 'FalkorDB counts a duration in seconds: write weeks, days, hours, minutes and seconds, without fractions.',
  },
  LOCALTIME: { exact: /^[^.,]*$/, message: 'FalkorDB drops fractions of seconds here: write whole seconds.' },
};

const isInexact = ({ arguments: [only] }: Call, exact: RegExp): boolean => {
  if (only?.kind === 'map') return only.entries.some(({ key, value }) => CUT.test(key.text) || isFraction(value));
  return only?.kind === 'literal' && typeof only.value === 'string' && !exact.test(only.value);
};

const CUT = /^(?:year|quarter|month|milli|micro|nano)/i;
const isFraction = (value: Expression): boolean => value.kind === 'number' && !/^\d+$/.test(value.text);
