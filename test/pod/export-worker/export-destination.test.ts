import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft, left } from 'fp-ts/Either';
import { FilesystemObjectStore } from '../../../adapters/filesystem/filesystem-object-store';
import { type ObjectStore } from '../../../domain/ports/object-store';
import { exportDestination, writeManifest } from '../../../pod/export-worker/export-destination';
import { writeParquet } from '../../adapters/duckdb/warehouse-fixture';
import { expectLeft, expectRight } from '../../support/given-when-then';

let folder: string;
let store: ObjectStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-store-'));
  store = new FilesystemObjectStore(join(folder, 'objects'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Completes an export whose files the engine has written to the store directly. */
const takeStock = async (): Promise<string> => {
  const stored = await exportDestination(store, 'ada/nodes/').storedFiles();
  return isLeft(stored) ? stored.left : expectLeft(await writeManifest(store, 'nodes/', stored.right)).message;
};

describe('the files of an export that the engine wrote itself', () => {
  it('have their rows and their hash in the manifest', async () => {
    const path = join(folder, 'objects/nodes/part-0.parquet');
    const rows = 1_500_000;
    await writeParquet(path, `SELECT hash(i) FROM range(${rows}) AS t (i)`);
    const stored = expectRight(await exportDestination(store, 'nodes/').storedFiles());
    expectRight(await writeManifest(store, 'nodes/', stored));

    const content = await readFile(path);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(JSON.parse(expectRight(await store.getText('nodes/manifest.json')))).toEqual({
      files: [{ file: 'part-0.parquet', rows, bytes: content.length, sha256 }],
      rows,
    });
  });

  it('cause a failure when their folder cannot be read, never an export without rows', async () => {
    const refused = left({ kind: 'unavailable', key: 'nodes/', reason: 'EACCES: permission denied' } as const);
    store = { ...store, list: () => Promise.resolve(refused) };
    expect(await takeStock()).toContain('the object store failed at nodes/: EACCES');
  });

  it('cause a failure when there are none', async () => {
    expect(await takeStock()).toContain('the query engine reported success but wrote no files');
  });

  it('cause a failure when one of them cannot be read', async () => {
    await mkdir(join(folder, 'objects/ada/nodes'), { recursive: true });
    await writeFile(join(folder, 'objects/ada/nodes/part-0.parquet'), 'no Parquet');
    expect(await takeStock()).toContain(
      'the rows of the exported file part-0.parquet could not be counted: not a readable Parquet file',
    );
  });
});
