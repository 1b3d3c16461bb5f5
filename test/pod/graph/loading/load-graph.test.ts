import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type InstanceMapping } from '../../../../adapters/contracts/graph-pod/instance-mapping';
import { DuckdbEngine } from '../../../../pod/graph/engine/duckdb/duckdb-engine';
import { reasonOf } from '../../../../pod/graph/engine/engine-failure';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { scalar } from '../../../../pod/graph/engine/graph-schema';
import { type LoadedGraph } from '../../../../pod/graph/loading/load-graph';
import { type LoadFailure, type LoadProgress } from '../../../../pod/graph/loading/load-progress';
import { fullFile } from '../../../support/full-disk';
import { left, loadInto, right, scratchDirectory } from '../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot, writeParquet } from '../support/snapshot';

type Properties = InstanceMapping['node_definitions'][number]['properties'];

const account = (properties: Properties = [], keyType: 'STRING' | 'INT64' | 'DATE' | 'UUID' = 'STRING') => ({
  label: 'Account',
  primary_key: { name: 'id', type: keyType },
  properties,
});
const transfer = (properties: Properties = []) => ({
  type: 'TRANSFER',
  from_node: 'Account',
  to_node: 'Account',
  from_key: 'from_account',
  to_key: 'to_account',
  properties,
});

describe('loading a snapshot', () => {
  let snapshot: Snapshot;
  let directory: string;
  let engine: GraphEngine;
  const progress: LoadProgress[] = [];

  beforeEach(async () => {
    snapshot = await createSnapshot();
    directory = await scratchDirectory();
    engine = new DuckdbEngine({ directory, memoryBytes: 2 ** 29, cpuCores: 2, onCrash: () => undefined });
    right(await engine.start());
    progress.length = 0;
  });

  afterEach(async () => {
    await engine.close();
    await snapshot.remove();
    await rm(directory, { recursive: true, force: true });
  });

  const attempt = (definitions: Pick<InstanceMapping, 'node_definitions' | 'edge_definitions'>) =>
    loadInto(engine, mappingOf(snapshot, definitions), snapshot, directory, (state) => void progress.push(state));

  const load = async (nodes: Properties = [], edges: Properties | null = null): Promise<LoadedGraph> =>
    right(
      await attempt({
        node_definitions: [account(nodes)],
        edge_definitions: edges === null ? [] : [transfer(edges)],
      }),
    );

  const failLoad = async (nodes: Properties = [], edges: Properties | null = null): Promise<LoadFailure> =>
    left(
      await attempt({
        node_definitions: [account(nodes)],
        edge_definitions: edges === null ? [] : [transfer(edges)],
      }),
    );

  const rows = async (text: string): Promise<unknown> =>
    JSON.parse(right(await engine.query({ text, parameters: {}, timeoutMs: 10_000 })).rowsJson);

  const accounts = (values: string, columns = 'id'): Promise<string> =>
    snapshot.export('nodes/Account', `SELECT * FROM (VALUES ${values}) AS t(${columns})`);

  const transfers = (values: string, columns = 'from_account, to_account'): Promise<string> =>
    snapshot.export('edges/TRANSFER', `SELECT * FROM (VALUES ${values}) AS t(${columns})`);

  test('rows become nodes and edges', async () => {
    await accounts("('A-1', 5::BIGINT), ('A-2', NULL)", 'id, balance');
    await transfers("('A-1', 'A-2', 1.5::DOUBLE), ('A-1', 'A-2', 2.5::DOUBLE)", 'from_account, to_account, amount');
    await load([{ name: 'balance', type: 'INT64' }], [{ name: 'amount', type: 'DOUBLE' }]);
    expect(await rows('MATCH (a)-[t:TRANSFER]->(b) RETURN a.id, b.id, t.amount ORDER BY t.amount')).toEqual([
      ['A-1', 'A-2', 1.5],
      ['A-1', 'A-2', 2.5],
    ]);
  });

  test('a definition without rows gives an empty table', async () => {
    await snapshot.export('nodes/Account', "SELECT 'x' AS id WHERE false");
    await snapshot.export('edges/TRANSFER', "SELECT 'x' AS from_account, 'y' AS to_account WHERE false");
    const graph = await load([], []);
    expect([...graph.nodes, ...graph.edges].map(({ rowCount }) => rowCount)).toEqual([0, 0]);
    expect(await rows('MATCH (a:Account) RETURN count(*)')).toEqual([[0]]);
  });

  test('the newest attempt with a manifest is loaded', async () => {
    await snapshot.export('nodes/Account', "SELECT 'first' AS id", { attempt: 1 });
    await snapshot.export('nodes/Account', "SELECT 'tenth' AS id", { attempt: 10 });
    await snapshot.export('nodes/Account', "SELECT 'second' AS id", { attempt: 2 });
    await snapshot.export('nodes/Account', "SELECT 'unfinished' AS id", { attempt: 11, manifest: false });
    await load();
    expect(await rows('MATCH (a:Account) RETURN a.id')).toEqual([['tenth']]);
  });

  test('every Parquet file is loaded when there is no manifest', async () => {
    await snapshot.export('nodes/Account', "SELECT 'one' AS id", { attempt: 1, manifest: false });
    await snapshot.export('nodes/Account', "SELECT 'two' AS id", { attempt: 2, manifest: false });
    await load();
    expect(await rows('MATCH (a:Account) RETURN a.id ORDER BY a.id')).toEqual([['one'], ['two']]);
  });

  test('a definition without an export fails the load and is named', async () => {
    expect(await failLoad()).toMatchObject({
      code: 'DATA_LOAD_ERROR',
      phase: 'downloading',
      message: expect.stringMatching(/^node Account: no exported file found below/) as string,
    });
  });

  test('a truncated file fails the load', async () => {
    const folder = await accounts("('A-1')");
    await writeFile(join(folder, 'part-0.parquet'), 'PAR1');
    expect(await failLoad()).toMatchObject({
      code: 'DATA_LOAD_ERROR',
      message: expect.stringContaining('has 4 bytes, its manifest says') as string,
    });
  });

  test('a file with another checksum than in its manifest fails the load', async () => {
    const folder = await snapshot.export('nodes/Account', "SELECT 'A-1' AS id");
    const file = join(folder, 'part-0.parquet');
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      files: { bytes: number }[];
    };
    await appendFile(file, 'x');
    manifest.files[0]!.bytes += 1;
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    expect(await failLoad()).toMatchObject({ message: expect.stringContaining('checksum') as string });
  });

  test('an invalid manifest fails the load', async () => {
    const folder = await accounts("('A-1')");
    await writeFile(join(folder, 'manifest.json'), '{"files": 5}');
    expect(await failLoad()).toMatchObject({
      message: expect.stringContaining('manifest.json is not valid') as string,
    });
  });

  describe('on a full disk', () => {
    const isFull = {
      code: 'STARTUP_FAILED',
      phase: 'loading_nodes',
      message: expect.stringMatching(
        /^no space left on device .*files has \d+ bytes free\. .* then create the instance again/,
      ) as string,
    };

    test('a converted copy of a file is a failure of the machine', async () => {
      // The other order needs a copy.
      await accounts("(5::BIGINT, 'A-1')", 'balance, id');
      await mkdir(join(directory, 'files/nodes/Account'), { recursive: true });
      await fullFile(join(directory, 'files/nodes/Account/typed.parquet'));
      expect(await failLoad([{ name: 'balance', type: 'INT64' }])).toMatchObject(isFull);
    });

    test('a failed write of the engine is a failure of the machine, and is not tried again', async () => {
      await accounts("('A-1')");
      const file = await fullFile(join(directory, 'full.parquet'));
      const instance = await DuckDBInstance.create(':memory:');
      const connection = await instance.connect();
      const reason = await connection
        .run(`COPY (SELECT 1 AS a) TO '${file}' (FORMAT parquet)`)
        .then(() => 'written', reasonOf);
      connection.closeSync();
      instance.closeSync();
      const loads = jest.spyOn(engine, 'load');
      loads.mockResolvedValue({ _tag: 'Left', left: { kind: 'rejected', reason } });
      expect(await failLoad()).toMatchObject(isFull);
      expect(loads).toHaveBeenCalledTimes(1);
    });
  });

  test('rows that need more memory than the pod has fail the load, which says what to do', async () => {
    await snapshot.export(
      'nodes/Account',
      `SELECT i::VARCHAR AS id, repeat(i || ' ', 400000) AS note FROM range(200) AS t(i)`,
    );
    expect(await failLoad([{ name: 'note', type: 'STRING' }])).toMatchObject({
      code: 'DATA_LOAD_ERROR',
      message:
        'node Account could not be loaded into the graph database: reading the rows takes more memory than the pod has. ' +
        'Shorten long texts and lists in the SQL of the mapping, for example by substr(column, 1, 10000).',
    });
  });

  test('a missing column is named with the existing ones', async () => {
    await accounts("('A-1', 5)", 'id, saldo');
    expect((await failLoad([{ name: 'balance', type: 'INT64' }])).message).toContain(
      'node Account: the column balance is missing (exported columns: id, saldo)',
    );
  });

  test('columns are found by name in any order and case, and others are ignored', async () => {
    await accounts("('extra', 7, 'A-1')", 'note, BALANCE, ID');
    await load([{ name: 'balance', type: 'INT64' }]);
    expect(await rows('MATCH (a:Account) RETURN a.id, a.balance')).toEqual([['A-1', 7]]);
  });

  test('a duplicate key fails the load and names the definition', async () => {
    await accounts("('A-1'), ('A-2'), ('A-1'), ('A-1'), ('A-3')");
    expect((await failLoad()).message).toContain("node Account: 2 rows repeat the key of another row (id = 'A-1')");
  });

  test('a key that is null fails the load', async () => {
    await accounts("('A-1'), (NULL)");
    expect((await failLoad()).message).toContain('node Account: 1 row has no id (null)');
  });

  test('edges to missing nodes fail the load, with up to five of their keys', async () => {
    await accounts("('A-1')");
    await transfers(
      "('A-1', 'A-9'), ('A-1', 'A-1'), ('Z-1', 'A-1'), ('Z-2', 'A-1'), ('Z-3', 'A-1'), ('Z-4', 'A-1'), ('Z-5', 'A-1'), ('Z-6', 'A-1')",
    );
    const { message } = await failLoad([], []);
    expect(message).toContain("edge TRANSFER: 1 row points to Account nodes that do not exist (to_account = 'A-9')");
    expect(message).toContain(
      "edge TRANSFER: 6 rows point to Account nodes that do not exist (from_account = 'Z-1', 'Z-2', 'Z-3', 'Z-4', 'Z-5', …)",
    );
  });

  test('a dangling edge is found even when the end column is named key', async () => {
    await accounts("('A-1')");
    await transfers("('A-1', 'A-9')", 'key, number');
    const edge = { ...transfer(), from_key: 'key', to_key: 'number' };
    const failed = left(await attempt({ node_definitions: [account()], edge_definitions: [edge] }));
    expect(failed.message).toContain("(number = 'A-9')");
  });

  test('an end that is null fails the load', async () => {
    await accounts("('A-1')");
    await transfers("('A-1', NULL), (NULL, 'A-1')");
    const { message } = await failLoad([], []);
    expect(message).toContain('edge TRANSFER: 1 row has no from_account (null)');
    expect(message).toContain('edge TRANSFER: 1 row has no to_account (null)');
  });

  test('all defects of all definitions are reported at once', async () => {
    await accounts("('A-1', '5'), ('A-1', 'five')", 'id, balance');
    await transfers("('A-1', 'A-9')");
    const { message, phase } = await failLoad([{ name: 'balance', type: 'INT64' }], []);
    expect(phase).toBe('checking');
    expect(message).toMatch(/does not fit INT64.*; .*repeats the key.*; .*do not exist/);
    expect(message).toMatch(/TRY_CAST.*DISTINCT.*INNER JOIN/);
  });

  test.each([
    ['INT64', "'12'", "'twelve'", 12],
    ['INT64', "'-3'", "'1.5'", -3],
    ['INT64', '2.0::DOUBLE', '2.5::DOUBLE', 2],
    ['INT64', '2::DECIMAL(10,2)', '2.25::DECIMAL(10,2)', 2],
    ['INT64', '5::UBIGINT', '18446744073709551615::UBIGINT', 5],
    ['INT32', '7::BIGINT', '3000000000::BIGINT', 7],
    ['INT8', '7::INTEGER', '128::INTEGER', 7],
    ['DOUBLE', '5::BIGINT', '9007199254740993::BIGINT', 5],
    ['DOUBLE', "'2.5'", "'two'", 2.5],
    ['DOUBLE', '0.10::DECIMAL(10,2)', null, 0.1],
    ['FLOAT', '0.5::DOUBLE', '0.1::DOUBLE', 0.5],
    ['BOOL', "'true'", "'yes and no'", true],
    ['BOOL', '1', '2', true],
    ['DATE', "'2024-02-29'", "'2023-02-29'", '2024-02-29'],
    ['DATE', "TIMESTAMP '2024-02-29 00:00:00'", "TIMESTAMP '2024-02-29 00:00:01'", '2024-02-29'],
    ['TIMESTAMP', "'2024-02-29 10:00:00.000001'", "'noon'", '2024-02-29T10:00:00.000001Z'],
    ['TIMESTAMP', "DATE '2024-02-29'", null, '2024-02-29T00:00:00.000Z'],
    ['TIMESTAMP', "TIMESTAMPTZ '2024-02-29 10:00:00+02'", null, '2024-02-29T08:00:00.000Z'],
    [
      'TIMESTAMP',
      "TIMESTAMP_NS '2024-02-29 10:00:00.000001'",
      "TIMESTAMP_NS '2024-02-29 10:00:00.000000001'",
      '2024-02-29T10:00:00.000001Z',
    ],
    ['UUID', "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "'no uuid'", 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ['STRING', '12', null, '12'],
    ['STRING', "DATE '2024-02-29'", null, '2024-02-29'],
    ['LIST', '[1, 2]', null, [1, 2]],
    ['LIST', '[1.50::DECIMAL(5,2)]', null, [1.5]],
    ['MAP', "MAP {'a': 1}", null, { a: 1 }],
    ['STRUCT', "{'a': 1, 'b': 'x'}", null, { a: 1, b: 'x' }],
  ] as const)('a property of type %s accepts %s but not %s', async (type, fitting, misfitting, expected) => {
    await accounts(`('A-1', ${fitting}), ('A-2', NULL)`, 'id, value');
    await load([{ name: 'value', type }]);
    expect(await rows('MATCH (a:Account) RETURN a.value ORDER BY a.id')).toEqual([[expected], [null]]);
    if (misfitting === null) return;
    await rm(join(directory, 'files'), { recursive: true });
    await accounts(`('A-1', ${fitting}), ('A-2', ${misfitting})`, 'id, value');
    expect((await failLoad([{ name: 'value', type }])).message).toContain(
      `node Account: 1 row has a value that does not fit ${type} exactly (value = '`,
    );
  });

  test('a column whose type cannot become the property type is named', async () => {
    await accounts("('A-1', 5)", 'id, tags');
    expect((await failLoad([{ name: 'tags', type: 'LIST' }])).message).toContain(
      'node Account: the column tags is exported as INTEGER, which is not a LIST',
    );
  });

  test.each([
    ['INT64', "('1')", "('1', '1')", 'Account:1'],
    ['DATE', "(DATE '2024-02-29')", "('2024-02-29', DATE '2024-02-29')", 'Account:2024-02-29'],
    [
      'UUID',
      "('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')",
      "('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11')",
      'Account:a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    ],
  ] as const)('keys of type %s join edges with other column types', async (type, node, edge, id) => {
    await accounts(node);
    await transfers(edge);
    right(await attempt({ node_definitions: [account([], type)], edge_definitions: [transfer()] }));
    expect(await rows('MATCH ()-[t:TRANSFER]->() RETURN t')).toMatchObject([[{ _start: id, _end: id }]]);
  });

  test('NaN is kept on nodes and edges, next to other values', async () => {
    await accounts("('1', NULL), ('2', 'nan'::DOUBLE), ('3', 7), ('4', 8)", 'id, x');
    await transfers("('1', '2', 'nan'::DOUBLE)", 'from_account, to_account, amount');
    await load([{ name: 'x', type: 'DOUBLE' }], [{ name: 'amount', type: 'DOUBLE' }]);
    expect(await rows('MATCH (a:Account) RETURN a.x ORDER BY a.id')).toEqual([[null], ['NaN'], [7], [8]]);
    expect(await rows('MATCH (a:Account) WHERE a.x > 7 RETURN a.x')).toEqual([[8]]);
    expect(await rows('MATCH ()-[t:TRANSFER]->() RETURN t.amount')).toEqual([['NaN']]);
  });

  test('reserved names of the engine and unusual property names are loaded', async () => {
    await snapshot.export('nodes/Order', 'SELECT 1::BIGINT AS "primary", \'x\' AS "table", 2::BIGINT AS "GROUP"');
    const mapping = {
      node_definitions: [
        {
          label: 'Order',
          primary_key: { name: 'primary', type: 'INT64' as const },
          properties: [
            { name: 'table', type: 'STRING' as const },
            { name: 'GROUP', type: 'INT64' as const },
          ],
        },
      ],
      edge_definitions: [],
    };
    right(await attempt(mapping));
    expect(await rows('MATCH (o:`Order`) RETURN o')).toEqual([
      [{ _id: 'Order:1', _label: 'Order', primary: 1, table: 'x', GROUP: 2 }],
    ]);
  });

  test('a result with NaN is stored', async () => {
    await accounts("('A-1'), ('A-2')");
    await load();
    const parquetFile = join(directory, 'score.parquet');
    await writeParquet("SELECT * FROM (VALUES ('A-1', 'nan'::DOUBLE), ('A-2', 1)) AS t(key, value)", parquetFile);
    const property = { name: 'score', declaredType: 'DOUBLE', type: scalar('DOUBLE'), wholeMilliseconds: false };
    expect(right(await engine.writeNodes({ label: 'Account', property, parquetFile }))).toBe(2);
    expect(await rows('MATCH (a:Account) RETURN a.score ORDER BY a.id')).toEqual([['NaN'], [1]]);
  });

  test('properties whose names differ only in case are different properties', async () => {
    await accounts("('A-1', 1::BIGINT)", 'id, x');
    await load([
      { name: 'x', type: 'INT64' },
      { name: 'X', type: 'INT64' },
    ]);
    expect(await rows('MATCH (a:Account) RETURN a.x, a.X')).toEqual([[1, 1]]);
  });

  test('the phases come in order, and the steps end completed with their rows', async () => {
    await accounts("('A-1'), ('A-2')");
    await transfers("('A-1', 'A-2')");
    await load([], []);
    expect([...new Set(progress.map(({ phase }) => phase))]).toEqual([
      'downloading',
      'checking',
      'creating_schema',
      'loading_nodes',
      'loading_edges',
    ]);
    expect(progress.at(-1)?.steps).toEqual([
      { name: 'Account', type: 'node', status: 'completed', row_count: 2 },
      { name: 'TRANSFER', type: 'edge', status: 'completed', row_count: 1 },
    ]);
  });
});
