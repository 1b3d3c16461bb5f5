import { setMaxListeners } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type ExportFormat } from '../../../adapters/contracts/graph-pod/export-formats';
import { type GraphEngine, type QueryFailure } from '../../../pod/graph/engine/graph-engine';
import { left, type LoadedEngine, loadedEngine, right } from '../../pod/graph/support/loaded-engine';
import { cpuTicksOf } from '../../pod/graph/support/pod-process';
import { writeParquet } from '../../pod/graph/support/snapshot';
import { waitFor } from '../../support/wait-for';
import { parameterTests } from './parameter-tests';
import { createSampleGraph, type SampleGraph } from './sample-graph';

const variables = [...'abcdefghijklmnopqrstuvwxyz'];
const manyWayJoin =
  `MATCH ${variables.map((name) => `(${name}:Person)`).join(', ')} ` +
  `RETURN count(${variables.map((name) => `${name}.age`).join(' + ')})`;

/** Expressions of any depth that are 1 or true. */
const DEEP_SHAPES: readonly ((depth: number) => string)[] = [
  (depth) => `RETURN ${'('.repeat(depth)}1${')'.repeat(depth)}`,
  (depth) => `RETURN ${'['.repeat(depth)}1${']'.repeat(depth)}`,
  (depth) => `RETURN ${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`,
  (depth) => `RETURN ${'abs('.repeat(depth)}1${')'.repeat(depth)}`,
  (depth) => `RETURN ${'CASE WHEN true THEN '.repeat(depth)}1${' END'.repeat(depth)}`,
  (depth) => `RETURN ${'NOT ('.repeat(depth)}true${')'.repeat(depth)}`,
  (depth) => `RETURN ${'-('.repeat(depth)}1${')'.repeat(depth)}`,
  (depth) => `RETURN ${'(true OR '.repeat(depth)}true${')'.repeat(depth)}`,
];

const endless = 'UNWIND range(1, 300000) AS a UNWIND range(1, 300000) AS b RETURN count(a + b)';

/** Allowed differences between engines. */
export interface EngineDialect {
  /** An expression for a text of a thousand times `count` characters. */
  readonly characters: (count: string) => string;
  /** A timestamp without fractional seconds, in a column in which others have microseconds. */
  readonly wholeSecond: (second: string) => string;
}

/** The contract of graph engines, whatever database they contain. */
export const graphEngineContract = (
  name: string,
  dialect: EngineDialect,
  create: (directory: string) => GraphEngine,
): void => {
  describe(`${name} as a graph engine`, () => {
    let sample: SampleGraph;
    let loaded: LoadedEngine;
    let directory: string;

    beforeAll(async () => {
      sample = await createSampleGraph();
      directory = await mkdtemp(join(tmpdir(), 'rowgraph-engine-'));
      loaded = await loadedEngine(create(directory), sample.mapping, sample.snapshot, directory);
    });

    afterAll(async () => {
      await loaded.end();
      await sample.snapshot.remove();
    });

    const asked = (text: string) => ({ text, parameters: {}, timeoutMs: 20_000 });
    const exported = async (text: string, format: ExportFormat = 'csv'): Promise<string> =>
      (await buffer(right(await loaded.engine.exportRows(asked(text), format)))).toString();

    const json = async (text: string, parameters: Record<string, unknown> = {}): Promise<string> =>
      right(await loaded.engine.query({ text, parameters, timeoutMs: 20_000 })).rowsJson;

    const answersAgain = (): Promise<void> =>
      waitFor('the engine answers again', async () => (await loaded.engine.query(asked('RETURN 1')))._tag === 'Right');

    const failure = async (text: string, parameters = {}, timeoutMs = 20_000): Promise<QueryFailure> =>
      left(await loaded.engine.query({ text, parameters, timeoutMs }));

    test('a load returns the row count of each definition', () => {
      const counts = [...loaded.graph.nodes, ...loaded.graph.edges].map(({ name, rowCount }) => [name, rowCount]);
      expect(counts).toEqual([
        ['Person', 3],
        ['City', 2],
        ['KNOWS', 2],
        ['LIVES_IN', 2],
      ]);
    });

    test('columns have their names and property types', async () => {
      const answer = right(
        await loaded.engine.query({
          text: 'MATCH (p:Person {name: "ada"})-[k:KNOWS]->(q) RETURN p.name AS name, p.age, p, k, q.born AS born',
          parameters: {},
          timeoutMs: 20_000,
        }),
      );
      expect(answer.columns).toEqual(['name', 'p.age', 'p', 'k', 'born']);
      expect(answer.columnTypes).toEqual(['STRING', 'INT64', 'NODE', 'REL', 'DATE']);
      expect(answer.rowCount).toBe(1);
      expect(answer.truncated).toBe(false);
    });

    test.each([
      ['MATCH (p:Person) RETURN count(p), count( DISTINCT p.age )', ['count(p)', 'count( DISTINCT p.age )']],
      ['MATCH (p:Person) RETURN p.age  + $n, Count(*) /* all */, $n;', ['p.age  + $n', 'Count(*)', '$n']],
      ['MATCH (c:City) RETURN *, c.id+1, c.`title`, 1 = 2', ['c', 'c.id+1', 'c.`title`', '1 = 2']],
      ['WITH 1 AS `a b`, 2 AS c RETURN `a b`, c, -c, true, [1,2 ]', ['a b', 'c', '-c', 'true', '[1,2 ]']],
      ['MATCH (p:Person) WITH count(p) AS c RETURN c, size("a  b") AS s ORDER BY c LIMIT 1', ['c', 's']],
      ['RETURN 1 + 1 AS x UNION ALL RETURN 2 AS x', ['x']],
      [
        'MATCH (c:City) RETURN elementId(c), toString(id(c)) ORDER BY elementId(c)',
        ['elementId(c)', 'toString(id(c))'],
      ],
    ])('columns without an alias are named as in the query text: %s', async (text, titles) => {
      const answer = right(await loaded.engine.query({ text, parameters: { n: 1n }, timeoutMs: 20_000 }));
      expect(answer.columns).toEqual(titles);
    });

    test('integers beyond 2^53 are exact', async () => {
      expect(await json('MATCH (p:Person) RETURN p.big AS big ORDER BY p.name')).toBe(
        '[[9007199254740993],[-9223372036854775807],[null]]',
      );
    });

    test('NaN and infinities are strings, dates and timestamps ISO text to the microsecond', async () => {
      expect(await json('MATCH (p:Person) RETURN p.score, p.seen, p.born ORDER BY p.name')).toBe(
        '[[1.5,"2024-01-31T10:00:00.123456Z","1815-12-10"],' +
          `["NaN","${dialect.wholeSecond('2024-02-29T23:59:59')}","2024-02-29"],["Infinity",null,null]]`,
      );
    });

    test('a node has its id, its label and its own properties, all exact', async () => {
      expect(await json('MATCH (p:Person {name: "ada"}) RETURN p')).toBe(
        '[[{"_id":"Person:ada","_label":"Person","name":"ada","age":36,"big":9007199254740993,"score":1.5,' +
          '"seen":"2024-01-31T10:00:00.123456Z","born":"1815-12-10","active":true}]]',
      );
      expect(await json('MATCH (c) WHERE c.title = "Bern" RETURN c')).toBe(
        '[[{"_id":"City:1","_label":"City","id":1,"title":"Bern"}]]',
      );
    });

    test('a relationship names its ends, even when the answer does not contain the nodes', async () => {
      const [[knows]] = (await loaded.rows('MATCH (:Person {name: "bob"})-[k:KNOWS]->() RETURN k')) as [[object]];
      expect(knows).toMatchObject({
        _type: 'KNOWS',
        _start: 'Person:bob',
        _end: 'Person:cyd',
        _src: 'Person:bob',
        _dst: 'Person:cyd',
        since: '2021-05-01T08:30:00.000002Z',
        strength: 2,
      });
      expect(knows).toHaveProperty('_id', expect.any(String));
    });

    test('a path contains its nodes and relationships alternately', async () => {
      const [[path]] = (await loaded.rows('MATCH p = (:Person {name: "ada"})-[:KNOWS*2..2]->(:Person) RETURN p')) as [
        [Record<string, unknown>[]],
      ];
      expect(path.map((step) => step['_label'] ?? step['_type'])).toEqual([
        'Person',
        'KNOWS',
        'Person',
        'KNOWS',
        'Person',
      ]);
      expect(path[1]).toMatchObject({ _start: 'Person:ada', since: '2020-05-01T08:30:00.000001Z' });
      expect(path[3]).toMatchObject({ _end: 'Person:cyd', since: '2021-05-01T08:30:00.000002Z' });
    });

    parameterTests(() => loaded);

    test.each(['é', '1', 'a$b'])('a parameter named %s works, or is rejected with its place', async (name) => {
      const text = `RETURN\n$${name}`;
      const { refusal } = loaded.engine.analyse(text);
      if (refusal === null) expect(await loaded.rows(text, { [name]: 7 })).toEqual([[7]]);
      else
        expect(refusal).toEqual({
          message: expect.stringContaining('name it') as string,
          position: { line: 2, column: 1 },
        });
    });

    test('the deepest accepted expressions are answered before their timeout, deeper ones are rejected with their position', async () => {
      for (const shape of DEEP_SHAPES) {
        const depths = Array.from({ length: 101 }, (_, depth) => depth);
        const deepest = depths.findLast((depth) => loaded.engine.analyse(shape(depth)).refusal === null) ?? 0;
        expect(deepest).toBeGreaterThanOrEqual(5);
        expect(
          right(await loaded.engine.query({ text: shape(deepest), parameters: {}, timeoutMs: 20_000 })).rowCount,
        ).toBe(1);
        expect(loaded.engine.analyse(shape(20_000)).refusal?.message).toMatch(
          /^Name a part of this expression by WITH/,
        );
      }
    });

    test('a thousand operators in a row are answered, more are rejected with their place', async () => {
      const chain = (operators: number) => `RETURN 1${' + 1'.repeat(operators)} AS sum`;
      expect(await loaded.rows(chain(1_000))).toEqual([[1_001]]);
      expect(loaded.engine.analyse(chain(1_001)).refusal).toEqual({
        message: expect.stringContaining('More than 1000 operators') as string,
        position: { line: 1, column: 4_010 },
      });
      expect(loaded.engine.analyse(`MATCH (n) WHERE n.a${'.a'.repeat(1_001)} RETURN 1`).refusal).not.toBeNull();
    });

    test('a date in an out-of-range year is rejected and does not end the engine', async () => {
      const pids = loaded.engine.processIds();
      expect(await failure('RETURN date({year: 999999999999})')).toMatchObject({ kind: 'rejected' });
      expect(loaded.engine.processIds()).toEqual(pids);
    });

    test('a syntax error has line and column', async () => {
      expect(await failure('MATCH (p:Person)\nRETURN p.name ORDER p.name')).toMatchObject({
        kind: 'rejected',
        position: { line: 2 },
      });
    });

    test.each([
      ['between nodes', manyWayJoin],
      ['between lists', endless],
    ])('an endless join %s ends after its timeout', async (_, slow) => {
      expect(await failure(slow, {}, 1_000)).toEqual({ kind: 'timeout', timeoutMs: 1_000 });
      await answersAgain();
    });

    test('a long result is cut at 100,000 rows with a warning', async () => {
      const answer = right(
        await loaded.engine.query({ text: 'UNWIND range(1, 250000) AS i RETURN i', parameters: {}, timeoutMs: 20_000 }),
      );
      expect([answer.rowCount, answer.truncated]).toEqual([100_000, true]);
    });

    test('a wide result is cut at 64 MiB with a warning', async () => {
      const answer = right(
        await loaded.engine.query({
          text: `UNWIND range(1, 200) AS i RETURN ${dialect.characters('1000')} AS x, i`,
          parameters: {},
          timeoutMs: 20_000,
        }),
      );
      expect(answer.truncated).toBe(true);
      expect(answer.rowsJson.length).toBeLessThanOrEqual(64 * 1024 * 1024 + 2);
      expect(answer.rowCount).toBe(67);
    });

    test('a row that is too large for any answer is rejected with a message', async () => {
      const tooLarge = `UNWIND [70000] AS n RETURN ${dialect.characters('n')} AS x`;
      const refusal = { kind: 'rejected', message: expect.stringContaining('Row 1 of the answer takes 7') as string };
      expect(await failure(tooLarge)).toMatchObject(refusal);
      expect(left(await loaded.engine.exportRows(asked(tooLarge), 'csv'))).toMatchObject(refusal);
    });

    test('an export has all rows, and a later answer has its usual limit', async () => {
      const lines = Array.from({ length: 250_000 }, (_, index) => `${index + 1},${index * 2 + 2}\n`);
      const text = await exported('UNWIND range(1, 250000) AS i RETURN i, i * 2 AS twice');
      expect(text === `i,twice\n${lines.join('')}`).toBe(true);
      expect(JSON.parse(await json('UNWIND range(1, 250000) AS i RETURN i'))).toHaveLength(100_000);
    });

    test('an export has the same values as answers', async () => {
      const text =
        'MATCH (p:Person)-[k:KNOWS]->() RETURN p.name AS name, p.big AS big, p.seen AS seen, p, k ORDER BY name';
      const names = right(await loaded.engine.query(asked(text))).columns;
      const objects = (await loaded.rows(text)).map(
        (row) => Object.fromEntries(row.map((cell, index) => [names[index], cell])) as unknown,
      );
      const lines = (await exported(text, 'ndjson')).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(objects);
      expect(lines[0]).toContain('"big":9007199254740993,"seen":"2024-01-31T10:00:00.123456Z"');
    });

    test('null is an empty field of CSV and an empty string is quoted; without rows there are titles', async () => {
      expect(await exported(`RETURN null AS a, '' AS b, 'x,"y"' AS c, [1, 2] AS d, 0.5 AS e`)).toBe(
        'a,b,c,d,e\n,"","x,""y""","[1,2]",0.5\n',
      );
      expect(await exported('MATCH (p:Person) WHERE p.age > 100 RETURN p.name AS name, p.age AS age')).toBe(
        'name,age\n',
      );
    });

    test('a date of the query is a column with its type, in answers and exports', async () => {
      const text = `MATCH (p:Person) RETURN p.name AS name, date('2024-01-31') AS day ORDER BY day, name`;
      const { columnTypes } = right(await loaded.engine.query(asked(text)));
      expect([columnTypes, await loaded.rows(text)]).toEqual([
        ['STRING', 'DATE'],
        ['ada', 'bob', 'cyd'].map((name) => [name, '2024-01-31']),
      ]);
      const others = `MATCH (p:Person) WITH p.born AS born, p.seen AS seen RETURN born, max(seen) AS last, date('2024-01-31') AS day`;
      expect(right(await loaded.engine.query(asked(others))).columnTypes).toEqual(['DATE', 'TIMESTAMP', 'DATE']);
      expect(await exported(text)).toBe('name,day\nada,2024-01-31\nbob,2024-01-31\ncyd,2024-01-31\n');
    });

    test.each([
      ['the date of a time', 'MATCH (p:Person) RETURN date(p.seen) AS day', '2024-01-31', '2024-02-29', ''],
      ['a comparison of dates', `MATCH (p:Person) WHERE date(p.seen) > date('2024-01-31') AND date(p.seen).month = 2 RETURN date(p.seen) AS day`, '2024-02-29'],
      ['min(day)', `MATCH (p:Person) RETURN min(date('2024-01-31')) AS day`, '2024-01-31'],
      ['coalesce', `MATCH (p:Person) RETURN coalesce(p.born, date('2024-01-31')) AS day`, '1815-12-10', '2024-02-29', '2024-01-31'],
      ['CASE', `MATCH (p:Person {name: 'ada'}) RETURN CASE WHEN p.age > 9 THEN date('2024-01-31') ELSE p.born END AS day`, '2024-01-31'],
      ['UNWIND', `MATCH (p:Person {name: 'ada'}) UNWIND [date('2024-01-31'), p.born] AS day RETURN day`, '2024-01-31', '1815-12-10'],
      ['a subquery', `WITH date('2024-01-31') AS d MATCH (p:Person) CALL (p, d) { MATCH (p) WHERE p.born > d RETURN d AS day } RETURN day`, '2024-01-31'],
      ['DISTINCT', `MATCH (p:Person) WITH DISTINCT date('2024-01-31') AS d RETURN d AS day ORDER BY day, d`, '2024-01-31'],
      ['UNION', `MATCH (p:Person) RETURN p.born AS day UNION MATCH (p:Person) RETURN date('2024-01-31') AS day`, '1815-12-10', '2024-02-29', '', '2024-01-31'],
    ])('%s: a computed date is a date in answers and exports', async (_, text, ...days) => {
      expect(right(await loaded.engine.query(asked(text))).columnTypes).toEqual(['DATE']);
      expect((await exported(text)).split('\n').slice(1, -1).sort()).toEqual(days.sort());
    }); // prettier-ignore

    test('a part that dates do not have is rejected with those that they have', async () => {
      const { message } = { message: '', ...(await failure('MATCH (p:Person) RETURN p.born.hour')) };
      expect(message).toContain('year, quarter, month, week');
    });

    test('a range with a null bound is null in exports', async () => {
      const text = 'MATCH (p:Person) RETURN range(38, p.age) AS r ORDER BY p.name';
      expect(await exported(text)).toBe('r\n[]\n"[38,39,40]"\n\n');
    });

    test('cancelled queries and exports release their slots, including those cancelled before the start', async () => {
      for (let time = 0; time < 9; time++) {
        const rows = right(await loaded.engine.exportRows(asked('UNWIND range(1, 50000) AS i RETURN i'), 'csv'));
        if (time % 2 === 0) await rows.next();
        await rows.return();
        await rows.ended;
      }
      expect(await loaded.rows('RETURN 1')).toEqual([[1]]);
    });

    test('an invalid or slow query is rejected before any rows are sent', async () => {
      expect(left(await loaded.engine.exportRows(asked('RETURN $missing'), 'csv'))).toMatchObject({ kind: 'rejected' });
      const slow = { ...asked(manyWayJoin), timeoutMs: 1_000 };
      expect(left(await loaded.engine.exportRows(slow, 'csv'))).toEqual({ kind: 'timeout', timeoutMs: 1_000 });
      await answersAgain();
    });

    const enginePid = (): number => loaded.engine.processIds()[0]!;
    /** Ended queries no longer occupy the processor, or their process was replaced. */
    const untilIdle = async (pid: number): Promise<void> => {
      const measure = async () => ({ atMs: performance.now(), ticks: await cpuTicksOf(pid).catch(() => 0) });
      let last = await measure();
      await waitFor('the queries have ended', async () => {
        if (enginePid() !== pid) return true;
        const now = await measure();
        if (now.atMs - last.atMs < 200) return false;
        // A tick takes ten milliseconds.
        const processorShare = (10 * (now.ticks - last.ticks)) / (now.atMs - last.atMs);
        last = now;
        return processorShare < 0.5;
      });
    };

    test('an export breaks off when its engine ends', async () => {
      const rows = right(await loaded.engine.exportRows(asked('UNWIND range(1, 600000) AS i RETURN i'), 'csv'));
      await rows.next();
      process.kill(enginePid(), 'SIGKILL');
      await expect(buffer(rows)).rejects.toThrow();
      await answersAgain();
    });

    test('twenty concurrent queries all get their own answer', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => loaded.rows('MATCH (p:Person) RETURN count(p) + $i', { i })),
      );
      expect(answers.map(([row]) => row?.[0])).toEqual(Array.from({ length: 20 }, (_, i) => i + 3));
    });

    test('values can be written to nodes, repeatedly and next to readers', async () => {
      const parquetFile = join(directory, 'values.parquet');
      const property = {
        name: 'rank',
        declaredType: 'DOUBLE',
        type: { kind: 'scalar', name: 'DOUBLE' },
        wholeMilliseconds: false,
      } as const;
      for (const factor of [1, 2]) {
        await writeParquet(
          `SELECT key, value * ${factor}::DOUBLE AS value FROM (VALUES ('ada', 0.25::DOUBLE), ('bob', 0.5), ('cyd', 0.75)) AS t(key, value)`,
          parquetFile,
        );
        const [written, ...read] = await Promise.all([
          loaded.engine.writeNodes({ label: 'Person', property, parquetFile }),
          ...Array.from({ length: 6 }, () => loaded.rows('MATCH (p:Person) RETURN count(*)')),
        ]);
        expect(right(written)).toBe(3);
        expect(read).toEqual(Array.from({ length: 6 }, () => [[3]]));
        expect(await loaded.rows('MATCH (p:Person) RETURN p.rank ORDER BY p.name')).toEqual([
          [0.25 * factor],
          [0.5 * factor],
          [0.75 * factor],
        ]);
      }
      const [[ada]] = (await loaded.rows('MATCH (p:Person {name: "ada"}) RETURN p')) as [[object]];
      expect(ada).toMatchObject({ rank: 0.5 });
    });

    test('a caller is answered while any number of queries of another one run', async () => {
      const pid = enginePid();
      const disconnect = new AbortController();
      setMaxListeners(0, disconnect.signal);
      const ada = { name: 'ada', disconnected: disconnect.signal };
      const bob = { name: 'bob', disconnected: new AbortController().signal };
      let open = 32;
      const asked = Array.from({ length: open }, () =>
        loaded.engine.query({ text: endless, parameters: {}, timeoutMs: 120_000 }, ada).finally(() => open--),
      );
      try {
        for (let turn = 0; turn < 10; turn++) {
          const quick = { text: 'RETURN 1', parameters: {}, timeoutMs: 60_000 };
          expect(right(await loaded.engine.query(quick, bob)).rowsJson).toBe('[[1]]');
        }
        expect(open).toBeGreaterThan(0);
      } finally {
        disconnect.abort();
        await Promise.all(asked);
      }
      await untilIdle(pid);
    });

    test('queries of a disconnected client are ended, and those of other clients continue', async () => {
      const pid = enginePid();
      const disconnect = new AbortController();
      setMaxListeners(0, disconnect.signal);
      const client = { name: 'ada', disconnected: disconnect.signal };
      const asked = Array.from({ length: 8 }, () =>
        loaded.engine.query({ text: endless, parameters: {}, timeoutMs: 45_000 }, client),
      );
      const others = loaded.rows('RETURN 1');
      const ticks = await cpuTicksOf(pid);
      await waitFor('the query uses CPU time', async () => (await cpuTicksOf(pid)) > ticks + 20);
      disconnect.abort();
      for (const one of asked) expect(left(await one)).toEqual({ kind: 'abandoned' });
      expect(await others).toEqual([[1]]);
      await untilIdle(pid);
      expect(await loaded.rows('MATCH (p:Person) RETURN count(p)')).toEqual([[3]]);
    });

    test('the engine recovers with all its data after its process was killed', async () => {
      const pid = enginePid();
      const inFlight = loaded.engine.query({ text: endless, parameters: {}, timeoutMs: 3_000 });
      await loaded.rows('RETURN 1');
      process.kill(pid, 'SIGKILL');
      // Both queries are retried, one without success.
      expect(left(await inFlight)).toMatchObject({ kind: 'crashed' });
      expect(await loaded.rows('MATCH (p:Person) RETURN p.name, p.rank ORDER BY p.name')).toEqual([
        ['ada', 0.5],
        ['bob', 1],
        ['cyd', 1.5],
      ]);
      expect(loaded.engine.processIds()).not.toEqual([pid]);
    });
  });
};
