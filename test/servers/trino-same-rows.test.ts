import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type QueryEngine } from '../../domain/ports/query-engine';
import { propertyTypeOf } from '../../domain/sql-tools';
import { storedColumn } from '../../pod/graph/loading/stored-column';
import { openWarehouseFixture, type WarehouseFixture, writeParquet } from '../adapters/duckdb/warehouse-fixture';
import { finish, ok } from '../contracts/query-engine/query-engine-contract';
import { localDestination, storedPaths } from '../support/local-destination';
import { SEED } from '../support/seed';
import { COLUMNS, generateQueries } from './support/generated-queries';
import { describeWithTrino, openTrino, s3Destination, type TrinoUnderTest } from './support/trino-server';

jest.setTimeout(1_200_000);

const QUERIES = 300;
const PER_EXPORT = 10;

/** Values of all types with NULLs, texts beyond ASCII, whole numbers beyond 2^53, and dates before 1970. */
const THINGS = `SELECT id,
  CASE WHEN id % 11 = 0 THEN NULL WHEN id % 13 = 0 THEN 9007199254740993 + id ELSE (id * 37) % 101 - 50 END AS n,
  CASE WHEN id % 7 = 0 THEN NULL ELSE ((id * 17) % 23 - 11) / 4.0::DOUBLE END AS x,
  CASE WHEN id % 5 = 0 THEN NULL ELSE ['a', 'Äb', '', ' b ', 'o''b', '日本', 'aaa'][1 + id % 7] END AS s,
  CASE WHEN id % 9 = 0 THEN NULL ELSE ((id * 4321) % 9999 / 100)::DECIMAL(12,2) END AS m,
  CASE WHEN id % 8 = 0 THEN NULL ELSE DATE '1969-11-01' + (id * 97)::INTEGER END AS day,
  CASE WHEN id % 6 = 0 THEN NULL ELSE TIMESTAMP '1969-12-30 22:00:00.000001' + INTERVAL 1 SECOND * (id * 98765) END AS "at",
  CASE WHEN id % 4 = 0 THEN NULL ELSE id % 3 = 0 END AS ok
  FROM range(200) t(id)`;

describeWithTrino('generated queries', () => {
  let duckdb: WarehouseFixture;
  let trino: TrinoUnderTest;
  beforeAll(async () => {
    duckdb = await openWarehouseFixture();
    const file = join(duckdb.warehouse, 'lake/main/things.parquet');
    await writeParquet(file, THINGS);
    trino = await openTrino({ schema: 'same_rows' });
    const copy = s3Destination(duckdb.folder);
    ok(await copy.put('things.parquet', file));
    await trino.sql('DROP TABLE IF EXISTS hive.same_rows.things');
    await trino.sql(`CREATE TABLE hive.same_rows.things (id bigint, n bigint, x double, s varchar, m decimal(12,2), day date, "at" timestamp, ok boolean)
      WITH (external_location = '${copy.url.replace(/\/$/, '')}', format = 'PARQUET')`);
  });
  afterAll(async () => {
    await duckdb.close();
    await trino.sql('DROP SCHEMA hive.same_rows CASCADE');
  });

  /** Property types, and the graph values of the exported files, sorted. */
  const graphOf = async (engine: QueryEngine, sql: string, isLocal: boolean) => {
    const scratchDirectory = await mkdtemp(join(tmpdir(), 'rowgraph-same-'));
    const local = localDestination(scratchDirectory);
    const remote = s3Destination(scratchDirectory);
    const request = {
      sql,
      columns: ['q', ...COLUMNS],
      catalog: null,
      scratchDirectory,
      destination: isLocal ? local : remote,
    };
    const types = ok(await engine.describe(sql)).map(({ type }) => propertyTypeOf(type).type);
    const ended = ok(await finish(engine, request));
    const files = isLocal ? storedPaths(local, ended) : await remote.fetch();
    const database = await DuckDBInstance.create();
    const connection = await database.connect();
    const from = `read_parquet([${files.map((file) => `'${file}'`).join(', ')}])`;
    const exported = await connection.runAndReadAll(`SELECT * FROM ${from} LIMIT 0`);
    const values = request.columns.map((name, at) => {
      const stored = storedColumn(name, name, exported.columnType(at), types[at] ?? '');
      if (stored === null) throw new Error(`${name} arrives as ${exported.columnType(at).toString()}`);
      return `${stored.expression} AS ${name}`;
    });
    const rows = await connection.runAndReadAll(`SELECT ${values.join(', ')} FROM ${from} ORDER BY ALL`);
    connection.closeSync();
    database.closeSync();
    await rm(scratchDirectory, { recursive: true });
    return { types, rows: rows.getRowsJson() };
  };

  it(`produce the same graph values with DuckDB and Trino (seed ${SEED})`, async () => {
    const queries = generateQueries(SEED, QUERIES);
    const withRows = new Set<unknown>();
    for (let from = 0; from < QUERIES; from += PER_EXPORT) {
      const batch = queries.slice(from, from + PER_EXPORT);
      const sql = batch.map((query, at) => `SELECT ${from + at} AS q, r.* FROM (${query}) r`).join('\nUNION ALL\n');
      const [here, there] = await Promise.all([
        graphOf(duckdb.engine, sql, true),
        graphOf(trino.engine, sql.replaceAll('lake.main.things', 'hive.same_rows.things'), false),
      ]);
      expect(there.types).toEqual(here.types);
      const differing = [...new Set([...here.rows, ...there.rows].map(([number]) => Number(number)))].filter(
        (number) => {
          const of = ({ rows }: typeof here): string => JSON.stringify(rows.filter(([q]) => Number(q) === number));
          return of(here) !== of(there);
        },
      );
      expect(
        differing.map((number) => [
          queries[number],
          here.rows.filter(([q]) => Number(q) === number).slice(0, 3),
          there.rows.filter(([q]) => Number(q) === number).slice(0, 3),
        ]),
      ).toEqual([]);
      for (const [number] of here.rows) withRows.add(number);
    }
    expect(withRows.size).toBeGreaterThan(QUERIES / 3);
  });
});
