import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { createSampleGraph, type SampleGraph } from '../../../../contracts/graph-engine/sample-graph';
import { falkordb } from '../../support/falkordb';
import { left, type LoadedEngine, loadedEngine, loadInto, right, scratchDirectory } from '../../support/loaded-engine';
import { mappingOf } from '../../support/snapshot';

const HUGE = '9007199254740993';
const LARGEST = '9223372036854775807';
const SMALLEST = '-9223372036854775808';

const things = {
  label: 'Thing',
  primary_key: { name: 'id', type: 'INT64' },
  properties: [
    { name: 'numbers', type: 'LIST' },
    { name: 'doubles', type: 'LIST' },
    { name: 'words', type: 'LIST' },
    { name: 'nested', type: 'LIST' },
    { name: 'counts', type: 'MAP' },
    { name: 'detail', type: 'STRUCT' },
    { name: 'bytes', type: 'BLOB' },
    { name: 'uid', type: 'UUID' },
    { name: 'small', type: 'INT8' },
    { name: 'real', type: 'FLOAT' },
    { name: 'exact', type: 'DOUBLE' },
    { name: 'price', type: 'DOUBLE' },
    { name: 'early', type: 'TIMESTAMP' },
    { name: 'zoned', type: 'TIMESTAMP' },
    { name: 'day', type: 'DATE' },
    { name: 'note', type: 'STRING' },
    { name: 'flag', type: 'BOOL' },
  ],
} as const;

const THINGS = `SELECT * FROM (VALUES
  (${LARGEST}::BIGINT, [${HUGE}::BIGINT, NULL, 1], [0.1::DOUBLE, 'nan'::DOUBLE], ['a', '', 'é😀'], [[1, 2], []],
   MAP {'k': ${HUGE}::BIGINT}, {'at': TIMESTAMP '2024-01-01 00:00:00.000007', 'n': 0.1::DOUBLE, 'x': NULL},
   '\\xAA\\x00'::BLOB, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID, (-128)::TINYINT, 0.1::FLOAT,
   0.30000000000000004::DOUBLE, 1234.5::DECIMAL(18, 1), TIMESTAMP '1969-12-31 23:59:59.999999',
   TIMESTAMPTZ '2024-06-01 12:00:00.5+02', DATE '0001-01-01', repeat('x', 1000000), true),
  (((-9223372036854775807)::BIGINT - 1), [], NULL, NULL, NULL, NULL, NULL, NULL, NULL, 127, 'infinity'::FLOAT,
   'nan'::DOUBLE, NULL, NULL, NULL, DATE '9999-12-31', '', false)
) AS t(id, numbers, doubles, words, nested, counts, detail, bytes, uid, small, real, exact, price, early, zoned, day, note, flag)`;

describe('values of FalkorDB', () => {
  let sample: SampleGraph;
  let loaded: LoadedEngine;

  beforeAll(async () => {
    sample = await createSampleGraph();
    const { snapshot, mapping } = sample;
    await snapshot.export('nodes/Thing', THINGS);
    await snapshot.export(
      'edges/LIKES',
      `SELECT 'ada' AS who, ${LARGEST}::BIGINT AS what, 'nan'::DOUBLE AS degree, {'why': 'x'} AS reason`,
    );
    const likes = {
      type: 'LIKES',
      from_node: 'Person',
      to_node: 'Thing',
      from_key: 'who',
      to_key: 'what',
      properties: [
        { name: 'degree', type: 'DOUBLE' },
        { name: 'reason', type: 'STRUCT' },
      ],
    } as const;
    const extended = mappingOf(snapshot, {
      node_definitions: [...mapping.node_definitions, things],
      edge_definitions: [...mapping.edge_definitions, likes],
    });
    const directory = await scratchDirectory();
    loaded = await loadedEngine(falkordb(directory), extended, snapshot, directory);
  });

  afterAll(async () => {
    await loaded.end();
    await sample.snapshot.remove();
  });

  const json = async (text: string): Promise<string> =>
    right(await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 })).rowsJson;
  const first = `MATCH (t:Thing) WHERE t.id > 0 RETURN`;
  const second = `MATCH (t:Thing) WHERE t.id < 0 RETURN`;

  test.each([
    ['the largest key', `${first} t.id`, `[[${LARGEST}]]`],
    ['the smallest key', `${second} t.id`, `[[${SMALLEST}]]`],
    ['64-bit literals', `RETURN ${LARGEST} AS a, ${SMALLEST} AS b`, `[[${LARGEST},${SMALLEST}]]`],
    [
      'the order of integers whose difference exceeds 64 bits',
      `MATCH (t:Thing) WITH t.id AS x, count(*) AS c ORDER BY t.id RETURN collect(x), min(x), max(x), collect(-2 < x < ${LARGEST})`,
      `[[[${SMALLEST},${LARGEST}],${SMALLEST},${LARGEST},[false,false]]]`,
    ],
    [
      'parts of texts',
      `${first} substring('été', 1), substring('été', 1, 9), substring('ééé', 4), left('ééé', 5), left(null, 1), substring(null, 0)`,
      '[["té","té","","ééé",null,null]]',
    ],
    ['flat lists', `${first} t.numbers, t.doubles, t.words`, `[[[${HUGE},null,1],[0.1,"NaN"],["a","","é😀"]]]`],
    ['an empty list', `${second} t.numbers, t.doubles`, '[[[],null]]'],
    ['lists of lists', `${first} t.nested`, '[[[[1,2],[]]]]'],
    ['maps', `${first} t.counts`, `[[{"k":${HUGE}}]]`],
    ['structs', `${first} t.detail`, '[[{"at":"2024-01-01T00:00:00.000007Z","n":0.1,"x":null}]]'],
    ['bytes and uuids', `${first} t.bytes, t.uid`, '[["qgA=","a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]]'],
    ['small numbers', 'MATCH (t:Thing) RETURN t.small ORDER BY t.small', '[[-128],[127]]'],
    [
      'doubles with all their digits',
      `${first} t.exact, t.price, t.real`,
      '[[0.30000000000000004,1234.5,0.10000000149011612]]',
    ],
    ['NaN and infinities', `${second} t.exact, t.real`, '[["NaN","Infinity"]]'],
    ['NaN on edges', 'MATCH ()-[l:LIKES]->() RETURN l.degree, l.reason', '[["NaN",{"why":"x"}]]'],
    [
      'times',
      `${first} t.early, t.zoned, t.day`,
      '[["1969-12-31T23:59:59.999999Z","2024-06-01T10:00:00.500000Z","0001-01-01"]]',
    ],
    ['dates of any century', `${second} t.day, t.early`, '[["9999-12-31",null]]'],
    ['empty texts', `${second} t.note, t.flag`, '[["",false]]'],
    ['a text of a million characters', `${first} size(t.note)`, '[[1000000]]'],
    ['durations and dates of the engine', "RETURN duration('P2DT3S'), date('2024-01-31')", '[["P2DT3S","2024-01-31"]]'],
    ['maps of the engine', `RETURN {a: ${HUGE}, b: [1.5, {c: null}]} AS m`, `[[{"a":${HUGE},"b":[1.5,{"c":null}]}]]`],
    ['texts', `RETURN 'a"b\\\\c' AS x, 'é😀' AS y`, '[["a\\"b\\\\c","é😀"]]'],
    ['tiny and huge doubles', 'RETURN 1e-300 AS a, 1e300 AS b, -0.5 AS c', '[[1e-300,1e+300,-0.5]]'],
    ['nothing', "MATCH (p:Person {name: 'nobody'}) RETURN p, p.seen", '[]'],
    ['null', "OPTIONAL MATCH (p:Person {name: 'nobody'}) RETURN p, p.seen", '[[null,null]]'],
  ])('%s', async (_, text, expected) => {
    expect(await json(text)).toBe(expected);
  });

  test('columns that are a property have its declared type, other columns the type of their values', async () => {
    const answer = right(
      await loaded.engine.query({
        text: `${first} t.day, t.early, t.uid, t.bytes, t.counts, t.detail, t.nested, t.small, t.day + '' AS text, [1] AS l`,
        parameters: {},
        timeoutMs: 20_000,
      }),
    );
    expect(answer.columnTypes).toEqual([
      'DATE',
      'TIMESTAMP',
      'UUID',
      'BLOB',
      'MAP',
      'STRUCT',
      'LIST',
      'INT8',
      'STRING',
      'LIST',
    ]);
  });

  test('the id of a node of the largest key contains that key, also at the end of an edge', async () => {
    const [[edge]] = JSON.parse(await json('MATCH ()-[l:LIKES]->() RETURN l')) as [[object]];
    expect(edge).toMatchObject({ _start: 'Person:ada', _end: `Thing:${LARGEST}`, reason: { why: 'x' } });
  });

  test('any double is returned unchanged', async () => {
    // Integers of this size are rejected as parameters: a JSON reader may have rounded them.
    const isRefused = (value: number): boolean => Math.abs(value) > 2 ** 53 - 1 && Math.abs(value) < 2 ** 64;
    const double = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !isRefused(value));
    await fc.assert(
      fc.asyncProperty(fc.array(double, { minLength: 1 }), async (values) => {
        const [[returned]] = (await loaded.rows('RETURN $values AS v', { values })) as [[number[]]];
        expect(returned).toEqual(values.map((value) => (value === 0 ? 0 : value)));
      }),
      { numRuns: 40 },
    );
  });

  test('a text with U+0000 is rejected with its definition', async () => {
    await sample.snapshot.export(
      'nodes/City',
      "SELECT 1::BIGINT AS id, 'a' || chr(0) || 'b' AS title UNION ALL SELECT 2, 'x'",
      {
        attempt: 2,
      },
    );
    const directory = await scratchDirectory();
    const engine = falkordb(directory);
    right(await engine.start());
    expect(left(await loadInto(engine, sample.mapping, sample.snapshot, directory))).toMatchObject({
      code: 'DATA_LOAD_ERROR',
      message: expect.stringContaining('node City: 1 row has the character U+0000 in title') as string,
    });
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  });
});
