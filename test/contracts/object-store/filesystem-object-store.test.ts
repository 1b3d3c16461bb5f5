import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ObjectStore } from '../../../domain/ports/object-store';
import { FilesystemObjectStore } from '../../../adapters/filesystem/filesystem-object-store';
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
  it('hands out the stored file itself', async () => {
    const folder = await emptyFolder();
    const store: ObjectStore = new FilesystemObjectStore(folder);
    await store.putText(`${store.root}/a/b`, 'x');

    expect(await store.fetchFile(`${store.root}/a/b`, '/nowhere')).toEqual({
      _tag: 'Right',
      right: join(folder, 'a/b'),
    });
  });

  it('does not show or hand out what a crash left half written, and deletes it with its folder', async () => {
    const folder = await emptyFolder();
    const store = new FilesystemObjectStore(folder);
    const leftover = '.0192f0c17a527000.partial';
    await store.putText(`${store.root}/a/b`, 'x');
    await writeFile(join(folder, 'a', leftover), 'half');

    expect(await store.list(`${store.root}/a/`)).toMatchObject({ right: [{ key: `${store.root}/a/b` }] });
    expect(await store.getText(`${store.root}/a/${leftover}`)).toMatchObject({ left: { kind: 'unavailable' } });
    expect(await store.deleteAll(`${store.root}/a/`)).toEqual({ _tag: 'Right', right: { files: 1, bytes: 1 } });
    expect(await store.getText(`${store.root}/a/b`)).toMatchObject({ left: { kind: 'not_found' } });
  });

  it('reports a store that cannot be written to', async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, 'file'), 'x');
    const store = new FilesystemObjectStore(join(folder, 'file'));

    expect(await store.putText(`${store.root}/a/b`, 'x')).toMatchObject({ left: { kind: 'unavailable' } });
    expect(await store.list(`${store.root}/`)).toEqual({ _tag: 'Right', right: [] });
  });
});
