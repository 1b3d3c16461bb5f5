import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type ParquetChecks, readParquet } from '../../../adapters/duckdb/read-parquet';
import { writeParquet } from './warehouse-fixture';

test('all rows of files with different types are read once for each version of the files', async () => {
  const path = await mkdtemp(join(tmpdir(), 'rowgraph-parquet-'));
  const files = ['a', 'b'].map((name) => join(path, `${name}.parquet`));
  await writeParquet(join(path, 'a.parquet'), 'SELECT 1::BIGINT AS v');
  await writeParquet(join(path, 'b.parquet'), 'SELECT 1.5::DOUBLE AS v');
  const instance = await DuckDBInstance.create(':memory:', { errors_as_json: 'true' });
  const connection = await instance.connect();
  const run = jest.spyOn(connection, 'runAndReadAll');
  const checks: ParquetChecks = new Map();
  const scans = async (version: string) => {
    run.mockClear();
    const table = { catalog: 'lake', schema: 'raw', table: 't', format: 'parquet', path, files, version } as const;
    expect(await readParquet(connection, table, checks)).toMatchObject({ _tag: 'Right' });
    return run.mock.calls.filter(([sql]) => sql.includes('LIMIT 1')).length;
  };
  expect([await scans('1'), await scans('1'), await scans('2'), await scans('2')]).toEqual([1, 0, 1, 0]);
  connection.closeSync();
  instance.closeSync();
  await rm(path, { recursive: true });
});
