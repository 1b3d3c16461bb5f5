import { EMPTY_GRAPH } from '../../../pod/graph/engine/evaluate/values';
import { evaluateQuery } from './evaluate-query';
import { valueText } from './value-text';

/** The values of a query's first row as text, or its error. */
const answerTo = (query: string): string => {
  const result = evaluateQuery(query, EMPTY_GRAPH);
  if (result.kind === 'fault') return `${result.fault}: ${result.message}`;
  const [row = []] = result.rows;
  return row.map((value) => valueText(value, { asJson: false, anyOrderInLists: false })).join(', ');
};

describe('dates and times from texts', () => {
  test.each([
    ["date('2024-05-01')", '2024-05-01'],
    ["date('20240501')", '2024-05-01'],
    ["date('2024-05')", '2024-05-01'],
    ["date('2024')", '2024-01-01'],
    ["date('2020-W53-7')", '2021-01-03'],
    ["date('2024W18')", '2024-04-29'],
    ["date('2024-366')", '2024-12-31'],
    ["date('2024-Q2-31')", '2024-05-01'],
    ["date('-0044-03-15')", '-000044-03-15'],
    ["date('+12345-01-01')", '+012345-01-01'],
    ["localtime('103015.5')", '10:30:15.5'],
    ["localtime('10')", '10:00'],
    ["time('10:30-0130')", '10:30-01:30'],
    ["time('1030-00:00')", '10:30Z'],
    ["time('10:30:00.000000001+02:05:59')", '10:30:00.000000001+02:05:59'],
    ["localdatetime('2024-122T10:30')", '2024-05-01T10:30'],
    ["datetime('2024-05-01')", '2024-05-01T00:00Z'],
    ["datetime('2024-05-01T10:30+0545')", '2024-05-01T10:30+05:45'],
    ["datetime('2024-05-01T10:30[europe/stockholm]')", '2024-05-01T10:30+02:00[Europe/Stockholm]'],
    ["datetime('1818-07-21T21:40[Europe/Stockholm]')", '1818-07-21T21:40+00:53:28[Europe/Stockholm]'],
    // Local times that a change of the clock skips or repeats.
    ["datetime('2024-03-31T02:30[Europe/Stockholm]')", '2024-03-31T03:30+02:00[Europe/Stockholm]'],
    ["datetime('2024-10-27T02:30[Europe/Stockholm]')", '2024-10-27T02:30+02:00[Europe/Stockholm]'],
    ["datetime('2024-10-27T02:30+01:00[Europe/Stockholm]')", '2024-10-27T02:30+01:00[Europe/Stockholm]'],
    ["duration('P1.5Y')", 'P1Y6M'],
    ["duration('-P1M2DT3S')", 'P-1M-2DT-3S'],
    ["duration('PT-0.000000001S')", 'PT-0.000000001S'],
    ["duration('P2012-02-02T14:37:21.545')", 'P2012Y2M2DT14H37M21.545S'],
  ])('%s is %s', (expression, text) => {
    expect(answerTo(`RETURN ${expression}`)).toBe(JSON.stringify(text));
  });
});

describe('dates and times from maps', () => {
  test.each([
    ['date({year: 2024, month: 5})', '2024-05-01'],
    ['date({year: 2020, week: 53, dayOfWeek: 7})', '2021-01-03'],
    ["date({date: date('2024-02-29'), year: 2023})", '2023-02-28'],
    ["date({date: date('2021-01-01'), week: 1})", '2020-01-03'],
    ["date(datetime('2024-05-01T23:00-05:00'))", '2024-05-01'],
    ['localtime({hour: 1, minute: 2, second: 3, millisecond: 4, microsecond: 5, nanosecond: 6})', '01:02:03.004005006'],
    ["time({time: time('10:30+01:00'), timezone: '+05:00'})", '14:30+05:00'],
    ["time({time: time('23:30+01:00'), timezone: '+05:00'})", '03:30+05:00'],
    ["time({hour: 10, timezone: '+02:00'})", '10:00+02:00'],
    ["localdatetime({date: date('2024-05-01'), time: localtime('10:30'), day: 3})", '2024-05-03T10:30'],
    [
      "datetime({datetime: datetime('2024-05-01T12:00[Europe/Stockholm]'), timezone: 'Asia/Tokyo'})",
      '2024-05-01T19:00+09:00[Asia/Tokyo]',
    ],
    ['datetime({epochSeconds: 1714559400, nanosecond: 5})', '2024-05-01T10:30:00.000000005Z'],
    ['datetime({epochMillis: 1714559400001})', '2024-05-01T10:30:00.001Z'],
    ['datetime.fromepoch(1, 2)', '1970-01-01T00:00:01.000000002Z'],
    ['datetime.fromepochmillis(-1)', '1969-12-31T23:59:59.999Z'],
    ["date.truncate('weekYear', date('2021-01-01'))", '2019-12-30'],
    ["date.truncate('century', date('-0044-03-15'))", '-000100-01-01'],
    [
      "datetime.truncate('day', localdatetime('2024-05-01T10:30'), {timezone: 'Asia/Tokyo'})",
      '2024-05-01T00:00+09:00[Asia/Tokyo]',
    ],
    ["localtime.truncate('millisecond', localtime('10:30:00.123456789'), {nanosecond: 2})", '10:30:00.123000002'],
    ['duration({months: 0.75})', 'P22DT19H51M49.5S'],
    ['duration({months: 0.75, days: 0.5})', 'P23DT7H51M49.5S'],
    ['duration({weeks: 0.5, days: 0.5})', 'P4D'],
    ['duration({months: 0.5, days: -1})', 'P14DT5H14M33S'],
    ['duration({seconds: -2, milliseconds: 1})', 'PT-1.999S'],
    ['duration({years: 0.1, nanoseconds: 9007199254740993})', 'P1M6DT2504H5M48.454740993S'],
  ])('%s is %s', (expression, text) => {
    expect(answerTo(`RETURN ${expression}`)).toBe(JSON.stringify(text));
  });
});

describe('calculations with dates and times', () => {
  test.each([
    ["date('2024-01-31') + duration('P1M')", '"2024-02-29"'],
    ["date('2024-01-01') + duration('PT36H')", '"2024-01-02"'],
    ["duration('P1D') + date('2024-01-01')", '"2024-01-02"'],
    ["localtime('23:30') + duration('PT1H')", '"00:30"'],
    ["datetime('2024-03-30T12:00[Europe/Stockholm]') + duration('P1D')", '"2024-03-31T12:00+02:00[Europe/Stockholm]"'],
    [
      "datetime('2024-03-30T12:00[Europe/Stockholm]') + duration('PT24H')",
      '"2024-03-31T13:00+02:00[Europe/Stockholm]"',
    ],
    ["duration('P1M') * 1.5 / 3", '"P15DT5H14M33S"'],
    ["duration('P-1M2D') / 1.5", '"P-18DT-22H-59M-24S"'],
    ["duration('P1M1D') / 1.1", '"P28DT13H53M43.636363636S"'],
    ["duration('PT1S') / -3", '"PT-0.333333333S"'],
    ["duration('P1Y') - duration('P1M1D')", '"P11M-1D"'],
    ["duration.between(date('2024-01-31'), date('2024-03-01'))", '"P1M1D"'],
    ["duration.between(localdatetime('2024-03-01T12:00'), date('2024-01-31'))", '"P-1M-1DT-12H"'],
    ["duration.between(datetime('2024-03-30T12:00[Europe/Stockholm]'), date('2024-03-31'))", '"PT12H"'],
    ["duration.inSeconds(date('2024-03-31'), datetime('2024-03-31T12:00[Europe/Stockholm]'))", '"PT11H"'],
    ["duration.inMonths(date('2024-01-30'), date('2024-02-29'))", '"PT0S"'],
    ["duration.inDays(date('2024-02-01'), date('2024-03-01')).days", '29'],
    ["datetime('2024-05-01T12:00+02:00') = datetime('2024-05-01T10:00Z')", 'false'],
    ["datetime('2024-05-01T12:00+02:00') >= datetime('2024-05-01T10:00Z')", 'true'],
    ["datetime('2024-05-01T12:00+02:00') < datetime('2024-05-01T10:00:00.000000001Z')", 'true'],
    ["date('2024-05-01') = localdatetime('2024-05-01')", 'false'],
    ["date('2024-05-01') < localdatetime('2024-05-01')", 'null'],
    ["duration('P1D') = duration('PT24H')", 'false'],
    ["duration('P1D') < duration('P2D')", 'null'],
    ["datetime('2024-05-01T10:30+02:00').epochMillis", '1714552200000'],
    ["datetime('1969-12-31T23:59:59.5Z').epochSeconds", '-1'],
    ["time('10:30-02:05:07').offset", '"-02:05:07"'],
    ["duration('PT-0.5S').seconds", '-1'],
    ["[d IN [date('2024-05-01')] | {day: d}]", '[{day: "2024-05-01"}]'],
    ['date(null)', 'null'],
    ["duration.between(null, date('2024-05-01'))", 'null'],
    ['datetime() = datetime.realtime()', 'true'],
    ["date.transaction('Asia/Tokyo') = date({timezone: 'Asia/Tokyo'})", 'true'],
    ['duration.between(localdatetime(), localdatetime.statement())', '"PT0S"'],
  ])('%s is %s', (expression, text) => {
    expect(answerTo(`RETURN ${expression}`)).toBe(text);
  });

  test('values of several types have one order', () => {
    expect(
      answerTo(
        `UNWIND [duration('P1M'), time('10:00Z'), null, date('2024-05-01'), localtime('10:00'), duration('P30D'),
           datetime('2024-05-01'), localdatetime('2024-05-01'), time('10:30+01:00'), 'a'] AS x
         WITH x ORDER BY x RETURN collect(toString(x))`,
      ),
    ).toBe(
      '["2024-05-01T00:00Z", "2024-05-01T00:00", "2024-05-01", "10:30+01:00", "10:00Z", "10:00", "P30D", "P1M", "a"]',
    );
  });

  test('durations have a sum and an average', () => {
    expect(answerTo("UNWIND [duration('P1M'), duration('PT1S'), null] AS x RETURN sum(x), avg(x)")).toBe(
      '"P1MT1S", "P15DT5H14M33.5S"',
    );
    expect(answerTo("UNWIND [duration('P1M'), 1] AS x RETURN sum(x)")).toMatch(/^unsupported: a duration/);
  });

  test('equal values are one group', () => {
    expect(
      answerTo(
        "UNWIND [date('2024-05-01'), date({year: 2024, ordinalDay: 122}), '2024-05-01'] AS x RETURN count(DISTINCT x)",
      ),
    ).toBe('2');
  });
});

describe('values that do not exist', () => {
  test.each([
    ["date('2023-02-29')", 'the day 29: it must be between 1 and 28'],
    ["date('2024-05-01T10:30')", "date of '2024-05-01T10:30': expected ISO 8601"],
    ["date('5/1/2024')", "date of '5/1/2024': expected ISO 8601"],
    ["localtime('10:30Z')", "localtime of '10:30Z'"],
    ["localdatetime('2024-05-01T10:30+01:00')", 'localdatetime of'],
    ["time('24:00')", 'the hour 24: it must be between 0 and 23'],
    ["duration('P')", "a duration of 'P'"],
    ["duration('1 day')", "a duration of '1 day'"],
    ['date({})', 'date of an empty map'],
    ['date({month: 5})', 'a date without year'],
    ['date({year: 2024, day: 5})', 'a day without month'],
    ['date({year: 2024, month: 5, week: 3})', 'a date with month and week: write one of them'],
    ['date({year: 2023, week: 53})', 'the week 53: it must be between 1 and 52'],
    ['date({year: 2024, month: 5.5})', 'the month is a float: expected an integer'],
    ['date({year: 2024, hour: 5})', 'hour in a date: expected year, month'],
    ['localtime({hour: 1, second: 2})', 'a time without minute, but with a smaller unit'],
    ['localtime({minute: 1})', 'a localtime without hour'],
    ['localtime({hour: 1, minute: 1, second: 1, millisecond: 1, nanosecond: 1000000})', 'the nanosecond 1000000'],
    ["datetime({year: 2024, timezone: 'Mars/Olympus'})", 'the time zone Mars/Olympus'],
    ["time({hour: 1, timezone: '+19:00'})", 'the offset +19:00: it must be between -18:00 and +18:00'],
    ["datetime('2024-05-01T10:30+07:00[Europe/Stockholm]')", 'the offset +07:00 of Europe/Stockholm'],
    ["date(time('10:30Z'))", 'the date is a time without it'],
    ['date(1)', 'date of an integer'],
    ['date({year: 300000})', 'outside of the years -271821 to 275760'],
    ["date('2024-05-01') + duration({years: 300000})", 'outside of the years -271821 to 275760'],
    ["date.truncate('hour', date('2024-05-01'))", 'date.truncate of a date by the unit hour'],
    ["localtime.truncate('month', localtime('10:30'))", 'localtime.truncate of a local time by the unit month'],
    ["date('2024-05-01').hour", 'the component hour of 2024-05-01'],
    ['duration({decades: 1})', 'a duration of decades: expected years'],
    ["duration('P1D') / 0", 'Division by zero'],
  ])('%s is an error: %s', (expression, message) => {
    expect(answerTo(`RETURN ${expression}`)).toMatch(/^error: /);
    expect(answerTo(`RETURN ${expression}`)).toContain(message);
  });
});
