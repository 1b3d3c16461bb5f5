import { literal } from '../../cypher/build';
import { constantMoment } from '../../cypher/constant-moment';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Call, type Expression } from '../../cypher/tree';
import { changeExpressions, expressionsIn } from '../../cypher/walk';
import { storedText } from '../storage';

/** A duration of the engine is a number of seconds, and its times of day have whole seconds. */
export const exactTimes: Quirk = {
  id: 'falkordb-exact-times',
  description:
    'Fractions of times and durations, and months of durations, are truncated or estimated; such queries are rejected.',
  rewrite: (query) => {
    for (const value of expressionsIn(query)) {
      const rule = value.kind === 'call' ? RULES.get(value.name.toUpperCase()) : undefined;
      if (value.kind !== 'call' || rule === undefined || !isInexact(value, rule.exact)) continue;
      throw new QueryFault(rule.message, value.start);
    }
    return changeExpressions(query, (value) => (value.kind === 'call' ? withPlainText(value) : value));
  },
};

/** The engine parses weeks, quarters and days of a year wrongly, and does not support some text formats. */
const withPlainText = (value: Call): Call => {
  const hasTime = value.name.toUpperCase() === 'LOCALDATETIME';
  if (!hasTime && value.name.toUpperCase() !== 'DATE') return value;
  const [of] = value.arguments;
  const moment = constantMoment(of, hasTime);
  if (of !== undefined && moment === undefined && !isRead(of, hasTime)) throw new QueryFault(NOT_READ, of.start);
  if (of === undefined || moment === null || moment === undefined) return value;
  const text = storedText(moment, hasTime ? 'MICROSECONDS' : 'DATE').replace(/\.?0*Z$/, '');
  return { ...value, arguments: [literal(text, of)] };
};

const NOT_READ =
  'FalkorDB makes a time of a text, or of year, month, day, hour, minute and second: write one of these.';

/** Whether the engine converts a value to the correct time. */
const isRead = (of: Expression, hasTime: boolean): boolean =>
  of.kind === 'map'
    ? of.entries.every(({ key }) => READ.test(key.text))
    : !hasTime || !/^(variable|call)$/.test(of.kind);

const READ = /^(year|month|day|hour|minute|second)$/;

interface Rule {
  readonly exact: RegExp;
  readonly message: string;
}

const RULES: ReadonlyMap<string, Rule> = new Map([
  [
    'DURATION',
    {
      exact: /^-?P(?:-?\d+W)?(?:-?\d+D)?(?:T(?:-?\d+H)?(?:-?\d+M)?(?:-?\d+S)?)?$/i,
      message:
        'FalkorDB counts a duration in seconds: write weeks, days, hours, minutes and seconds, without fractions.',
    },
  ],
  ['LOCALTIME', { exact: /^[^.,]*$/, message: 'FalkorDB drops fractions of seconds here: write whole seconds.' }],
]);

const isInexact = ({ arguments: [only] }: Call, exact: RegExp): boolean => {
  if (only?.kind === 'map') return only.entries.some(({ key, value }) => CUT.test(key.text) || isFraction(value));
  return only?.kind === 'literal' && typeof only.value === 'string' && !exact.test(only.value);
};

const CUT = /^(?:year|quarter|month|milli|micro|nano)/i;
const isFraction = (value: Expression): boolean => value.kind === 'number' && !/^\d+$/.test(value.text);
