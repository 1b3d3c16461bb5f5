import { type Moment, storedMoment } from '../../pod/graph/engine/evaluate/temporal/moment';
import { GraphNode } from '../../pod/graph/engine/evaluate/values';
import { type LoadedEngine, left } from '../pod/graph/support/loaded-engine';
import { tablesOf } from './cypher/engine/graph-tables';
import { type Kind, loadedTables } from './cypher/engine/loaded-graph';

const day = (text: string): Moment => storedMoment('DATE', text);
const time = (text: string): Moment => storedMoment('TIMESTAMP', text);

const nodes = [
  [1n, day('1998-03-01'), time('2024-05-01T10:30:00.000001Z')],
  [2n, day('2011-07-15'), time('2024-05-01T10:30:00.000000Z')],
].map(
  ([id = null, born = null, seen = null], at) => new GraphNode(at, ['N'], new Map(Object.entries({ id, born, seen }))),
);

/** No engine compares lists with null, so the pod computes the clause. */
const BY_POD = '[1, null] = [1, 2]';

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
  ])('%s', async (text, rows) => {
    expect(await loaded.rows(text)).toEqual(rows);
  });

  test.each(["n.born = '1998-3-1'", "n.seen = '2024-05-01T10:30:00'", "n.born > 'b'"])(
    '%s is rejected, because one kind compares by time and the other by text',
    async (condition) => {
      const text = `MATCH (n:N) WITH n WHERE ${condition} RETURN n.id, ${BY_POD}`;
      expect(left(await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 }))).toMatchObject({
        kind: 'rejected',
      });
    },
  );
});
