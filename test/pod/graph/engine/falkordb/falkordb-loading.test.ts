import { waitFor } from '../../../../support/wait-for';
import { falkordb } from '../../support/falkordb';
import { left, type LoadedEngine, loadedEngine, loadInto, right, scratchDirectory } from '../../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot } from '../../support/snapshot';

const text = (name: string) => ({ name, type: 'STRING' }) as const;
const number = (name: string) => ({ name, type: 'INT64' }) as const;
const edges = (type: string, from_node: string, to_node: string) => ({
  type,
  from_node,
  to_node,
  from_key: 'a',
  to_key: 'b',
  properties: [number('n')],
});
const mapping = {
  node_definitions: [
    { label: 'Person', primary_key: number('id'), properties: [text('name')] },
    { label: 'City', primary_key: number('id'), properties: [text('name')] },
  ],
  edge_definitions: [edges('KNOWS', 'Person', 'Person'), edges('LIVES_IN', 'Person', 'City')],
};

/** Rows of the four definitions as DuckDB SQL. */
interface Rows {
  readonly people: string;
  readonly cities: string;
  readonly knows: string;
  readonly livesIn: string;
}

const exported = async ({ people, cities, knows, livesIn }: Rows): Promise<Snapshot> => {
  const snapshot = await createSnapshot();
  await snapshot.export('nodes/Person', people);
  await snapshot.export('nodes/City', cities);
  await snapshot.export('edges/KNOWS', knows);
  await snapshot.export('edges/LIVES_IN', livesIn);
  return snapshot;
};

const nodes = (count: number): string => `SELECT i AS id, 'name ' || i AS name FROM range(${count}) AS t(i)`;
const joining = (pairs: readonly (readonly [number, number])[]): string =>
  `SELECT a, b, n FROM (VALUES ${pairs.map(([a, b], n) => `(${a}::BIGINT, ${b}::BIGINT, ${n}::BIGINT)`).join(', ')}) AS t(a, b, n)`;

const withGraph = async (rows: Rows, check: (loaded: LoadedEngine) => Promise<void>): Promise<void> => {
  const snapshot = await exported(rows);
  const directory = await scratchDirectory();
  const loaded = await loadedEngine(falkordb(directory), mappingOf(snapshot, mapping), snapshot, directory);
  try {
    await check(loaded);
    await killServer(loaded);
    await check(loaded);
  } finally {
    await loaded.end();
    await snapshot.remove();
  }
};

const killServer = async ({ engine }: LoadedEngine): Promise<void> => {
  process.kill(engine.processIds()[0]!, 'SIGKILL');
  await waitFor('the engine answers again', async () => {
    const answer = await engine.query({ text: 'RETURN 1', parameters: {}, timeoutMs: 5_000 });
    return answer._tag === 'Right';
  });
};

test('parallel edges, loops and edges of two types between the same labels are found from both ends, even after a crash', async () => {
  const knows: [number, number][] = [[3, 1], [0, 0], [3, 1], [1, 3], [3, 1], [2, 0], [0, 0], [2, 1]]; // prettier-ignore
  const livesIn: [number, number][] = [[0, 1], [3, 1], [0, 1]]; // prettier-ignore
  const triples = (pairs: [number, number][]) => pairs.map(([a, b], n) => [a, b, n]);
  const rows = { people: nodes(4), cities: nodes(2), knows: joining(knows), livesIn: joining(livesIn) };
  await withGraph(rows, async ({ rows: ask }) => {
    for (const [type, pairs] of [
      ['KNOWS', knows],
      ['LIVES_IN', livesIn],
    ] as const) {
      // prettier-ignore
      const answered = 'RETURN a.id, b.id, r.n ORDER BY r.n';
      expect(await ask(`MATCH (a)-[r:${type}]->(b) ${answered}`)).toEqual(triples(pairs));
      expect(await ask(`MATCH (b) MATCH (b)<-[r:${type}]-(a) ${answered}`)).toEqual(triples(pairs));
    }
    expect(await ask('MATCH (a:Person {id: 3})-[r]->(b) RETURN labels(b), count(r) ORDER BY count(r)')).toEqual([
      [['City'], 1],
      [['Person'], 3],
    ]);
    expect(await ask('MATCH (c:City)<-[:LIVES_IN]-(p) WHERE p.name = "name 3" RETURN c.name')).toEqual([['name 1']]);
  });
});

test.each([0, 1, 16_383, 16_384, 16_385, 40_000])(
  'a graph of %p people and as many cities has each of its edges from both ends',
  async (count) => {
    const ends = (factor: number) =>
      `SELECT i AS a, (i * ${factor}) % ${Math.max(count, 1)} AS b, i % 7 AS n FROM range(${count * 2}) AS u(j), LATERAL (SELECT j // 2 AS i)`;
    const rows = { people: nodes(count), cities: nodes(count), knows: ends(7919), livesIn: ends(3) };
    const outgoing = async (ask: LoadedEngine['rows'], type: string, pattern: string): Promise<unknown> => {
      const sums = 'count(r), count(DISTINCT a), sum(r.n), sum(a.id), sum(b.id), sum((a.id * 31 + b.id) % 1009)';
      return ask(`MATCH ${pattern.replace('TYPE', type)} RETURN ${sums}`);
    };
    await withGraph(rows, async ({ rows: ask }) => {
      for (const [type, factor] of [
        ['KNOWS', 7919],
        ['LIVES_IN', 3],
      ] as const) {
        // prettier-ignore
        let [n, a, b, mixed] = [0, 0, 0, 0];
        for (let i = 0; i < count; i++) {
          const to = (i * factor) % count;
          n += 2 * (i % 7);
          a += 2 * i;
          b += 2 * to;
          mixed += 2 * ((i * 31 + to) % 1009);
        }
        const expected = [[2 * count, count, n, a, b, mixed]];
        expect(await outgoing(ask, type, '(a:Person)-[r:TYPE]->(b)')).toEqual(expected);
        expect(await outgoing(ask, type, '(b)<-[r:TYPE]-(a:Person)')).toEqual(expected);
      }
      expect(await ask('MATCH (p:Person) RETURN count(p)')).toEqual([[count]]);
      expect(await ask('MATCH (c:City) RETURN count(c.name)')).toEqual([[count]]);
    });
  },
);

test('labels, types and properties exist in the order of the mapping, even without rows, and nodes are numbered in the order of their rows', async () => {
  const none = 'SELECT 1::BIGINT AS a, 1::BIGINT AS b, 1::BIGINT AS n WHERE false';
  const people = `SELECT 50000 - i AS id, '' AS name FROM range(50000) AS t(i)`;
  const rows = { people, cities: `${nodes(1)} WHERE false`, knows: none, livesIn: none };
  await withGraph(rows, async ({ rows: ask }) => {
    expect(await ask('CALL db.labels()')).toEqual([['Person'], ['City']]);
    expect(await ask('CALL db.relationshipTypes()')).toEqual([['KNOWS'], ['LIVES_IN']]);
    expect(await ask('CALL db.propertyKeys()')).toEqual([['id'], ['name'], ['n']]);
    expect(await ask('MATCH (p:Person) WHERE id(p) + p.id = 50000 RETURN count(p)')).toEqual([[50_000]]);
  });
});

test('two nodes can have a hundred thousand edges between them', async () => {
  const count = 100_000;
  const many = `SELECT 1::BIGINT AS a, 2::BIGINT AS b, i AS n FROM range(${count}) AS t(i)`;
  const rows = { people: nodes(3), cities: nodes(1), knows: many, livesIn: joining([[2, 0]]) };
  await withGraph(rows, async ({ rows: ask }) => {
    const sums = [[count, (count * (count - 1)) / 2]];
    expect(await ask('MATCH (:Person {id: 1})-[r]->(:Person {id: 2}) RETURN count(r), sum(r.n)')).toEqual(sums);
    expect(await ask('MATCH (:Person)<-[r:KNOWS]-(:Person) RETURN count(r), sum(r.n)')).toEqual(sums);
  });
});

test('texts of any length are loaded completely, including those longer than a block', async () => {
  const lengths = [0, 1, 23, 24, 25, 600_000, 2 ** 22 - 1, 2 ** 22, 5_000_000, 12_000_000];
  const people = lengths
    .map((length, id) => `SELECT ${id}::BIGINT AS id, repeat('x', ${length}) AS name`)
    .join(' UNION ALL ');
  const rows = { people, cities: nodes(1), knows: joining([[0, 1]]), livesIn: joining([[2, 0]]) };
  await withGraph(rows, async ({ rows: ask }) => {
    const found = await ask("MATCH (p:Person) RETURN p.id, size(p.name), replace(p.name, 'x', '') ORDER BY p.id");
    expect(found).toEqual(lengths.map((length, id) => [id, length, '']));
  });
});

test('a server that exits during the load fails the load with its exit reason, and the next load succeeds', async () => {
  const snapshot = await exported({ people: nodes(300_000), cities: nodes(1), knows: joining([[0, 1]]), livesIn: joining([[2, 0]]) }); // prettier-ignore
  const directory = await scratchDirectory();
  const engine = falkordb(directory);
  const schemaOnly = { nodeTables: [], edgeTables: [] };
  try {
    right(await engine.start());
    right(await engine.createSchema(schemaOnly));
    process.kill(engine.processIds()[0]!, 'SIGKILL');
    expect(left(await engine.finishLoading()).reason).toContain('SIGKILL');
    right(await engine.start());
    right(await loadInto(engine, mappingOf(snapshot, mapping), snapshot, directory));
    const answer = right(
      await engine.query({ text: 'MATCH (p:Person) RETURN count(p)', parameters: {}, timeoutMs: 20_000 }),
    );
    expect(answer.rowsJson).toBe('[[300000]]');
  } finally {
    await engine.close();
    await snapshot.remove();
  }
});

test.each([3, 20_000])('each of %p nodes is found by its key, even after a crash', async (count) => {
  const rows = { people: nodes(count), cities: nodes(count), knows: joining([[0, 0]]), livesIn: joining([[0, 0]]) };
  await withGraph(rows, async ({ rows: ask }) => {
    for (const label of ['Person', 'City']) {
      for (const id of [0, 1, 2, count - 1]) {
        const found = await ask(`MATCH (n:${label} {id: ${id}}) RETURN n.name`);
        expect([label, id, found]).toEqual([label, id, [[`name ${id}`]]]);
      }
    }
  });
});
