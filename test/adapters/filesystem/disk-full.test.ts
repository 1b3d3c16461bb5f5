import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describeFullDisk, isDiskFull } from '../../../adapters/filesystem/disk-full';
import { FilesystemObjectStore } from '../../../adapters/filesystem/filesystem-object-store';
import { reasonOf } from '../../../pod/graph/engine/engine-failure';
import { diskFullError, fullFile } from '../../support/full-disk';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-full-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The error of a statement of DuckDB. */
const duckdbError = async (sql: string, asJson: boolean): Promise<unknown> => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`SET errors_as_json = ${asJson}`);
  try {
    return await connection.run(sql).catch((error: unknown) => error);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};

test('an error of Node says that a disk is full', async () => {
  expect(isDiskFull(await diskFullError())).toBe(true);
  expect(isDiskFull(Object.assign(new Error('write'), { code: 'EDQUOT' }))).toBe(true);
  expect(isDiskFull(Object.assign(new Error('ENOSPC'), { code: 'EACCES' }))).toBe(false);
});

test.each([true, false])('an error of DuckDB says that a disk is full (as JSON: %s)', async (asJson) => {
  const file = await fullFile(join(folder, 'out.parquet'));
  const error = await duckdbError(`COPY (SELECT 1 AS a) TO '${file}' (FORMAT parquet)`, asJson);
  expect(isDiskFull(error)).toBe(true);
  expect(isDiskFull(reasonOf(error))).toBe(true);
});

test.each([true, false])('a value in an error of DuckDB does not (as JSON: %s)', async (asJson) => {
  const error = await duckdbError("SELECT CAST('IO Error: No space left on device' AS INT)", asJson);
  expect(String(error)).toContain('No space left on device');
  expect(isDiskFull(error)).toBe(false);
});

test('the message has the folder, its free space and the next step', async () => {
  expect(await describeFullDisk(folder)).toMatch(
    new RegExp(`^no space left on device .*: ${folder} has \\d+ bytes free\\. .*then create the instance again`),
  );
  expect(await describeFullDisk(join(folder, 'missing'))).toContain('an unknown number of bytes');
});

test('a local object store on a full disk says so', async () => {
  const error = await diskFullError();
  const store = new FilesystemObjectStore(folder);

  const stream = (async function* (): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    throw error;
  })();
  expect(await store.put('nodes/a', { stream, bytes: null })).toMatchObject({
    left: { kind: 'disk_full', key: 'nodes/a', reason: expect.stringContaining(`${folder} has`) as string },
  });
});
