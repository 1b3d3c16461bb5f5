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
    const prepared = prepareFolder('ROWGRAPH_WAREHOUSE_DIR', '/proc/x/y', () => undefined);
    expect(expectLeft(prepared).message).toMatch(
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
    await rm(directory, { recursive: true });
  });
});

test('a folder of a setting that did not exist is a warning', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'rowgraph-folders-'));
  const warnings: string[] = [];
  for (const name of ['.', 'new', 'new']) {
    expectRight(prepareFolder('ROWGRAPH_WAREHOUSE_DIR', join(directory, name), (text) => void warnings.push(text)));
  }
  expect(warnings).toEqual([
    expect.stringMatching(/^The folder .*new of ROWGRAPH_WAREHOUSE_DIR did not exist and was created\./),
  ]);
  await rm(directory, { recursive: true });
});
