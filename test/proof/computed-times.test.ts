import { type Moment, storedMoment } from '../../pod/graph/engine/evaluate/temporal/moment';
import { GraphNode } from '../../pod/graph/engine/evaluate/values';
import { type Kind } from '../pod/graph/support/engine-of-kind';
import { left, type LoadedEngine, right } from '../pod/graph/support/loaded-engine';
import { tablesOf } from './cypher/engine/graph-tables';
import { loadedTables } from './cypher/engine/loaded-graph';

const day = (text: string): Moment => storedMoment('DATE', text);
const time = (text: string): Moment => storedMoment('TIMESTAMP', text);

const nodes = [
  [1n, day('1998-03-01'), time('2024-05-01T10:30:00.000001Z')],
  [2n, day('2011-07-15'), time('2024-05-01T10:30:00.000000Z')],
].map(
  ([id = null, born = null, seen = null], at) => new GraphNode(at, ['N'], new Map(Object.entries({ id, born, seen }))),
);

/** FalkorDB does not compare lists with null, so the pod computes the clause. */
const BY_POD = '[rand() < 2, null] = [true, 2]';

describe.each<Kind>(['graphdb_a', 'graphdb_b'])('dates and times that the pod computes for %s', (kind) => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    const tables = tablesOf({ nodes, relationships: [] });
    if (typeof tables === 'string') throw new Error(tables);
    loaded = await loadedTables(kind, tables);
  });
  afterAll(() => loaded.end());

  test.each([
    ["RETURN date('+012345-01-01') < date('2000-01-01')", [[false]]],
    ["RETURN date('-000044-03-15') < date('2000-01-01')", [[true]]],
    ["WITH date('-000044-03-15') AS d RETURN d.year, d.month, d.day", [[-44, 3, 15]]],
    ["RETURN localdatetime('2024-05-01T10:30:00.001002') > localdatetime('2024-05-01T10:30:00.001')", [[true]]],
    [`MATCH (n:N) RETURN toString(min(n.seen)), ${BY_POD}`, [['2024-05-01T10:30', null]]],
    [`MATCH (n:N) WHERE n.id = 1 RETURN n.seen.millisecond, ${BY_POD}`, [[0, null]]],
    [`MATCH (n:N) WITH n WHERE n.seen = localdatetime('2024-05-01T10:30:00') RETURN n.id, ${BY_POD}`, [[2, null]]],
    ["UNWIND ['1998-03-01'] AS d RETURN d = date('1998-03-01'), d < date('2000-01-01')", [[false, null]]],
    ["MATCH (n:N) WITH n WHERE n.born >= '2000-01-01' RETURN n.id", [[2]]],
    [`MATCH (n:N) WITH n WHERE n.born >= '2000-01-01' RETURN n.id, ${BY_POD}`, [[2, null]]],
    [`MATCH (n:N) WITH n WHERE '2000-01-01' > n.born RETURN n.id, ${BY_POD}`, [[1, null]]],
    [`MATCH (n:N) WITH n WHERE n.seen > '2024-05-01' RETURN count(*), ${BY_POD}`, [[2, null]]],
    [`MATCH (n:N) WITH n WHERE n.born IN ['1998-03-01', 'b'] RETURN n.id, ${BY_POD}`, [[1, null]]],
    ["MATCH (n:N) WITH n WHERE n.seen > datetime('2024-05-01T12:30+02:00') RETURN n.id", [[1]]],
    ["MATCH (n:N) WITH n WHERE n.seen = datetime('2024-05-01T10:30Z') RETURN n.id", [[2]]],
    [
      'MATCH (n:N) WITH n.seen AS seen ORDER BY seen RETURN collect(time({time: seen, timezone: "+02:00"}))',
      [[['12:30+02:00', '12:30:00.000001+02:00']]],
    ],
    [
      'MATCH (n:N) WITH max(n.seen) AS seen RETURN seen, datetime.truncate("week", seen)',
      [['2024-05-01T10:30:00.000001Z', '2024-04-29T00:00Z']],
    ],
    ["MATCH (n:N) WITH min(n.born) AS born RETURN duration.between(born, date('2024-05-01'))", [['P26Y2M']]],
    ["RETURN [time('10:30')] AS t, {d: duration('P1M')} AS d", [[['10:30Z'], { d: 'P1M' }]]],
    [
      'RETURN localdatetime({year: 2024, nanosecond: 1, hour: 0, minute: 0, second: 0}) AS t',
      [['2024-01-01T00:00:00.000000001']],
    ],
    [
      `MATCH (n:N) WHERE n.id = 1 RETURN n.born AS a UNION RETURN datetime('2024-05-01T10:30+02:00') AS a
       UNION RETURN datetime('2024-05-01T10:30+05:00') AS a UNION RETURN duration('P1D') AS a
       UNION RETURN localtime('10:30') AS a`,
      [['1998-03-01'], ['2024-05-01T10:30+02:00'], ['2024-05-01T10:30+05:00'], ['P1D'], ['10:30']],
    ],
    ["RETURN date('2024-05-01') AS a UNION RETURN duration('P1D') AS a", [['2024-05-01'], ['P1D']]],
  ])('%s', async (text, rows) => {
    expect(await loaded.rows(text)).toEqual(rows);
  });

  test('the types of columns have the names of openCypher', async () => {
    const text =
      "RETURN time('10:30') AS a, datetime('2024-05-01') AS b, localdatetime('2024') AS c, duration('P1D') AS d";
    const answer = await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 });
    expect(right(answer).columnTypes).toEqual(['TIME', 'DATETIME', 'LOCALDATETIME', 'DURATION']);
  });

  test.each([
    ['MATCH (n:N) WHERE n.seen > datetime.fromepoch(n.id) MATCH (m:N) RETURN m', 'is not possible', 27],
    ["RETURN date('2024-02-30')", 'In openCypher this is an error: the day 30', 7],
  ])('%s is rejected: %s', async (text, message, offset) => {
    expect(left(await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 }))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining(message) as string,
      position: { line: 1, column: offset + 1 },
    });
  });

  test.each(["n.born = '1998-3-1'", "n.seen = '2024-05-01T10:30:00'", "n.born > 'b'"])(
    '%s is compared by time by DuckDB, and rejected where the pod cannot compare it as FalkorDB does',
    async (condition) => {
      const text = `MATCH (n:N) WITH n WHERE ${condition} RETURN n.id, ${BY_POD}`;
      const answer = await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 });
      expect(answer._tag).toBe(kind === 'graphdb_a' ? 'Right' : 'Left');
    },
  );
});
