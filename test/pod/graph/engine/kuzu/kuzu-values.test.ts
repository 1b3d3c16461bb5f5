import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { KuzuEngine } from '../../../../../pod/graph/engine/kuzu/kuzu-engine';
import { createSampleGraph, type SampleGraph } from '../../../../contracts/graph-engine/sample-graph';
import { loadedEngine, right, type LoadedEngine } from '../../support/loaded-engine';
import { mappingOf } from '../../support/snapshot';

const HUGE = '9007199254740993';

describe('values of Kuzu', () => {
  let sample: SampleGraph;
  let loaded: LoadedEngine;

  beforeAll(async () => {
    sample = await createSampleGraph();
    const { snapshot, mapping } = sample;
    await snapshot.export(
      'nodes/Thing',
      `SELECT 1::BIGINT AS id, [${HUGE}::BIGINT, 1] AS numbers, MAP {'k': ${HUGE}::BIGINT} AS counts,
              {'at': TIMESTAMP '2024-01-01 00:00:00.000007', 'n': 0.1::DOUBLE} AS detail,
              '\\xAA\\x00'::BLOB AS bytes, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID AS uid, 'text' AS score,
              TIMESTAMP '1969-12-31 23:59:59.999999' AS early`,
    );
    const directory = await mkdtemp(join(tmpdir(), 'rowgraph-values-'));
    const engine = new KuzuEngine({ directory, memoryBytes: 2 ** 30, cpuCores: 2, onCrash: () => undefined });
    const things = {
      label: 'Thing',
      primary_key: { name: 'id', type: 'INT64' },
      properties: [
        { name: 'numbers', type: 'LIST' },
        { name: 'counts', type: 'MAP' },
        { name: 'detail', type: 'STRUCT' },
        { name: 'bytes', type: 'BLOB' },
        { name: 'uid', type: 'UUID' },
        { name: 'score', type: 'STRING' },
        { name: 'early', type: 'TIMESTAMP' },
      ],
    } as const;
    const extended = mappingOf(snapshot, {
      node_definitions: [...mapping.node_definitions, things],
      edge_definitions: mapping.edge_definitions,
    });
    loaded = await loadedEngine(engine, extended, snapshot, directory);
  });

  afterAll(async () => {
    await loaded.end();
    await sample.snapshot.remove();
  });

  const json = async (text: string): Promise<string> =>
    right(await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 })).rowsJson;

  test.each([
    ['numbers beyond 2^53', `RETURN ${HUGE} AS x, -${HUGE} AS y`, `[[${HUGE},-${HUGE}]]`],
    [
      '128-bit numbers',
      'RETURN CAST("170141183460469231731687303715884105727" AS INT128) AS x',
      '[[170141183460469231731687303715884105727]]',
    ],
    ['unsigned numbers', 'RETURN CAST("18446744073709551615" AS UINT64) AS x', '[[18446744073709551615]]'],
    ['lists of lists', `RETURN [[${HUGE}], []] AS x`, `[[[[${HUGE}],[]]]]`],
    ['maps', `RETURN map(["a", "b"], [${HUGE}, 1]) AS x`, `[[{"a":${HUGE},"b":1}]]`],
    ['structs', `RETURN {a: ${HUGE}, b: "x", c: 1.5} AS x`, `[[{"a":${HUGE},"b":"x","c":1.5}]]`],
    ['decimals', 'RETURN CAST("1234567890123456.10" AS DECIMAL(18, 2)) AS x', '[[1234567890123456.10]]'],
    ['intervals', 'RETURN interval("1 year 2 days 3 microseconds") AS x', '[["P1Y2DT0.000003S"]]'],
    ['infinities', 'RETURN CAST("inf" AS DOUBLE) AS a, CAST("-inf" AS DOUBLE) AS b', '[["Infinity","-Infinity"]]'],
    ['tiny and huge doubles', 'RETURN 1e-300 AS a, 1e300 AS b, 0.1 AS c', '[[1e-300,1e+300,0.1]]'],
    ['texts', `RETURN 'a"b\\\\c' AS x, "\u2028é😀" AS y`, '[["a\\"b\\\\c","\u2028é😀"]]'],
    ['bytes and uuids', 'MATCH (t:Thing) RETURN t.bytes, t.uid', '[["qgA=","a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]]'],
    ['nested timestamps', 'MATCH (t:Thing) RETURN t.detail AS x', '[[{"at":"2024-01-01T00:00:00.000007Z","n":0.1}]]'],
    ['times before 1970', 'MATCH (t:Thing) RETURN t.early AS x', '[["1969-12-31T23:59:59.999999Z"]]'],
    [
      'dates of any century',
      'RETURN date("0001-01-01") AS a, date("9999-12-31") AS b',
      '[["0001-01-01","9999-12-31"]]',
    ],
    [
      'aggregates',
      'MATCH (p:Person) RETURN max(p.big) AS b, min(p.seen) AS s',
      `[[${HUGE},"2024-01-31T10:00:00.123456Z"]]`,
    ],
    [
      'collected values',
      'MATCH (p:Person) WHERE p.big > 0 RETURN collect(p.seen) AS s, collect(p.big) AS b',
      `[[["2024-01-31T10:00:00.123456Z"],[${HUGE}]]]`,
    ],
    [
      'sorted values',
      'MATCH (p:Person) WHERE p.age > 0 RETURN p.seen AS seen ORDER BY seen DESC',
      '[["2024-02-29T23:59:59.000Z"],["2024-01-31T10:00:00.123456Z"]]',
    ],
    [
      'sorting by what is not returned',
      'MATCH (p:Person) WHERE p.age > 0 RETURN p.seen ORDER BY p.age DESC LIMIT 1',
      '[["2024-02-29T23:59:59.000Z"]]',
    ],
    ['distinct values', 'MATCH (p:Person) WHERE p.big > 0 RETURN DISTINCT p.big AS big', `[[${HUGE}]]`],
    [
      'a star',
      'MATCH (c:City {id: 1}) WITH c.id AS id, timestamp("2024-01-01 00:00:00.5") AS t RETURN *',
      '[[1,"2024-01-01T00:00:00.500Z"]]',
    ],
    [
      'the star of a node',
      'MATCH (p:Person {name: "ada"}) RETURN p.*',
      `[["ada",36,${HUGE},1.5,"2024-01-31T10:00:00.123456Z","1815-12-10",true]]`,
    ],
    [
      'collected nodes',
      'MATCH (p:Person {name: "ada"}) RETURN collect(p) AS people',
      `[[[{"_id":"Person:ada","_label":"Person","name":"ada","age":36,"big":${HUGE},"score":1.5,"seen":"2024-01-31T10:00:00.123456Z","born":"1815-12-10","active":true}]]]`,
    ],
    [
      'a node in a map',
      'MATCH (p:Person {name: "ada"}) RETURN {person: p} AS wrapped',
      `[[{"person":{"_id":"Person:ada","_label":"Person","name":"ada","age":36,"big":${HUGE},"score":1.5,"seen":"2024-01-31T10:00:00.123456Z","born":"1815-12-10","active":true}}]]`,
    ],
    ['ids', 'MATCH (p:Person {name: "ada"}) RETURN id(p) AS id', '[["Person:ada"]]'],
    ['nothing', 'MATCH (p:Person {name: "nobody"}) RETURN p, p.seen', '[]'],
    ['null', 'OPTIONAL MATCH (p:Person {name: "nobody"}) RETURN p, p.seen', '[[null,null]]'],
    ['procedures', 'CALL show_tables() WHERE type = "REL" RETURN name ORDER BY name', '[["KNOWS"],["LIVES_IN"]]'],
  ])('%s are returned exactly, on the first and the second run', async (_, text, expected) => {
    expect(await json(text)).toBe(expected);
    expect(await json(text)).toBe(expected);
  });

  test('unions are returned exactly, in any order of the engine', async () => {
    const union = `RETURN ${HUGE} AS x UNION ALL RETURN 1 AS x`;
    for (const _run of ['first', 'second']) {
      expect([`[[${HUGE}],[1]]`, `[[1],[${HUGE}]]`]).toContain(await json(union));
    }
  });

  test('the nodes and relationships of a variable-length pattern are exact', async () => {
    const text = 'MATCH (:Person {name: "ada"})-[k:KNOWS*2..2]->(:Person) RETURN rels(k) AS r, nodes(k) AS n';
    const [[rels, nodes]] = JSON.parse(await json(text)) as [[Record<string, unknown>[], Record<string, unknown>[]]];
    expect(rels.map(({ since }) => since)).toEqual(['2020-05-01T08:30:00.000001Z', '2021-05-01T08:30:00.000002Z']);
    expect(nodes.map(({ _id: id, big }) => [id, String(big)])).toEqual([['Person:bob', '-9223372036854776000']]);
  });

  test('a property with different types by label is exact where one label is selected', async () => {
    expect(await json('MATCH (p:Person {name: "ada"}) RETURN p.score')).toBe('[[1.5]]');
    expect(await json('MATCH (t:Thing) RETURN t.score')).toBe('[["text"]]');
  });

  test('a parameter may change the type of a column between two runs', async () => {
    const run = (value: unknown): Promise<unknown[][]> =>
      loaded.rows('RETURN $value AS v, timestamp("2024-01-01") AS t', { value });
    expect((await run([1]))[0]?.[0]).toEqual([1]);
    expect((await run('x'))[0]?.[0]).toBe('x');
    expect((await run({ a: 1 }))[0]?.[0]).toEqual({ a: 1 });
  });

  test('a column without an alias is named as the query spells it, including parameters', async () => {
    const answer = right(
      await loaded.engine.query({
        text: 'RETURN $a, $b AS b, 1 + $a',
        parameters: { a: 1n, b: 'x' },
        timeoutMs: 5_000,
      }),
    );
    expect(answer.columns).toEqual(['$a', 'b', '1 + $a']);
  });

  test('any list of 64-bit integers is returned unchanged', async () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });
    await fc.assert(
      fc.asyncProperty(fc.array(int64, { minLength: 1, maxLength: 5 }), async (numbers) => {
        expect(await json(`RETURN [${numbers.join(', ')}] AS x`)).toBe(`[[[${numbers.join(',')}]]]`);
      }),
      { numRuns: 60 },
    );
  });

  test('any timestamp is returned to the microsecond', async () => {
    const micros = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_000_000n });
    await fc.assert(
      fc.asyncProperty(micros, async (at) => {
        const [millis, rest] = [at / 1000n - (at % 1000n < 0n ? 1n : 0n), ((at % 1000n) + 1000n) % 1000n];
        const iso =
          new Date(Number(millis)).toISOString().slice(0, -1) + (rest === 0n ? '' : String(rest).padStart(3, '0'));
        const [[returned]] = JSON.parse(await json(`RETURN timestamp("${iso}") AS t`)) as [[string]];
        expect(returned).toBe(`${iso.replace(/(\.\d{3}\d*?)0+$/, '$1')}Z`);
      }),
      { numRuns: 60 },
    );
  });
});
