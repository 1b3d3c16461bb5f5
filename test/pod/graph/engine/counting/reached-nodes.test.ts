import { Choice } from '../../../../support/choice';
import { type LoadedEngine } from '../../support/loaded-engine';
import { loadMultigraph } from './multigraph';

const NODES = 300;
const choice = new Choice(20261128);
const node = (): number => 1 + ((choice.of([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) * 31 + choice.of([0, 7, 13, 29])) % NODES);
const ids = Array.from({ length: NODES }, (_, at) => at + 1);
/** So many cycles that the walks cannot be counted; each node has an edge to the next one of its half. */
const edges = [
  ...ids.filter((id) => id !== NODES / 2 && id !== NODES).map((id) => [id, id + 1] as const),
  ...Array.from({ length: 900 }, () => [node(), node()] as const),
];

const reached = (starts: readonly number[], [min, max]: readonly [number, number], isForward: boolean): number[] => {
  const next = (from: ReadonlySet<number>): Set<number> =>
    new Set(edges.flatMap(([a, b]) => (isForward ? (from.has(a) ? [b] : []) : from.has(b) ? [a] : [])));
  const all = new Set(min === 0 ? starts : []);
  let last: ReadonlySet<number> = new Set(starts);
  for (let depth = 1; depth <= max && depth <= NODES; depth += 1) {
    last = next(last);
    for (const id of last) all.add(id);
  }
  return [...all].sort((a, b) => a - b);
};

const LENGTHS: readonly (readonly [string, readonly [number, number]])[] = [
  ['*', [1, Infinity]],
  ['*0..', [0, Infinity]],
  ['*1..4', [1, 4]],
  ['*0..5', [0, 5]],
  ['*..7', [1, 7]],
];

describe('DuckDB, asked for the nodes that walks reach', () => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    loaded = await loadMultigraph('graphdb_a', {
      nodes: ids.map((id) => ({ id, label: 'N' })),
      edges: edges.map(([from, to], w) => ({ type: 'E', from, to, w })),
    });
  });
  afterAll(() => loaded.end());

  test.each(LENGTHS)('returns those of %s in a graph with many cycles', async (length, bounds) => {
    for (const start of [1, 140, NODES]) {
      const forward = await loaded.rows(
        `MATCH (a:N {id: $start})-[:E${length}]->(b) RETURN DISTINCT b.id ORDER BY b.id`,
        {
          start: BigInt(start),
        },
      );
      expect(forward.flat()).toEqual(reached([start], bounds, true));
      const backward = `MATCH (a:N {id: $start})<-[:E${length}]-(b:N) WHERE b.id > 100 RETURN count(DISTINCT b)`;
      expect(await loaded.rows(backward, { start: BigInt(start) })).toEqual([
        [reached([start], bounds, false).filter((id) => id > 100).length],
      ]);
    }
  });

  test('finds out from which nodes another one can be reached', async () => {
    const query =
      'MATCH (a:N) WHERE a.id % 20 = 0 AND EXISTS { MATCH (a)-[:E*]->(:N {id: 200}) } RETURN a.id ORDER BY a.id';
    const sources = reached([200], [1, Infinity], false);
    expect((await loaded.rows(query)).flat()).toEqual(ids.filter((id) => id % 20 === 0 && sources.includes(id)));
  });
});
