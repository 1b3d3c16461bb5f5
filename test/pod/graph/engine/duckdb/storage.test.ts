import { type InstanceMapping } from '../../../../../adapters/contracts/graph-pod/instance-mapping';
import { left, type LoadedEngine, loadedEngine, right, scratchDirectory } from '../../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot } from '../../support/snapshot';
import { handwrittenEngine, sqlQuery } from './handwritten';

type PropertyType = InstanceMapping['node_definitions'][number]['properties'][number]['type'];

const PEOPLE = 100_000;
const KNOWS = 300_000;

/** Columns of every property type: the exported SQL of four rows, and the texts of the stored values. */
const TYPES: readonly (readonly [type: PropertyType, values: readonly string[], stored: readonly string[]])[] = [
  ['STRING', ["chr(0) || 'a'", "''", "'ä€𝄞'"], ["'\\0a'", '', 'ä€𝄞']],
  ['INT64', ["'-9223372036854775808'::BIGINT", '0::BIGINT', '9223372036854775807'], ['-9223372036854775808', '0', '9223372036854775807']],
  ['INT32', ["'-2147483648'::INTEGER", '0::INTEGER', '2147483647'], ['-2147483648', '0', '2147483647']],
  ['INT16', ["'-32768'::SMALLINT", '0::SMALLINT', '32767'], ['-32768', '0', '32767']],
  ['INT8', ["'-128'::TINYINT", '0::TINYINT', '127'], ['-128', '0', '127']],
  ['DOUBLE', ["'nan'::DOUBLE", "'-inf'::DOUBLE", '5e-324::DOUBLE'], ['nan', '-inf', '5e-324']],
  ['FLOAT', ["'nan'::FLOAT", "'inf'::FLOAT", '0.1::FLOAT'], ['nan', 'inf', '0.10000000149011612']],
  ['DATE', ["'-infinity'::DATE", "'infinity'::DATE", "'0001-01-01'::DATE"], ['-infinity', 'infinity', '0001-01-01']],
  ['TIMESTAMP', ["'infinity'::TIMESTAMP", "'1969-12-31 23:59:59.999999'::TIMESTAMP", "'9999-12-31'::TIMESTAMP"], ['infinity', '1969-12-31 23:59:59.999999', '9999-12-31 00:00:00']],
  ['BOOL', ['true', 'false', 'true'], ['true', 'false', 'true']],
  ['BLOB', ["'\\x00\\xFF'::BLOB", "''::BLOB", "'a'::BLOB"], ['\\x00\\xFF', '', 'a']],
  ['UUID', ["'00000000-0000-0000-0000-000000000000'::UUID", "'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID", "'c0000000-0000-0000-0000-000000000000'::UUID"], ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'c0000000-0000-0000-0000-000000000000']],
  ['LIST', ["[1::INTEGER, NULL, '-2147483648'::INTEGER]", '[]::INTEGER[]', '[2::INTEGER]'], ['[1, NULL, -2147483648]', '[]', '[2]']],
  ['MAP', ["MAP {'a': {'x': 0.1::FLOAT}}", "MAP {'b': NULL::STRUCT(x FLOAT)}", "MAP {}::MAP(VARCHAR, STRUCT(x FLOAT))"], ["{a={'f0': 0.10000000149011612}}", '{b=NULL}', '{}']],
  ['STRUCT', ["{'a': 1::TINYINT, 'b': [{'c': 'nan'::FLOAT}, NULL]}", "{'a': NULL::TINYINT, 'b': NULL::STRUCT(c FLOAT)[]}", "{'a': 2::TINYINT, 'b': []::STRUCT(c FLOAT)[]}"], ["{'f0': 1, 'f1': [{'f0': nan}, NULL]}", "{'f0': NULL, 'f1': NULL}", "{'f0': 2, 'f1': []}"]],
]; // prettier-ignore

describe('tables of a graph in DuckDB', () => {
  let snapshot: Snapshot;
  let directory: string;
  let loaded: LoadedEngine;

  const values = async (sql: string, parameters: Record<string, unknown> = {}): Promise<unknown[]> => {
    const answer = right(await loaded.engine.query(sqlQuery(sql, parameters)));
    return (JSON.parse(answer.rowsJson) as unknown[][]).map(([value]) => value);
  };
  const value = async (sql: string): Promise<unknown> => (await values(sql))[0];

  beforeAll(async () => {
    snapshot = await createSnapshot();
    directory = await scratchDirectory();
    await snapshot.export(
      'nodes/Person',
      `SELECT 'p' || lpad(((i * 7919) % ${PEOPLE})::VARCHAR, 6, '0') AS id, i AS nr FROM range(${PEOPLE}) AS t(i)`,
    );
    const rows = [0, 1, 2].map(
      (row) => `SELECT ${row}::BIGINT AS id${TYPES.map(([type, all]) => `, ${all[row]} AS "${type}"`).join('')}`,
    );
    const nulls = `SELECT 3::BIGINT AS id${TYPES.map(([type]) => `, NULL AS "${type}"`).join('')}`;
    await snapshot.export('nodes/Thing', [...rows, nulls].join(' UNION ALL '));
    await snapshot.export(
      'edges/KNOWS',
      `SELECT 'p' || lpad((hash(i) % ${PEOPLE})::VARCHAR, 6, '0') AS a, 'p' || lpad((hash(i, 1) % ${PEOPLE})::VARCHAR, 6, '0') AS b, i AS nr FROM range(${KNOWS}) AS t(i)`,
    );
    await snapshot.export('edges/HAS', `SELECT 'p000000' AS a, i AS b FROM range(4) AS t(i)`);
    const nr = { name: 'nr', type: 'INT64' } as const;
    const edges = { from_node: 'Person', from_key: 'a', to_key: 'b' };
    const mapping = mappingOf(snapshot, {
      node_definitions: [
        { label: 'Person', primary_key: { name: 'id', type: 'STRING' }, properties: [nr] },
        {
          label: 'Thing',
          primary_key: { name: 'id', type: 'INT64' },
          properties: TYPES.map(([type]) => ({ name: type, type })),
        },
      ],
      edge_definitions: [
        { ...edges, type: 'KNOWS', to_node: 'Person', properties: [nr] },
        { ...edges, type: 'HAS', to_node: 'Thing', properties: [] },
      ],
    });
    loaded = await loadedEngine(handwrittenEngine(directory), mapping, snapshot, directory);
  });
  afterAll(async () => {
    await loaded.end();
    await snapshot.remove();
  });

  test('nodes are numbered in the order of their keys, and stored in this order', async () => {
    const ordered = `SELECT _id = row_number() OVER (ORDER BY p0) - 1 AND _id = rowid AS fits FROM node_0`;
    expect(await value(`SELECT bool_and(fits)::VARCHAR FROM (${ordered})`)).toBe(true);
    expect(await value('SELECT count(*)::VARCHAR FROM node_0')).toBe(PEOPLE);
    expect(await values('SELECT (_id - (1::BIGINT << 40))::VARCHAR FROM node_1')).toEqual([0, 1, 2, 3]);
  });

  test('edges are numbered and stored in the order of their ends, and again in the order of their targets', async () => {
    const ordered = `SELECT _id = row_number() OVER (ORDER BY _from, _to, _id) - 1 AND _id = rowid AS fits FROM edge_0`;
    expect(await value(`SELECT bool_and(fits)::VARCHAR FROM (${ordered})`)).toBe(true);
    const reverse = `SELECT rowid = row_number() OVER (ORDER BY _to, _from, _id) - 1 AS fits FROM reverse_0`;
    expect(await value(`SELECT bool_and(fits)::VARCHAR FROM (${reverse})`)).toBe(true);
    const same = `SELECT _id, _from, _to FROM edge_0 EXCEPT SELECT _id, _from, _to FROM reverse_0`;
    expect(await value(`SELECT count(*)::VARCHAR FROM (${same})`)).toBe(0);
  });

  test('edges have the ids of their ends, and their properties', async () => {
    const exported = `SELECT 'p' || lpad((hash(i) % ${PEOPLE})::VARCHAR, 6, '0') AS a, 'p' || lpad((hash(i, 1) % ${PEOPLE})::VARCHAR, 6, '0') AS b, i FROM range(${KNOWS}) AS t(i)`;
    const stored =
      'SELECT a.p0, b.p0, e.p0 FROM edge_0 e JOIN node_0 a ON a._id = e._from JOIN node_0 b ON b._id = e._to';
    expect(await value(`SELECT count(*)::VARCHAR FROM (${exported} EXCEPT ${stored})`)).toBe(0);
    expect(await values('SELECT b.p0::VARCHAR FROM edge_1 e JOIN node_1 b ON b._id = e._to')).toEqual([0, 1, 2, 3]);
    expect(await value('SELECT min(_id - (1::BIGINT << 40))::VARCHAR FROM edge_1')).toBe(0);
  });

  test('row groups are small', async () => {
    expect(await value(`SELECT max(count)::VARCHAR FROM pragma_storage_info('edge_0')`)).toBe(32_768);
  });

  test.each(TYPES.map(([type, , stored], index) => [type, index + 1, stored] as const))(
    'every %s is stored exactly',
    async (type, column, stored) => {
      const text = type === 'STRING' ? `replace(p${column}, chr(0), '\\0')` : `p${column}::VARCHAR`;
      const expected = type === 'STRING' ? ['\\0a', ...stored.slice(1)] : stored;
      expect(await values(`SELECT to_json(${text})::VARCHAR FROM node_1 ORDER BY _id`)).toEqual([...expected, null]);
    },
  );

  test('a statement cannot reach files, settings or extensions', async () => {
    for (const sql of [
      `SELECT count(*)::VARCHAR FROM read_text('/etc/hostname')`,
      `SELECT count(*)::VARCHAR FROM '${directory}/files/nodes/Person/part-0.parquet'`,
      `COPY (SELECT 1) TO '${directory}/copy.csv'`,
      `ATTACH '${directory}/other.duckdb'`,
      'SET enable_external_access = true',
      'SET lock_configuration = false',
      `SET temp_directory = '/tmp'`,
      'INSTALL httpfs',
      'LOAD httpfs',
    ]) {
      expect(left(await loaded.engine.query(sqlQuery(sql)))).toMatchObject({ kind: 'rejected' });
    }
  });

  test('a plan is shown as text in one column', async () => {
    const { text, ...rest } = sqlQuery('SELECT p0 FROM node_0');
    const answer = right(await loaded.engine.query({ text: `EXPLAIN ${text}`, ...rest }));
    expect(answer.columns).toEqual(['plan']);
    expect(answer.columnTypes).toEqual(['STRING']);
    expect(answer.rowsJson).toContain('node_0');
  });

  test('parameters are bound, and an answer is cut after its maximum number of rows', async () => {
    expect(await values('SELECT p1::VARCHAR FROM node_0 WHERE p0 = $1', { key: 'p007919' })).toEqual([1]);
    const answer = right(
      await loaded.engine.query(sqlQuery(`SELECT range::VARCHAR FROM range($1::BIGINT)`, { n: 100_001 })),
    );
    expect(answer).toMatchObject({ rowCount: 100_000, truncated: true });
    const whole = right(
      await loaded.engine.query(sqlQuery(`SELECT range::VARCHAR FROM range($1::BIGINT)`, { n: 100_000 })),
    );
    expect(whole).toMatchObject({ rowCount: 100_000, truncated: false });
  });
});
