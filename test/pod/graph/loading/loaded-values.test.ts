import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { writeParquet } from '../../../../adapters/client/write-parquet';
import { type InstanceMapping } from '../../../../adapters/contracts/graph-pod/instance-mapping';
import { type PrimaryKeyType } from '../../../../domain/mapping/definitions';
import { openDuckdb, readParquet } from '../../../../pod/graph/duckdb/duckdb-session';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { bySize } from '../../../support/proof-size';
import { engineOfKind, KINDS } from '../support/engine-of-kind';
import { loadInto, right, scratchDirectory } from '../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot } from '../support/snapshot';
import { type Generated, type GeneratedType, TYPES, WITH_NAN } from './generated-columns';

/** Values by row and column. */
type Rows = readonly (readonly Generated[])[];
type Property = InstanceMapping['node_definitions'][number]['properties'][number];

const rowsOf = (types: readonly GeneratedType[], maxLength: number): fc.Arbitrary<Rows> =>
  fc.array(fc.tuple(...types.map(({ value }) => value)), { minLength: 1, maxLength });

describe.each(KINDS)('values in %s', (kind) => {
  let snapshot: Snapshot;
  let directory: string;
  let engine: GraphEngine;

  beforeEach(async () => {
    snapshot = await createSnapshot();
    directory = await scratchDirectory();
    engine = engineOfKind(kind, directory);
  });

  afterEach(async () => {
    await engine.close();
    await snapshot.remove();
    await rm(directory, { recursive: true, force: true });
  });

  /** Loads the rows as nodes, and as edges where `part` says so. */
  const load = async (types: readonly GeneratedType[], rows: Rows, part: 'nodes' | 'both') => {
    const cells = (row: readonly Generated[]): string =>
      row.map(({ sql }, at) => `CAST(${sql} AS ${types[at]?.duckdb}) AS c${at}`).join(', ');
    const select = (keys: (id: number) => string): string =>
      rows.map((row, id) => `SELECT ${keys(id)}, ${cells(row)}`).join(' UNION ALL ');
    await rm(snapshot.root, { recursive: true, force: true });
    await snapshot.export('nodes/N', select((id) => `${id}::BIGINT AS id`)); // prettier-ignore
    if (part === 'both') await snapshot.export('edges/E', select((id) => `0::BIGINT AS a, ${id}::BIGINT AS b`)); // prettier-ignore
    const properties = types.map(({ declared }, at) => ({ name: `c${at}`, type: declared }) as Property);
    const edge = { type: 'E', from_node: 'N', to_node: 'N', from_key: 'a', to_key: 'b', properties };
    const mapping = mappingOf(snapshot, {
      node_definitions: [{ label: 'N', primary_key: { name: 'id', type: 'INT64' }, properties }],
      edge_definitions: part === 'both' ? [edge] : [],
    });
    await rm(`${directory}/files`, { recursive: true, force: true });
    right(await engine.start());
    return loadInto(engine, mapping, snapshot, directory);
  };

  const answer = async (text: string): Promise<string> =>
    trimmed(right(await engine.query({ text, parameters: {}, timeoutMs: 20_000 })).rowsJson);
  /** Fractional seconds have three digits, or more if the rest is not zero; exponents have no plus. */
  const trimmed = (json: string): string =>
    json.replace(/(\de)\+(?=\d)/g, '$1').replace(/(T\d\d:\d\d:\d\d\.\d{3}\d*?)0*Z/g, '$1Z');

  const expectColumns = async (types: readonly GeneratedType[], rows: Rows, pattern: string): Promise<void> => {
    for (const at of types.keys()) {
      const column = trimmed(`[${rows.map((row) => `[${row[at]?.json}]`).join(',')}]`);
      expect(await answer(`MATCH ${pattern} RETURN x.c${at} ORDER BY n.id`)).toBe(column);
    }
    const entities = rows.map((row) => trimmed(row.map(({ json }, at) => `,"c${at}":${json}`).join('')));
    const found = await answer(`MATCH ${pattern} RETURN x ORDER BY n.id`);
    expect(found.split(/\},?\]/).filter((entity) => entity.includes('_id')).length).toBeGreaterThan(0);
    for (const entity of entities) expect(found).toContain(entity);
  };

  const comesBack = async (types: readonly GeneratedType[], rows: Rows): Promise<void> => {
    right(await load(types, rows, 'both'));
    await expectColumns(types, rows, '(n:N) WITH n, n AS x');
    await expectColumns(types, rows, '(:N)-[x:E]->(n:N)');
  };

  test('what is loaded comes back', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(TYPES, 8), (rows) => comesBack(TYPES, rows)),
      { numRuns: bySize({ sample: 2, full: 4 }), endOnFailure: true, seed: 7 },
    );
  });

  test('a Parquet file from an Arrow stream has the loaded values', async () => {
    const duckdb = await openDuckdb({ memoryBytes: 2 ** 28, threads: 1, scratchDirectory: directory });
    const { fileWriter } = await import('hyparquet-writer');
    const sameInFile = async (rows: Rows): Promise<void> => {
      right(await load(TYPES, rows, 'nodes'));
      const columns = TYPES.map((_, at) => `n.c${at} AS c${at}`).join(', ');
      const text = `MATCH (n:N) RETURN n.id AS id, ${columns}`;
      const stream = right(await engine.exportRows({ text, parameters: {}, timeoutMs: 20_000 }, 'arrow'));
      const file = join(directory, `${randomUUID()}.parquet`);
      await writeParquet(stream, fileWriter(file));
      const isOther = TYPES.map(
        ({ duckdb: type }, at) => `count_if(a.c${at} IS DISTINCT FROM CAST(b.c${at} AS ${type}))::INTEGER AS c${at}`,
      );
      const loaded = join(snapshot.root, snapshot.storagePath, 'nodes/N/attempt-1/part-0.parquet');
      const from = `${readParquet([loaded])} AS a JOIN ${readParquet([file])} AS b USING (id)`;
      const [counts = {}] = await duckdb.rows(`SELECT count(*)::INTEGER AS n, ${isOther.join(', ')} FROM ${from}`);
      expect(Object.values(counts)).toEqual([rows.length, ...TYPES.map(() => 0)]);
    };
    await fc.assert(fc.asyncProperty(rowsOf(TYPES, 8), sameInFile), {
      numRuns: bySize({ sample: 2, full: 4 }),
      endOnFailure: true,
      seed: 7,
    });
    duckdb.close();
  });

  test('keys of every type identify their nodes, also at the ends of edges', async () => {
    const keys = [
      ['STRING', 'VARCHAR', "'a:b'", 'a:b'],
      ['INT64', 'BIGINT', '-9223372036854775807', '-9223372036854775807'],
      ['INT32', 'INTEGER', '-2147483647', '-2147483647'],
      ['INT16', 'SMALLINT', '-32767', '-32767'],
      ['INT8', 'TINYINT', '-127', '-127'],
      ['DATE', 'DATE', "'0044-03-15 (BC)'", '-000043-03-15'],
      ['TIMESTAMP', 'TIMESTAMP', "'12345-01-02 03:04:05.000006'", '+012345-01-02T03:04:05.000006Z'],
      ['UUID', 'UUID', "'00000000-0000-0000-0000-000000000001'", '00000000-0000-0000-0000-000000000001'],
    ] as const;
    for (const [type, duckdb, sql] of keys) {
      await snapshot.export(`nodes/N${type}`, `SELECT (${sql})::${duckdb} AS id`);
      await snapshot.export(`edges/E${type}`, `SELECT (${sql})::${duckdb} AS a, (${sql})::${duckdb} AS b`);
    }
    const node = (type: PrimaryKeyType) => ({ label: `N${type}`, primary_key: { name: 'id', type }, properties: [] });
    const edge = (type: string) => ({ type: `E${type}`, from_node: `N${type}`, to_node: `N${type}`, from_key: 'a', to_key: 'b', properties: [] }); // prettier-ignore
    const mapping = { node_definitions: keys.map(([type]) => node(type)), edge_definitions: keys.map(([type]) => edge(type)) }; // prettier-ignore
    right(await engine.start());
    right(await loadInto(engine, mappingOf(snapshot, mapping), snapshot, directory));
    for (const [type, , , shown] of keys) {
      const id = `"N${type}:${shown}"`;
      expect(await answer(`MATCH (n:N${type}) RETURN n`)).toContain(`{"_id":${id},`);
      expect(await answer(`MATCH ()-[e:E${type}]->() RETURN e`)).toContain(`"_start":${id},"_end":${id}`);
    }
  });

  test('times with a zone keep their moment, also in the last years that DuckDB has', async () => {
    const types = [
      { declared: 'TIMESTAMP', duckdb: 'TIMESTAMPTZ', value: fc.constant({ sql: '', json: '' }) },
    ] as const;
    const rows = [
      ['2024-07-01 12:00:00.000001+02', '2024-07-01T10:00:00.000001Z'],
      ['294246-01-10 04:00:54.775806+00', '+294246-01-10T04:00:54.775806Z'],
      ['294247-01-10 04:00:54.775806+00', '+294247-01-10T04:00:54.775806Z'],
      ['290309-12-22 (BC) 00:00:00.000001+00', '-290308-12-22T00:00:00.000001Z'],
      ['infinity', 'infinity'],
      ['-infinity', '-infinity'],
    ].map(([sql, shown]) => [{ sql: `'${sql}'`, json: JSON.stringify(shown) }]);
    await comesBack(types, rows);
    const texts = rows.map(([value]) => `[${value?.json.replace('Z', '')}]`);
    expect(await answer('MATCH (n:N) RETURN toString(n.c0) ORDER BY n.id')).toBe(`[${texts.join(',')}]`);
    const days = texts.map((text) => text.replace(/T.*"/, '"'));
    expect(await answer('MATCH (n:N) RETURN toString(date(n.c0)) ORDER BY n.id')).toBe(`[${days.join(',')}]`);
  });

  test('NaN in nodes is returned next to other values', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(WITH_NAN, 12), async (rows) => {
        right(await load(WITH_NAN, rows, 'nodes'));
        await expectColumns(WITH_NAN, rows, '(n:N) WITH n, n AS x');
        const above = rows.flatMap((row, id) => (row[0]?.json === '7' || row[0]?.json === '8' ? [`[${id}]`] : []));
        expect(await answer('MATCH (n:N) WHERE n.c0 > 1 RETURN n.id ORDER BY n.id')).toBe(`[${above.join(',')}]`);
      }),
      { numRuns: bySize({ sample: 4, full: 8 }), endOnFailure: true },
    );
  });
});
