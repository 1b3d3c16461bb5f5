import { readProcessTable, residentBytes, treeOf } from '../../adapters/system/process-table';
import { type PodAnswer } from '../pod/graph/support/pod-process';
import { openRunningPod, type RunningPod } from '../pod/graph/support/running-pod';

/** So large that a query does not fill the upper quarter between two samples of the watchdog, even on a busy machine. */
const MEMORY_BYTES = 2 * 2 ** 30;
const integers = Array.from({ length: 30_000 }, (_, index) => index);
const longer = (text: string): string => `replace(${text}, 'a', '${'a'.repeat(100)}')`;
/** DuckDB does not count the values that one expression works on, here 2,048 texts of 12 million characters. */
const MANY_LONG_TEXTS =
  `MATCH (p:Person) UNWIND range(1, 4000) AS i WITH ${longer("p.name + 'aaaaaaaaaa'")} AS s ` +
  `RETURN max(size(${longer(longer('s'))}))`;
const nestedIn = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

describe.each(['graphdb_a', 'graphdb_b'] as const)('hostile queries to a pod of %s', (kind) => {
  let running: RunningPod;

  beforeAll(async () => {
    running = await openRunningPod(kind, MEMORY_BYTES);
  });
  afterAll(() => running.close());

  const query = (text: string, parameters: object = {}): Promise<PodAnswer> =>
    running.pod.call('POST', '/query', { query: text, parameters, timeout_ms: 120_000 });
  const processIds = (): readonly number[] => treeOf(readProcessTable(), running.pod.child.pid!).map(({ pid }) => pid);
  const measured = async (ask: () => Promise<PodAnswer>) => {
    let mostBytes = 0;
    const sampler = setInterval(() => (mostBytes = Math.max(mostBytes, residentBytes(processIds()))), 20);
    const answer = await ask().finally(() => clearInterval(sampler));
    return { answer, mostBytes };
  };

  test('lists of 30,000 items neither end the engine nor increase its memory', async () => {
    const before = [processIds(), residentBytes(processIds())] as const;
    for (const list of [integers, integers.map(String), integers.map((item) => item / 4), integers, integers]) {
      expect((await query('RETURN size($list), $none', { list, none: null })).body['rows']).toEqual([[30_000, null]]);
    }
    expect(processIds()).toEqual(before[0]);
    expect(residentBytes(processIds()) - before[1]).toBeLessThan(200 * 2 ** 20);
  });

  test('rows of nested UNWIND are not stored', async () => {
    const length = kind === 'graphdb_a' ? 10_000 : 1_000;
    const text = `UNWIND range(1, ${length}) AS a UNWIND range(1, ${length}) AS b UNWIND [1] AS c RETURN count(a + b + c)`;
    const before = residentBytes(processIds());
    const { answer, mostBytes } = await measured(() => query(text));
    expect(answer.body).toMatchObject({ rows: [[length ** 2]] });
    expect(mostBytes - before).toBeLessThan(200 * 2 ** 20);
  });

  test('parameters nested deeper than 64 levels are rejected by name', async () => {
    const send = (parameter: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${running.pod.port()}/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"query": "RETURN $deep IS NULL AS x", "parameters": {"fine": 1, "deep": ${parameter}}}`,
      });
    expect(await (await send(nestedIn(64))).json()).toMatchObject({ rows: [[false]] });
    for (const deep of [nestedIn(65), nestedIn(20_000), nestedIn(1_000_000), `{"a": ${nestedIn(64)}}`]) {
      const refused = await send(deep);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ error: { details: { field: 'parameters.deep' } } });
    }
  });

  test.each([
    ...(kind === 'graphdb_a' ? [MANY_LONG_TEXTS] : []),
    'RETURN size(range(1, 1000000000))',
    'UNWIND range(1, 200000000) AS a RETURN size(collect(a))',
    'MATCH (a), (b), (c), (d), (e), (f), (g), (h), (i), (j), (k) RETURN collect([a, b, c, d, e, f, g])',
  ])('a query that exceeds the memory limit is rejected for that, and no other fails: %s', async (text) => {
    const lookup = async (): Promise<void> =>
      expect((await query('MATCH (p:Person) RETURN count(p)')).body).toMatchObject({ rows: [[3]] });
    const { answer, mostBytes } = await measured(async () => {
      const asked = query(text);
      for (let count = 0; count < 60; count++) await lookup();
      return asked;
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/memory|more than 10000000 items/)]);
    expect(mostBytes).toBeLessThan(MEMORY_BYTES);
    await lookup();
    expect(running.controlPlane.statuses().map(({ status }) => status)).toEqual(['starting', 'running']);
  });

  // FalkorDB also limits the memory of each query, and applies a larger limit only after a restart.
  (kind === 'graphdb_a' ? test : test.skip)(
    'a pod that has been given more memory lets queries take more',
    async () => {
      const text = `MATCH ${[...'abcdefghij'].map((name) => `(${name})`).join(', ')} RETURN size(collect([a])) AS size`;
      expect((await query(text)).status).toBe(400);
      await running.writeLimit('memory.max', String(4 * MEMORY_BYTES));
      expect((await query(text)).status).toBe(200);
    },
  );
});
