import { storedMoment } from '../../../../../pod/graph/engine/evaluate/temporal/moment';
import { GraphNode, type Value } from '../../../../../pod/graph/engine/evaluate/values';
import { askExport } from '../../../../proof/cypher/engine/ask-engine';
import { tablesOf } from '../../../../proof/cypher/engine/graph-tables';
import { loadedTables } from '../../../../proof/cypher/engine/loaded-graph';
import { evaluateQuery } from '../../../../proof/cypher/evaluate-query';
import { rowsText } from '../../../../proof/cypher/rows-text';
import { type LoadedEngine } from '../../support/loaded-engine';

/** The ends of months and years, leap days, and times of a day before and after each other. */
const TIMES = [
  '2024-01-31T10:00:00.000000Z',
  '2024-02-29T09:00:00.000000Z',
  '2024-03-01T09:59:59.999999Z',
  '2023-02-28T23:59:59.500000Z',
  '2023-12-31T00:00:00.000001Z',
  '2024-03-31T10:00:00.000000Z',
  '1969-12-31T23:59:58.000001Z',
  '1582-10-15T00:00:00.000000Z',
];

const nodes = [...TIMES, null].map((seen, at) => {
  const born = seen === null ? null : storedMoment('DATE', seen.slice(0, 10));
  const values = Object.entries<Value>({
    id: BigInt(at),
    seen: seen === null ? null : storedMoment('TIMESTAMP', seen),
    born,
    text: born === null ? null : String(born),
    days: at === 4 ? null : BigInt((at - 3) * 40),
  });
  return new GraphNode(at, ['N'], new Map(values.filter(([, value]) => value !== null)));
});
const GRAPH = { nodes, relationships: [] };

const OF_TWO = 'MATCH (a:N), (b:N) WITH a, b, duration.between(a.seen, b.seen) AS d';

/** Exports are computed by DuckDB alone. */
describe('dates and times in SQL are those of the evaluator', () => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    const tables = tablesOf(GRAPH);
    if (typeof tables === 'string') throw new Error(tables);
    loaded = await loadedTables('graphdb_a', tables);
  });
  afterAll(() => loaded.end());

  test.each([
    `${OF_TWO} RETURN a.id, b.id, d, duration.between(a.born, b.seen) AS e, duration.between(a.born, b.born) AS f`,
    'MATCH (a:N), (b:N) RETURN a.id, b.id, duration.inMonths(a.seen, b.born) AS d, duration.inDays(a.seen, b.seen) AS e, duration.inSeconds(a.born, b.seen) AS f',
    `${OF_TWO} RETURN a.id, b.id, d.years, d.quarters, d.months, d.weeks, d.days, d.hours, d.minutes, d.seconds, d.milliseconds, d.microseconds, d.nanoseconds`,
    `${OF_TWO} RETURN a.id, b.id, d.quartersOfYear, d.monthsOfQuarter, d.monthsOfYear, d.daysOfWeek, d.minutesOfHour, d.secondsOfMinute, d.millisecondsOfSecond, d.microsecondsOfSecond, d.nanosecondsOfSecond, toString(d)`,
    `${OF_TWO} RETURN a.id, b.id, a.seen + d AS x, b.born - d AS y, [d, duration('P1D')] AS z, {d: d} AS m`,
    `${OF_TWO} RETURN a.id, b.id, d ORDER BY d DESC, a.id, b.id`,
    'MATCH (a:N), (b:N) WITH duration.inDays(a.seen, b.seen) AS d RETURN d, count(*), count(DISTINCT d)',
    "MATCH (a:N) UNWIND [duration('P1D'), duration('PT24H')] AS d RETURN DISTINCT d, d = duration('P1D') AS x",
    'MATCH (a:N) WHERE a.days <> 0 RETURN a.born + duration({days: a.days, months: a.days, hours: a.days}) AS x, a.seen - duration({years: 1, weeks: a.days, minutes: -a.days, milliseconds: a.days}) AS y, duration({quarters: a.days, seconds: -3, microseconds: a.days}) AS z',
    "MATCH (a:N) RETURN date.truncate('decade', a.born), date.truncate('year', a.seen), date.truncate('quarter', a.born), date.truncate('month', a.born), date.truncate('week', a.born), date.truncate('Day', a.seen)",
    "MATCH (a:N) RETURN localdatetime.truncate('week', a.born), localdatetime.truncate('hour', a.seen), localdatetime.truncate('minute', a.seen), localdatetime.truncate('second', a.seen), localdatetime.truncate('millisecond', a.seen)",
    "MATCH (a:N) RETURN date(a.text) AS x, localdatetime(a.text + 'T10:30') AS y, localdatetime(a.text + 'T10:30:15.25') AS z, date(localdatetime(a.seen)) = a.born AS b",
    "MATCH (a:N) WHERE localdatetime.truncate('year', a.seen) <> localdatetime('2030-05-01T10:30') RETURN a.id",
    "MATCH (a:N) WHERE NOT date.truncate('year', a.born) = date('2030-05-01') RETURN a.id",
    'MATCH (a:N) RETURN a.born.dayOfQuarter, a.seen.quarterDay, a.seen.nanosecond, a.born.weekYear',
  ])('%s', async (text) => {
    const expected = evaluateQuery(text, GRAPH);
    if (expected.kind === 'fault') throw new Error(expected.message);
    const exported = await askExport(loaded.engine, text, new Map(), expected.columns);
    if (exported.kind !== 'rows') throw new Error(exported.message);
    const rules = { asJson: true, anyOrderInLists: false, inOrder: text.includes('ORDER BY') };
    expect(rowsText(exported, rules)).toBe(rowsText(expected, rules));
  });

  test.each(['week', 'month'])('a unit may be a parameter: %s', async (unit) => {
    const text = 'MATCH (a:N {id: 1}) RETURN date.truncate($unit, a.born) AS x';
    const parameters = new Map([['unit', unit]]);
    const rows = [[unit === 'week' ? '2024-02-26' : '2024-02-01']];
    expect(await askExport(loaded.engine, text, parameters, ['x'])).toMatchObject({ rows });
  });

  test.each([
    ["MATCH (a:N) RETURN date(a.text + 'x') AS x", 'date of a text that is not such as 2024-01-31'],
    ["MATCH (a:N) RETURN date('2023-02-' + (a.id + 25)) AS x", 'date of a text that is not such as 2024-01-31'],
    ['MATCH (a:N) RETURN duration({days: a.days}) AS x', 'The days of a duration are null'],
  ])('%s is an error that says what to do', async (text, message) => {
    const answer = await askExport(loaded.engine, text, new Map(), ['x']);
    expect(answer).toMatchObject({ kind: 'refused', message: expect.stringContaining(message) as string });
  });
});
