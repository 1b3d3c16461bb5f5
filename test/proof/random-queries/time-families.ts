import { type Family } from './family';
import { type Type } from './random-world';

const UNITS = ['decade', 'year', 'quarter', 'month', 'week', 'day'];
const DURATION_UNITS = ['years', 'quarters', 'months', 'weeks', 'days'];

/** Queries of dates, times and durations. */
export const timeFamilies: Readonly<Record<string, Family>> = {
  'dates and times': (maker) => {
    const match = maker.match(maker.choice.of([0, 1, 1]));
    const type = maker.choice.of<Type>(['date', 'moment']);
    const source = maker.expressions.source(type);
    const literal = (): string => maker.expressions.literal(type);
    return maker.choice.of([
      () =>
        `${match} WHERE ${source} ${maker.choice.of(['<', '<=', '=', '<>', '>'])} ${literal()} ${maker.returnAny()}`,
      () => `${match} WHERE ${literal()} < ${source} <= ${literal()} ${maker.returnAny()}`,
      () => `${match} WHERE ${source} IN [${literal()}, ${literal()}] ${maker.returnAny()}`,
      () => `${match} RETURN ${source} AS c0, count(*) AS c1, min(${source}) AS c2`,
      () => `${match} ${maker.returnRows([source, `${source} IS NULL`, ...maker.columns(1)])}`,
      () => `${match} RETURN max(${source}) AS c0, count(DISTINCT ${source}) AS c1`,
      () => `${match} WITH ${source} AS d ORDER BY d RETURN d AS c0, d.year AS c1, d.month AS c2`,
      () => `${match} WHERE ${source}.year >= 2000 ${maker.returnRows([`${source}.day`, ...maker.columns(1)])}`,
      () =>
        `${match} ${maker.returnRows([`coalesce(${source}, ${literal()})`, `CASE WHEN ${source} > ${literal()} THEN 'late' ELSE 'early' END`])}`,
    ])();
  },
  'computed dates and times': (maker) => {
    const match = maker.match(maker.choice.of([0, 1, 1]));
    const { choice, expressions } = maker;
    const time = (): string => {
      const type = choice.of<Type>(['date', 'moment']);
      return choice.percent(80) ? expressions.source(type) : expressions.literal(type);
    };
    const number = (): string => `coalesce(${expressions.source('int')}, 2)`;
    const unit = (units: readonly string[]): string => choice.of(units);
    const duration = (): string =>
      choice.of([
        () => `duration.between(${time()}, ${time()})`,
        () => `duration.${unit(['inMonths', 'inDays', 'inSeconds'])}(${time()}, ${time()})`,
        () =>
          `duration({${unit(DURATION_UNITS)}: ${number()}, ${unit(['hours', 'seconds', 'milliseconds'])}: ${number()}})`,
        () => choice.of(["duration('P1M')", "duration('P3DT25H')", "duration('-PT0.5S')"]),
      ])();
    const computed = (): string =>
      choice.of([
        () => `(${time()} ${unit(['+', '-'])} ${duration()})`,
        () => `date.truncate('${unit(UNITS)}', ${time()})`,
        () => `localdatetime.truncate('${unit(UNITS)}', ${time()})`,
        () => `date(${time()})`,
        () => `localdatetime(${time()})`,
      ])();
    const part = (): string =>
      choice.of([
        () =>
          `${computed()}.${unit(['year', 'quarter', 'month', 'week', 'weekYear', 'day', 'ordinalDay', 'dayOfWeek'])}`,
        () =>
          `${duration()}.${unit(['months', 'days', 'hours', 'seconds', 'minutesOfHour', 'monthsOfYear', 'milliseconds'])}`,
      ])();
    const column = (): string => choice.of([computed, duration, part, () => `toString(${computed()})`])();
    return choice.of([
      () => `${match} ${maker.returnRows([column(), column(), ...maker.columns(1)])}`,
      () => `${match} WHERE ${computed()} ${unit(['<', '<=', '=', '<>', '>'])} ${time()} ${maker.returnAny()}`,
      () => `${match} WHERE ${part()} > ${number()} ${maker.returnAny()}`,
      () => `${match} RETURN ${column()} AS c0, count(*) AS c1, max(${computed()}) AS c2, min(${part()}) AS c3`,
      () => `${match} WITH ${column()} AS d ORDER BY d RETURN d AS c0, d IS NULL AS c1`,
      () => `${match} RETURN DISTINCT ${column()} AS c0, [${computed()}, ${computed()}] AS c1`,
    ])();
  },
  'times with zones in rows': (maker) => {
    const time = (): string =>
      maker.choice.of(['10:00Z', '11:00+01:00', '23:30-05:00'].map((text) => `datetime('2024-01-31T${text}')`));
    const rows = `${maker.match(0)} UNWIND [${time()}, ${time()}] AS x`;
    const either = `CASE WHEN ${maker.expressions.bool(1)} THEN x ELSE ${time()} END`;
    return `${rows} ${maker.choice.of([
      `RETURN count(DISTINCT x) AS c0, x = ${time()} AS c1`,
      `WITH x, count(*) AS c RETURN toString(x) AS c0, c AS c1`,
      `RETURN x.hour AS c0, x.day AS c1, x ${maker.choice.of(['<', '>=', '<>'])} ${time()} AS c2`,
      `RETURN toString(${either}) AS c0, toString(x + duration({months: 1})) AS c1`,
      `WITH ${either} AS y ORDER BY y LIMIT 2 RETURN y.offset AS c0`,
      `RETURN max(x) = ${time()} AS c0, [${time()}, ${time()}][1] IN collect(x) AS c1`,
    ])}`;
  },
};
