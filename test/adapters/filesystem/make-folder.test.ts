import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataFolder } from '../../../adapters/filesystem/data-folder';
import { makeFolder, prepareFolder } from '../../../adapters/filesystem/make-folder';
import { expectLeft, expectRight } from '../../support/given-when-then';

describe('a folder that cannot be created', () => {
  it('ends the start with the reason and the setting, although /proc claims that its parent does not exist', async () => {
    expect(expectLeft(await lockDataFolder('/proc/x')).message).toMatch(
      /^The data folder \/proc\/x cannot be used: .*ENOENT.*Set ROWGRAPH_DATA_DIR\.$/,
    );
    expect(expectLeft(prepareFolder('ROWGRAPH_WAREHOUSE_DIR', '/proc/x/y')).message).toMatch(
      /^The folder \/proc\/x\/y cannot be used: .*ENOENT.*Set ROWGRAPH_WAREHOUSE_DIR to another folder\.$/,
    );
  });

  it('is named when a file is in its place', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rowgraph-folders-'));
    await writeFile(join(directory, 'file'), '');
    expect(() => makeFolder(join(directory, 'file'))).toThrow('it is not a folder');
    expect(() => makeFolder(join(directory, 'file', 'below'))).toThrow('ENOTDIR');
    expect(makeFolder(join(directory, 'a', 'b'))).toBe(join(directory, 'a'));
    expect(makeFolder(join(directory, 'a', 'b'))).toBeUndefined();
    expect(expectRight(prepareFolder('ROWGRAPH_WAREHOUSE_DIR', directory))).toBeUndefined();
    await rm(directory, { recursive: true });
  });
});
