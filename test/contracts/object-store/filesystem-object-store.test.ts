import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FilesystemObjectStore } from '../../../adapters/filesystem/filesystem-object-store';
import { type ObjectStore } from '../../../domain/ports/object-store';
import { expectRight } from '../../support/given-when-then';
import { describeObjectStore } from './object-store-contract';

const folders: string[] = [];
const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph store '));
  folders.push(folder);
  return folder;
};

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describeObjectStore('a folder', async () => new FilesystemObjectStore(await emptyFolder()));

describe('the filesystem object store', () => {
  it('returns the address of the stored file itself', async () => {
    const folder = await emptyFolder();
    const store: ObjectStore = new FilesystemObjectStore(folder);
    await store.putText('a/b %', 'x');

    expect(fileURLToPath(expectRight(await store.readableAddress('a/b %')))).toBe(join(folder, 'a/b %'));
  });

  it('does not list or return incomplete files of a crash, and removes old ones', async () => {
    const folder = await emptyFolder();
    const store = new FilesystemObjectStore(folder);
    const leftover = '.0192f0c17a527000.partial';
    await store.putText('a/b', 'x');
    await writeFile(join(folder, 'a', leftover), 'half');

    expect(await store.list('a/')).toMatchObject({ right: [{ key: 'a/b' }] });
    expect(await store.getText(`a/${leftover}`)).toMatchObject({ left: { kind: 'invalid_key' } });
    expect(await store.removeUnfinished(new Date(0))).toMatchObject({ right: 0 });
    expect(await store.removeUnfinished(new Date(Date.now() + 60_000))).toMatchObject({ right: 1 });
    expect(await readdir(join(folder, 'a'))).toEqual(['b']);
  });

  it('reports a store that cannot be written to', async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, 'file'), 'x');
    const store = new FilesystemObjectStore(join(folder, 'file'));

    expect(await store.putText('a/b', 'x')).toMatchObject({ left: { kind: 'unavailable' } });
    expect(await store.list('')).toEqual({ _tag: 'Right', right: [] });
  });
});
