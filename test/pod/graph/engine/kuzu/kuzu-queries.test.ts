import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapLeft } from 'fp-ts/Either';
import { type QueryFailure } from '../../../../../pod/graph/engine/graph-engine';
import { KuzuEngine } from '../../../../../pod/graph/engine/kuzu/kuzu-engine';
import { createSampleGraph, type SampleGraph } from '../../../../contracts/graph-engine/sample-graph';
import { left, loadedEngine, right, type LoadedEngine } from '../../support/loaded-engine';
import { mappingOf } from '../../support/snapshot';

const withoutPlace = (failure: QueryFailure): QueryFailure => ({
  ...failure,
  ...('position' in failure && { position: null }),
});

describe('queries of Kuzu', () => {
  let sample: SampleGraph;
  let loaded: LoadedEngine;

  beforeAll(async () => {
    sample = await createSampleGraph();
    const { snapshot, mapping } = sample;
    await snapshot.export('nodes/Number', 'SELECT i AS id FROM range(300000) AS t(i)');
    const numbers = { label: 'Number', primary_key: { name: 'id', type: 'INT64' }, properties: [] } as const;
    const extended = mappingOf(snapshot, {
      node_definitions: [...mapping.node_definitions, numbers],
      edge_definitions: mapping.edge_definitions,
    });
    const directory = await mkdtemp(join(tmpdir(), 'rowgraph-queries-'));
    const engine = new KuzuEngine({ directory, memoryBytes: 2 ** 30, cpuCores: 64, onCrash: () => undefined });
    loaded = await loadedEngine(engine, extended, snapshot, directory);
  });

  afterAll(async () => {
    await loaded.end();
    await sample.snapshot.remove();
  });

  const query = (text: string, parameters: Record<string, unknown> = {}) =>
    loaded.engine.query({ text, parameters, timeoutMs: 20_000 });

  test('the parts of more texts than fit into one vector of the engine are right', async () => {
    const ids = Array.from({ length: 9_000 }, (_, id) => id);
    const text = "MATCH (n:Number) WHERE n.id < 9000 RETURN n.id, split(toString(n.id), '7') ORDER BY n.id";
    expect(await loaded.rows(text)).toEqual(ids.map((id) => [id, String(id).split('7')]));
  });

  const LAST = 'MATCH (n:Number) WHERE n.id > 299997';
  test.each([
    [`${LAST} RETURN sum(CASE WHEN n.id < 299999 THEN 2 ELSE n.id / 4.0 END) AS s`, {}, [74_999.75 + 2]],
    [`${LAST} RETURN sum(coalesce(n.id, 0.0)) AS s`, {}, [599_997]],
    [`${LAST} RETURN collect(CASE WHEN n.id < 299999 THEN n.id ELSE $half END) AS s`, { half: 0.5 }, [[299_998, 0.5]]],
    [`${LAST} RETURN collect(CASE n.id WHEN 299998 THEN 'x' ELSE n.id END) AS s`, {}, [['x', 299_999]]],
    [`${LAST} RETURN percentileCont(n.id, $share) AS s`, { share: 0.5 }, [299_998.5]],
  ])('values of several types keep their types: %s', async (text, parameters, expected) => {
    expect(await loaded.rows(text, parameters)).toEqual([expected]);
  });

  test.each([1.5, -1])('percentiles of a share of %d are rejected', async (share) => {
    for (const written of ['$share', String(share)])
      expect(left(await query(`MATCH (n:Number) RETURN percentileDisc(n.id, ${written})`, { share }))).toMatchObject({
        kind: 'rejected',
        message: 'percentileDisc needs a number from 0 to 1.',
      });
  });

  test.each([
    ['WITH 1 AS x WHERE x = 1 RETURN x', '[[1]]'],
    ['WITH 1 AS x WHERE x = 2 RETURN *', '[]'],
    ['WITH DISTINCT 1 AS x WITH x + 1 AS y WHERE y > 1 RETURN *', '[[2]]'],
    ['WITH 1 AS x LIMIT 1 WHERE true RETURN x', '[[1]]'],
    ['WITH count(*) AS rows WHERE rows = 1 RETURN rows', '[[1]]'],
    ['WITH [1, 2] AS l WHERE size(l) = $size RETURN l', '[[[1,2]]]'],
    ['WITH "WHERE" AS `MATCH` WHERE `MATCH` <> "" RETURN *', '[["WHERE"]]'],
    ['WITH 36 AS a WHERE EXISTS { MATCH (p:Person) WHERE p.age = a } RETURN a', '[[36]]'],
    ['WITH EXISTS { MATCH (:Person) WHERE true } AS some WHERE some RETURN some', '[[true]]'],
    ['WITH "ada" AS name WHERE name <> "" MATCH (p:Person {name: name}) RETURN p.age', '[[36]]'],
    ['WITH 1 AS x WHERE x = 1 RETURN x UNION ALL WITH 1 AS x WHERE x = 1 RETURN x', '[[1],[1]]'],
    ['RETURN 1 AS x UNION WITH 1 AS x WHERE x = 1 RETURN x', '[[1]]'],
    ['MATCH (:City) RETURN 1 AS x UNION WITH 1 AS x WHERE x = 1 RETURN x', '[[1]]'],
  ])('constants can be filtered: %s', async (text, expected) => {
    const pids = loaded.engine.processIds();
    expect(right(await query(text, { size: 2n })).rowsJson).toBe(expected);
    expect(loaded.engine.processIds()).toEqual(pids);
  });

  test('a filter on constants can be explained, and errors refer to the original text', async () => {
    expect(right(await query('EXPLAIN WITH 1 AS x WHERE x = 1 RETURN x')).rowCount).toBe(1);
    expect(left(await query('WITH 1 AS x\nWHERE x = = 1 RETURN x'))).toMatchObject({
      position: { line: 2, column: 11 },
    });
    expect(left(await query('WITH *, 1 AS x WHERE x = 1 RETURN *'))).toMatchObject({ kind: 'rejected' });
  });

  test.each([
    ['MATCH (c:City) RETURN labels(c)[0] AS l, count(*)', '[["City",2]]'],
    ['MATCH (p:Person) RETURN DISTINCT labels(p)[0] ORDER BY labels(p)[0]', '[["Person"]]'],
    [
      'MATCH (c) WHERE "City" IN labels(c) UNWIND labels(c) AS l RETURN l, size(labels(c)) AS s, count(*)',
      '[["City",1,2]]',
    ],
    ['MATCH ()-[k]->() RETURN type(k) AS t, count(*) ORDER BY t', '[["KNOWS",2],["LIVES_IN",2]]'],
    ['MATCH ()-[k]->() WHERE TYPE( k ) = "KNOWS" RETURN count(*)', '[[2]]'],
    [
      'MATCH (p:Person {name: "cyd"}) OPTIONAL MATCH (p)-[k:KNOWS]->(q:Person) RETURN type(k), labels(q)[0]',
      '[[null,null]]',
    ],
    ['MATCH ()-[k:KNOWS]->() WITH k AS r RETURN DISTINCT type(r)', '[["KNOWS"]]'],
    [
      'MATCH w = (:Person {name: "ada"})-[:KNOWS*1..2]->() UNWIND rels(w) AS r RETURN type(r), length(w) ORDER BY length(w)',
      '[["KNOWS",1],["KNOWS",2],["KNOWS",2]]',
    ],
  ])('labels and types work as in openCypher: %s', async (text, expected) => {
    expect(loaded.engine.analyse(text).refusal).toBeNull();
    expect(right(await query(text)).rowsJson).toBe(expected);
  });

  test.each([
    ['RETURN [7, 8][0]', {}, 7],
    ['MATCH (n:City) WITH collect(n.id) AS l RETURN l[9]', {}, null],
    ['RETURN $list[ 0 ]', { list: [5n, 6n] }, 5],
    ['RETURN [7, 8][$at]', { at: -1n }, 8],
    ['RETURN substring("hello", 0, 2)', {}, 'he'],
    ['RETURN reverse([1, 2])', {}, [2, 1]],
    ['MATCH (n:Person {name: "ada"}) RETURN size((n)-[:KNOWS]->())', {}, 1],
    ['MATCH (n:City) RETURN labels(n)[1] LIMIT 1', {}, null],
    ['MATCH p = (:Person {name: "ada"})-[:KNOWS]->() RETURN label(nodes(p)[1])', {}, 'Person'],
    ['MATCH p = (:Person {name: "ada"})-[:KNOWS]->() RETURN type(relationships(p)[0])', {}, 'KNOWS'],
    ['MATCH (n:Person {name: "ada"}) RETURN labels(collect(n)[0])', {}, ['Person']],
    ['RETURN [x IN [1, 2, 3] WHERE x > 1 | x * 10][0..1]', {}, [20]],
    ['RETURN reduce(s = 0.5, x IN [1, 2] | s + x)', {}, 3.5],
    ['RETURN reduce(s = "", x IN [1, 2] | s + toString(x))', {}, '12'],
    ['WITH {a: 1} AS m RETURN m.missing', {}, null],
    ['RETURN date("2015-W30-2") = date({year: 2015, ordinalDay: 202})', {}, true],
    ['RETURN date("2024-05-05").dayOfWeek', {}, 7],
    [
      'UNWIND $rows AS row RETURN collect(row.b)',
      {
        rows: [
          { a: 1n, b: null },
          { a: 2n, b: 3n },
        ],
      },
      [3],
    ],
    ['MATCH (p:Person {name: "ada"}) CALL (p) { MATCH (p)-[:KNOWS]->() RETURN count(*) AS c } RETURN c', {}, 1],
    ['MATCH (p:Person {name: "ada"}) RETURN [(p)-[:KNOWS]->(q) | q.name + "!"]', {}, ['bob!']],
    ['RETURN split("a,,b", ",")', {}, ['a', '', 'b']],
    ['RETURN replace("a.c", ".", "\\\\1")', {}, 'a\\1c'],
    ['UNWIND [1, 2, 3, 4] AS x RETURN percentileCont(x, 0.5)', {}, 2.5],
    ['UNWIND ["7", " 8.9", "x"] AS x RETURN collect(toInteger(x))', {}, [7, 8]],
    ['UNWIND [1.0, 0.1] AS x RETURN collect(toString(x))', {}, ['1.0', '0.1']],
  ])('functions and lists work as in openCypher: %s', async (text, parameters, expected) => {
    expect(JSON.parse(right(await query(text, parameters)).rowsJson)).toEqual([[expected]]);
  });

  test.each([
    ['MATCH (p:Person {name: $value}) RETURN p', ['ada', 'nobody', "o'x", '\\', '']],
    ['MATCH (c:City) WHERE c.id = $value RETURN c.title', [1n, 2n, 1.5, '1', true]],
    ['MATCH (p:Person) WHERE p.age >= $value RETURN p.name ORDER BY p.name', [36n, '36', -1n, 0n]],
    ['MATCH (p:Person) WHERE p.born = $value RETURN p.name', ['1815-12-10', 'soon', 5n]],
    ['MATCH (p:Person) WHERE p.seen > $value RETURN p.seen', ['2024-02-01 00:00:00']],
    ['MATCH (p:Person) WHERE p.name STARTS WITH $value RETURN p.big', ['a', 5n]],
    ['MATCH (p:Person) WHERE $value OR p.active RETURN p.name ORDER BY p.name', [true, false, 1n, 'true']],
    ['MATCH (p:Person) WHERE p.score = $value RETURN p.name', [1.5, 1n, 0.1]],
    ['MATCH (p:Person) RETURN p.name ORDER BY p.name LIMIT $value', [0n, 1n, -1n, 1.5, 'x']],
    ['MATCH (p:Person) RETURN p.name ORDER BY p.name SKIP $value', [0n, 1n]],
    ['MATCH (:Person {name: "ada"})-[k:KNOWS*1..2]->(p) WHERE p.name <> $value RETURN p.name', ['cyd', 7n]],
    ['RETURN $value + 1 AS x', [1n, 1.5, true, 2147483647n, -2147483649n]],
    ['RETURN $value / 2 AS x', [5n, 5.5]],
    ['RETURN [$value, 2] AS x', [1n, 1.5, 'a']],
    ['RETURN {a: $value} AS x', [1n, 'a']],
    ['RETURN CAST($value AS DATE) AS x, typeof($value) AS t', ['2024-01-01', 'never', 4n, 4.5, false]],
    ['RETURN CASE WHEN $value = 1 THEN "one" ELSE "other" END AS x', [1n, 2n, '1']],
    ['RETURN size($value) AS x', ['abc', 5n]],
    ['RETURN $value.name AS x', ['abc']],
    ['WITH $value AS x WHERE x = 1 RETURN x', [1n, 2n]],
    ['UNWIND range(1, $value) AS x RETURN sum(x) AS s', [3n, 'x']],
    ['RETURN $value AS x UNION ALL RETURN 1 AS x', [2n, 'x']],
    ['MATCH (p:Person) RETURN count(p) + $value AS c, $value AS same', [1n, 0.5]],
  ])('a parameter has the same effect as its literal: %s', async (text, values) => {
    const literal = (value: unknown): string =>
      typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : `(${String(value)})`;
    for (const value of [...values, ...values]) {
      const [sent, written] = [
        await query(text, { value }),
        await query(text.replaceAll('$value', () => literal(value))),
      ];
      // The texts differ, and so do the positions in them.
      expect([value, mapLeft(withoutPlace)(sent)]).toEqual([value, mapLeft(withoutPlace)(written)]);
    }
  });

  test.each([
    'n.id > $least',
    'n.id > 299998.5',
    '299998.5 < n.id',
    'n.id >= 299999.0',
    'n.id = 299999.0',
    'n.id > 2999985e-1',
    'n.id > 299998 + .5',
    'n.id > to_double("299998.5")',
    'n.id > `to_double`("299998.5")',
    'n.id > 2 ^ 18 + 37854',
    'n.id > 299998.5 AND $other IS NULL',
    'n.id > $least AND $other IS NULL',
  ])('integers are compared with fractions: %s', async (filter) => {
    const text = `MATCH (n:Number) WHERE ${filter} RETURN n.id`;
    expect(await loaded.rows(text, { least: 299_998.5, other: null })).toEqual([[299_999]]);
  });

  test('dates are compared with times', async () => {
    const text = `MATCH (p:Person) WHERE p.born > timestamp('2024-02-28 12:00:00') RETURN p.name`;
    expect(await loaded.rows(text)).toEqual([['bob']]);
  });

  test('several statements are rejected before the first of them runs', async () => {
    const texts = ['RETURN 1; ROLLBACK; MATCH (n) DETACH DELETE n', 'RETURN 1; COMMIT; RETURN 1'];
    for (const text of texts) {
      expect(left(await query(text))).toMatchObject({ kind: 'rejected', message: 'Send one statement at a time.' });
    }
  });

  // With one processor the engine has one worker, and all queries wait.
  (availableParallelism() > 1 ? test : test.skip)('lookups are answered while a long query runs', async () => {
    let ended = false;
    const long = loaded.engine
      .query({ text: 'MATCH (a:Number), (b:Number) RETURN sum(a.id * b.id)', parameters: {}, timeoutMs: 5_000 })
      .then((answer) => {
        ended = true;
        return answer;
      });
    for (let id = 0; id < 20; id++) {
      expect(await loaded.rows('MATCH (n:Number {id: $id}) RETURN n.id', { id: BigInt(id) })).toEqual([[id]]);
    }
    expect(ended).toBe(false);
    expect(left(await long)).toEqual({ kind: 'timeout', timeoutMs: 5_000 });
  });

  describe('a text that was quick before', () => {
    const products = 'UNWIND range(1, $n) AS i UNWIND range(1, $n) AS j RETURN sum(i * j)';

    beforeEach(async () => {
      for (let turn = 0; turn < 20; turn++) expect(await loaded.rows(products, { n: 2n })).toEqual([[9]]);
    });

    test('is answered when it takes long, as are others after it', async () => {
      expect(await loaded.rows(products, { n: 10_000n })).toEqual([[50_005_000 ** 2]]);
      expect(await loaded.rows(products, { n: 3n })).toEqual([[36]]);
    });

    test('ends at its timeout, and does not block others until then', async () => {
      let ended = false;
      const endless = loaded.engine
        .query({ text: products, parameters: { n: 300_000n }, timeoutMs: 3_000 })
        .finally(() => (ended = true));
      expect(await loaded.rows('RETURN 1')).toEqual([[1]]);
      expect(ended).toBe(false);
      expect(left(await endless)).toEqual({ kind: 'timeout', timeoutMs: 3_000 });
      expect(await loaded.rows(products, { n: 3n })).toEqual([[36]]);
    });

    test('fails as it would have failed the first time', async () => {
      const inverse = 'RETURN 1 / $n';
      for (let turn = 0; turn < 10; turn++) expect(await loaded.rows(inverse, { n: 1n })).toEqual([[1]]);
      const failure = left(await query(inverse, { n: 0n }));
      expect(failure).toEqual(left(await query('RETURN 1 / $m', { m: 0n })));
      expect(await loaded.rows(inverse, { n: 1n })).toEqual([[1]]);
    });
  });

  test('a query that cannot be interrupted is ended at its timeout, with the engine; other queries are answered', async () => {
    const endless = { text: 'RETURN factorial(1000000000000)', parameters: {}, timeoutMs: 2_000 };
    const asked = loaded.engine.query(endless);
    const innocent = query('UNWIND range(1, 1500) AS a UNWIND range(1, 60000) AS b RETURN count(a + b)');
    expect(left(await asked)).toEqual({ kind: 'timeout', timeoutMs: 2_000 });
    expect(right(await innocent).rowsJson).toBe('[[90000000]]');
  });

  test('hundreds of different texts are answered one after the other', async () => {
    for (let number = 0; number < 200; number++) {
      expect(await loaded.rows(`MATCH (c:City {id: $id}) RETURN c.title, ${number}`, { id: 1n })).toEqual([
        ['Bern', number],
      ]);
    }
  });
});
