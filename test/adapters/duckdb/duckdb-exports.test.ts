import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { right } from 'fp-ts/Either';
import { DuckdbExports } from '../../../adapters/duckdb/duckdb-exports';
import { type WarehouseSessions } from '../../../adapters/duckdb/warehouse-sessions';
import { fullFile } from '../../support/full-disk';
import { expectRight } from '../../support/given-when-then';
import { localDestination } from '../../support/local-destination';

test('an export that finds its disk full fails for that reason, with the folder and its free space', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-exports-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run('SET errors_as_json = true');
  const full = await fullFile(join(folder, 'full.parquet'));
  // The real file has a name that a test cannot know before.
  const onFullDisk = new Proxy<DuckDBConnection>(connection, {
    get: (target, name) =>
      name === 'run'
        ? (sql: string) => target.run(sql.replace(/(?<= TO ')[^']*/, full))
        : (Reflect.get(target, name) as (...args: unknown[]) => unknown).bind(target),
  });
  const files = { databases: [], tables: [], skipped: [] };
  const session = { connection: onFullDisk, catalogs: [], catalog: null, problems: [], files, hints: true };
  const warehouse = { open: () => Promise.resolve(right({ ...session, release: () => undefined })) };
  const directory = join(folder, 'exports');
  await mkdir(directory);
  const exports = new DuckdbExports(warehouse as unknown as WarehouseSessions, directory);
  const submitted = expectRight(
    await exports.submit({
      ...{ sql: 'SELECT 1 AS id', columns: ['id'], catalog: null, scratchDirectory: folder },
      destination: localDestination(folder),
    }),
  );
  if (submitted.state !== 'running') throw new Error('the export has ended');
  expect(await exports.poll(submitted.nextUri)).toMatchObject({
    left: { kind: 'disk_full', message: expect.stringContaining(`${directory} has `) as string },
  });
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true });
});
