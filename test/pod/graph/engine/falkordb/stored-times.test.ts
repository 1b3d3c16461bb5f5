import fc from 'fast-check';
import { type QueryFailure } from '../../../../../pod/graph/engine/graph-engine';
import { falkordb } from '../../support/falkordb';
import { left, type LoadedEngine, loadedEngine, right, scratchDirectory } from '../../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot } from '../../support/snapshot';

/** Days with two times each: to the millisecond in one column, to the microsecond in the other. */
const DAYS = ['-000044-03-15', '0001-01-01', '1815-12-10', '1998-01-01', '1998-01-02', '2024-02-29', '9999-12-31'];
const MILLIS = [
  '00:00:00.000',
  '10:30:00.000',
  '10:30:00.500',
  '23:59:59.999',
  '00:00:00.000',
  '12:00:00.001',
  '12:00:00.000',
];
const MICROS = [
  '00:00:00.000000',
  '10:30:00.000001',
  '10:30:00.500000',
  '23:59:59.999999',
  '00:00:00.000000',
  '12:00:00.001000',
  '12:00:00.000000',
];

const duckdbDay = (day: string): string => (day.startsWith('-') ? '0045-03-15 (BC)' : day);
const rows = DAYS.map((day, id) => {
  const time = (clock = ''): string => `TIMESTAMP '${duckdbDay(day)} ${clock}'`;
  return `(${id}::BIGINT, DATE '${duckdbDay(day)}', ${time(MILLIS[id])}, ${time(MICROS[id])}, '${day}')`;
});

describe('dates and times in comparisons of FalkorDB', () => {
  let snapshot: Snapshot;
  let loaded: LoadedEngine;

  beforeAll(async () => {
    snapshot = await createSnapshot();
    await snapshot.export(
      'nodes/Event',
      `SELECT * FROM (VALUES ${rows.join(', ')}) AS t(id, day, "at", exactly, text)`,
    );
    await snapshot.export('edges/BEFORE', `SELECT 0::BIGINT AS a, 1::BIGINT AS b, DATE '1998-01-01' AS day`);
    const mapping = mappingOf(snapshot, {
      node_definitions: [
        {
          label: 'Event',
          primary_key: { name: 'id', type: 'INT64' },
          properties: [
            { name: 'day', type: 'DATE' },
            { name: 'at', type: 'TIMESTAMP' },
            { name: 'exactly', type: 'TIMESTAMP' },
            { name: 'text', type: 'STRING' },
          ],
        },
      ],
      edge_definitions: [
        {
          type: 'BEFORE',
          from_node: 'Event',
          to_node: 'Event',
          from_key: 'a',
          to_key: 'b',
          properties: [{ name: 'day', type: 'DATE' }],
        },
      ],
    });
    const directory = await scratchDirectory();
    loaded = await loadedEngine(falkordb(directory), mapping, snapshot, directory);
  });

  afterAll(async () => {
    await loaded.end();
    await snapshot.remove();
  });

  const failure = async (text: string, parameters = {}): Promise<QueryFailure> =>
    left(await loaded.engine.query({ text, parameters, timeoutMs: 20_000 }));
  const found = async (filter: string, parameters = {}): Promise<unknown[]> =>
    (await loaded.rows(`MATCH (e:Event) WHERE ${filter} RETURN e.id ORDER BY e.id`, parameters)).flat();

  test('times of columns with and without microseconds are compared by time', async () => {
    const equal = [[0], [2], [4], [5], [6]];
    expect(await loaded.rows('MATCH (e:Event) WHERE e.at = e.exactly RETURN e.id ORDER BY e.id')).toEqual(equal);
    expect(await loaded.rows('MATCH (e:Event), (f:Event {at: e.exactly}) RETURN f.id ORDER BY f.id')).toEqual(equal);
    expect(await loaded.rows('MATCH (e:Event) UNWIND [e.at, e.exactly] AS t RETURN count(DISTINCT t)')).toEqual([[9]]);
    expect(
      await loaded.rows(`MATCH (e:Event) WITH e.at AS t, e WHERE t = '1815-12-10T10:30:00.5' RETURN e.id`),
    ).toEqual([[2]]);
  });

  test('every comparison of a property with a date or time matches its values', async () => {
    const operators = { '=': (a: string, b: string) => a === b, '<>': (a: string, b: string) => a !== b, '<': (a: string, b: string) => a < b, '<=': (a: string, b: string) => a <= b, '>': (a: string, b: string) => a > b, '>=': (a: string, b: string) => a >= b }; // prettier-ignore
    const columns = {
      day: DAYS.map((day) => `${day}T00:00:00.000000`),
      at: DAYS.map((day, id) => `${day}T${MILLIS[id]}000`),
      exactly: DAYS.map((day, id) => `${day}T${MICROS[id]}`),
    };
    const day = fc.constantFrom(...DAYS);
    const clock = fc.constantFrom(
      '00:00',
      '103000',
      '10:30:00.5',
      '12:00:00.001',
      '12:00:00.0015',
      '23:59:59.999',
      '23:59:59.999999',
      '10:30:00,000001',
    );
    const constant = fc.oneof(
      day.map((date) => ({ call: 'date', names: ['day'], text: date, exact: `${date}T00:00:00.000000` })),
      fc.tuple(day, clock).map(([date, time]) => {
        const [whole = '', fraction = ''] = time.replaceAll(':', '').split(/[.,]/);
        const [hour, minute, second] = [whole.slice(0, 2), whole.slice(2, 4), whole.slice(4).padEnd(2, '0')];
        return {
          call: 'localdatetime',
          names: ['at', 'exactly'],
          text: `${date}T${time}`,
          exact: `${date}T${hour}:${minute}:${second}.${fraction.padEnd(6, '0')}`,
        };
      }),
    );
    const [column, operator] = [fc.nat(1), fc.constantFrom(...Object.keys(operators))];
    await fc.assert(
      fc.asyncProperty(
        column,
        operator,
        constant,
        fc.boolean(),
        async (at, sign, { call, names, text, exact }, asParameter) => {
          const name = names[at % names.length] ?? '';
          const holds = operators[sign as keyof typeof operators];
          const values = columns[name as keyof typeof columns];
          const expected = values.flatMap((value, id) => (holds(value, exact) ? [id] : []));
          const operand = asParameter ? '$x' : `'${text}'`;
          expect(await found(`e.${name} ${sign} ${call}(${operand})`, { x: text })).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    [`e.day >= date('1998-01-01') AND e.day < date( "1998-01-02" )`, [3]],
    [`date('1998-01-02') = e.day OR e.day IN ['1815-12-10', $d]`, [2, 4, 5]],
    [`(e.day) > (\`date\`('20240101'))`, [5, 6]],
    [`e.text = '1998-01-01' OR date('2024-02-29').year = e.id + 2019`, [3, 5]],
    [`e.day < date()  AND e.at < localdatetime() AND e.day > date('2000')`, [5]],
    [`NOT e.day <= date('2024-02-28')`, [5, 6]],
    [`e.day < date({year: 1998, ordinalDay: 2}) AND e.day > date('1815-W50-1')`, [3]],
    [`CASE WHEN e.day = date('1998-01-01') THEN true ELSE false END`, [3]],
    [`e.day >= date('1998-01-01') + duration('P1D') AND e.at < datetime('2024-02-29T14:00:00+01:00')`, [4, 5]],
    [`e.day = date(null) OR e.day = date($none)`, []],
    [`localdatetime('1998-01-01T00:00:00.000001') > localdatetime('1998-01-01T00:00') AND e.id = 0`, [0]],
  ])('%s', async (filter, ids) => {
    expect(await found(filter, { d: '2024-02-29', none: null })).toEqual(ids);
  });

  test.each([
    [`e.day = '1998-1-1' OR e.day = '2024/02/29'`, [3, 5]],
    [`e.day >= '1998-01-02T23:00:00Z'`, [4, 5, 6]],
    [`e.day IN ['1998-1-2', $d]`, [4, 5]],
    [`e.day = $d OR $d < e.day`, [5, 6]],
    [`e.at = '1998-01-01T23:59:59.999Z' OR e.at = '9999-12-31 12:00:00'`, [3, 6]],
    [`e.at = '1998-01-02T00:59:59.999+01:00'`, [3]],
    [`e.exactly = '2024-02-29T12:00:00.001Z' OR e.exactly = '1998-01-02'`, [4, 5]],
    [`e.exactly <= '1998-01-01T23:59:59.999Z' AND e.exactly > '0001-01-01T10:30:00Z'`, [1, 2]],
    [`e.at > '2024-02-29T12:00' AND e.at IN ['2024-02-29T12:00:00.001Z', $stamp]`, [5, 6]],
    [`e.day < '2024' OR e.day > 'soon' OR e.at <= '01.05.2024'`, []],
    [`e.day <> 'soon' AND NOT e.day = '2024' AND e.id < 2`, [0, 1]],
    [`e.day STARTS WITH '1998' OR e.at CONTAINS '12' OR e.day =~ '.*' OR e.day ENDS WITH '1'`, []],
    [`e.text STARTS WITH '1998' AND toString(e.day) STARTS WITH '1998-01-01'`, [3]],
    [`e.day = '-000044-03-15' OR e.day > 'infinity'`, [0]],
  ])('a text is read as a date or time, as by the other kind: %s', async (filter, ids) => {
    expect(await found(filter, { d: '2024-2-29', stamp: '9999-12-31T12:00:00' })).toEqual(ids);
  });

  test('a text in the properties of a pattern is read as well', async () => {
    expect(
      await loaded.rows(`MATCH (e:Event {day: '1998-1-1', at: $at}) RETURN e.id`, { at: '1998-01-01 23:59:59.999' }),
    ).toEqual([[3]]);
  });

  test.each([
    [`MATCH (e:Event {id: 3}) RETURN date(e.day).year = 1998, date(e.day) + duration('P1D')`, [[true, '1998-01-02']]],
    [`MATCH (e:Event {id: 3}) RETURN date(e.day) AS d, e.id = 3 ORDER BY d`, [['1998-01-01', true]]],
    [
      `MATCH (e:Event) RETURN e.day < date('0001-01-01') AS old, count(*) AS c ORDER BY c`,
      [
        [true, 1],
        [false, 6],
      ],
    ],
    [`MATCH (e:Event) WITH e, e.day > date('2000-01-01') AS late WHERE late = true RETURN count(*)`, [[2]]],
    [`MATCH ()-[b:BEFORE]->() WITH date(b.day) AS d RETURN d.day, {d: date('2024-01-31')}`, [[1, { d: '2024-01-31' }]]],
    [`MATCH (e:Event) RETURN DISTINCT CASE e.day WHEN date('1998-01-01') THEN 1 END AS x ORDER BY x`, [[1], [null]]],
    [`MATCH (e:Event) WHERE e.id > 1 WITH e WHERE date(e.day) < date('1998-01-01') RETURN e.id`, [[2]]],
    [
      `MATCH (e:Event {day: date('1998-01-01')}) RETURN e.day.month, e.at.minute, coalesce(null, date($d))`,
      [[1, 59, '1998-01-01']],
    ],
    [`MATCH (e:Event) WHERE date('0000-01-01') < e.day <= date('1900-01-01') RETURN e.id ORDER BY e.id`, [[1], [2]]],
    [`WITH date('2024-02-28') + duration('P2D') AS d RETURN d.month, toString(d)`, [[3, '2024-03-01']]],
    [`WITH date('1998-01-01') AS d, date($d) AS f MATCH (e:Event) WHERE e.day = d AND d = f RETURN e.id`, [[3]]],
    [
      `WITH date('1998-01-01') AS d MATCH (e:Event {day: d}) WITH e, d AS g, d ORDER BY d WHERE g <= e.day RETURN e.id`,
      [[3]],
    ],
    [
      `WITH date('1998-01-01') AS d MATCH (e:Event) WITH e.day > d AS late, count(*) AS c, d RETURN late, c ORDER BY c`,
      [
        [true, 3],
        [false, 4],
      ],
    ],
    [
      `WITH localdatetime('1998-01-01T23:59:59.999') AS t OPTIONAL MATCH (e:Event) WHERE e.at = t AND e.exactly < t RETURN e.id`,
      [[null]],
    ],
    [`RETURN [x IN ['2024-01-31'] | date(x)], duration('P1D')`, [[['2024-01-31'], 'P1D']]],
    [`UNWIND ['1998-01-01'] AS d WITH d WHERE d = date('1998-01-01') RETURN d`, []],
  ])('%s', async (text, expected) => {
    expect(await loaded.rows(text, { d: '1998-01-01' })).toEqual(expected);
  });

  test.each([
    [
      `WITH date('1998-01-01') AS d MATCH (e:Event)\nWHERE e.day >= d + duration('P1D') RETURN e`,
      2,
      16,
      /compare with '1998-01-31' for/,
    ],
    [
      `WITH localdatetime('1998-01-01') AS t MATCH (e:Event) CALL (e, t) { MATCH (e) WHERE e.at > t RETURN 1 AS x } RETURN x`,
      1,
      6,
      /compare with/,
    ],
    [`MATCH (e:Event) RETURN e.day + duration('P1D')`, 1, 32, /compare with '1998-01-31' for/],
    [`MATCH (e:Event) RETURN duration('P1D') + e.day`, 1, 24, /compare with '1998-01-31' for/],
    [`MATCH (e:Event) WHERE date(e.text) = e.day RETURN e`, 1, 23, /^date is not possible in this part/],
    [`MATCH (e:Event) WHERE e.day = date('soon') RETURN e`, 1, 31, /^date is not possible in this part/],
    [`MATCH (e:Event) WHERE e.day = date('1998-02-30') RETURN e`, 1, 31, /^date is not possible in this part/],
    [`MATCH (e:Event) WHERE e.day = date(5) RETURN e`, 1, 31, /^date is not possible in this part/],
    [`MATCH (e:Event) WHERE localdatetime(e.text) < e.at RETURN e`, 1, 23, /^localdatetime is not possible/],
  ])('what the engine cannot compare is rejected with its place: %s', async (text, line, column, message) => {
    expect(await failure(text)).toEqual({
      kind: 'rejected',
      message: expect.stringMatching(message) as string,
      position: { line, column },
    });
  });

  test.each([
    [`MATCH (e:Event) WHERE any(x IN [e.day, e.at] WHERE x = date('1998-01-01')) RETURN e`, 52],
    [`MATCH (e:Event) UNWIND [e.day, e.text] AS x RETURN x ORDER BY x`, 63],
    [`MATCH (e:Event) UNWIND [e.day, e.text] AS x RETURN DISTINCT x`, 61],
    [`MATCH (e:Event) UNWIND [e.day, e.at] AS x RETURN max(x)`, 54],
    [`MATCH (e:Event)-->() WHERE e.text < date('1998-01-01') RETURN e`, 28],
    [`MATCH (e:Event)-->() WHERE e.text IN [date('1998-01-01')] RETURN e`, 28],
    [`MATCH (e:Event) RETURN e.day = e.at`, 24],
    [`MATCH (e:Event) WHERE e.day < localdatetime('1998-01-01T10:00') RETURN e`, 23],
    [`MATCH (e:Event) WHERE e.at >= date('1998-01-01') RETURN e`, 23],
    [`MATCH (e:Event) WHERE e.at > localtime('10:00') RETURN e`, 23],
  ])('values that are stored alike but of several types are not compared: %s', async (text, column) => {
    expect(await failure(text)).toEqual({
      kind: 'rejected',
      message: expect.stringContaining('this may be one or the other: name one label') as string,
      position: { line: 1, column },
    });
  });

  test('titles and error positions refer to the original text', async () => {
    const text = `MATCH (e:Event {id: 3}) RETURN e.day = date('1998-01-01'), e.at < localdatetime('2024')`;
    const answer = right(await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 }));
    expect(answer.columns).toEqual([`e.day = date('1998-01-01')`, `e.at < localdatetime('2024')`]);
    expect(await failure(`MATCH (e:Event) WHERE e.at < localdatetime('2024') RETURN e ORDER e`)).toMatchObject({
      position: { line: 1, column: 67 },
    });
  });
});
