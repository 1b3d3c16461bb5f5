import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installedPrograms, platformUnavailableReason } from '../../../../../adapters/contracts/graph-pod/platform';
import { forOlderGlibc } from '../../../../../pod/graph/engine/falkordb/module/older-glibc';
import {
  changeInstalled,
  preparePrograms,
  withExactDoubles,
} from '../../../../../pod/graph/engine/falkordb/module/programs';
import { left, right, scratchDirectory } from '../../support/loaded-engine';

const installed = installedPrograms() ?? '';

const SMALLEST_MODULE = Buffer.from('\0%.15g\0');

describe('the programs of FalkorDB', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await scratchDirectory();
  });
  afterEach(async () => {
    // A user other than root cannot delete anything in a read-only folder.
    await chmod(join(directory, 'package'), 0o755).catch(() => undefined);
    await rm(directory, { recursive: true, force: true });
  });

  const copies = async (): Promise<readonly string[]> =>
    (await readdir(join(directory, 'cache'), { recursive: true })).filter((name) => name.includes('/')).sort();

  test('the changed server starts, keeps its size and needs no symbol of the newest glibc', async () => {
    const original = await readFile(join(installed, 'redis-server'));
    const changed = forOlderGlibc(original);
    expect(changed.length).toBe(original.length);
    const different = original.reduce((sum, byte, at) => sum + (byte === changed[at] ? 0 : 1), 0);
    expect(different).toBeGreaterThan(0);
    expect(different).toBeLessThan(60);
    const server = join(directory, 'redis-server');
    await writeFile(server, changed, { mode: 0o755 });
    expect(execFileSync(server, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()).toContain(
      'v=8.2.3',
    );
  });

  test('another program is rejected instead of changed', () => {
    expect(() => forOlderGlibc(Buffer.from('#!/bin/sh'))).toThrow('not a 64-bit ELF file');
    expect(() => withExactDoubles(Buffer.from('\0%.15g\0 \0%.15g\0'))).toThrow('pinned package version');
    expect(() => withExactDoubles(Buffer.from('nothing'))).toThrow('pinned package version');
    expect(withExactDoubles(Buffer.from('a\0%.15g\0b')).toString()).toBe('a\0%.17g\0b');
  });

  test('a server that runs as installed is not copied', async () => {
    const source = join(directory, 'package');
    await mkdir(source);
    await writeFile(join(source, 'redis-server'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    await writeFile(join(source, 'falkordb.so'), SMALLEST_MODULE);
    const cacheDirectory = join(directory, 'cache');
    const { server } = right(await preparePrograms({ directory: source, cacheDirectory }));
    expect(server).toBe(join(source, 'redis-server'));
    expect((await copies()).map((name) => name.split('/')[1])).toEqual(['falkordb.so']);
  });

  test('concurrent starts make one copy of each, from a folder they cannot write', async () => {
    const source = join(directory, 'package');
    await mkdir(source);
    for (const name of ['redis-server', 'falkordb.so']) await copyFile(join(installed, name), join(source, name));
    await chmod(source, 0o555);
    const before = await readdir(source);
    const options = { directory: source, cacheDirectory: join(directory, 'cache') };
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => preparePrograms(options)));
    for (const other of others) expect(other).toEqual(first);
    const made = await copies();
    expect(made.filter((name) => name.endsWith('falkordb.so'))).toHaveLength(1);
    expect(made.every((name) => /\/(redis-server|falkordb\.so)$/.test(name))).toBe(true);
    expect(right(await preparePrograms(options))).toEqual(right(first!));
    expect(await readdir(source)).toEqual(before);
  });

  test('programs that were changed in the installation are used without a copy', async () => {
    const source = join(directory, 'package');
    await mkdir(source);
    for (const name of ['redis-server', 'falkordb.so']) await copyFile(join(installed, name), join(source, name));
    for (let round = 0; round < 2; round++) right(await changeInstalled(source));
    const options = { directory: source, cacheDirectory: join(directory, 'cache') };
    const { server, module } = right(await preparePrograms(options));
    expect([server, module]).toEqual([join(source, 'redis-server'), join(source, 'falkordb.so')]);
    expect((await readdir(source)).toSorted()).toEqual(['.changed', 'falkordb.so', 'redis-server']);
    expect(existsSync(options.cacheDirectory)).toBe(false);
    expect((await readFile(module)).equals(withExactDoubles(await readFile(join(installed, 'falkordb.so'))))).toBe(
      true,
    );
    expect(execFileSync(server, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()).toContain(
      'v=8.2.3',
    );
    expect(left(await changeInstalled(null))).toContain('not installed');
  });

  test('the reason is reported where they cannot run', async () => {
    const cacheDirectory = join(directory, 'cache');
    expect(left(await preparePrograms({ directory: null, cacheDirectory }))).toContain('not installed');
    await mkdir(join(directory, 'package'));
    await writeFile(join(directory, 'package', 'redis-server'), 'MZ', { mode: 0o755 });
    await writeFile(join(directory, 'package', 'falkordb.so'), SMALLEST_MODULE);
    expect(left(await preparePrograms({ directory: join(directory, 'package'), cacheDirectory }))).toContain('ELF');
    expect(platformUnavailableReason('graphdb_a')).toBeNull();
    expect(platformUnavailableReason('graphdb_b')).toBeNull();
  });
});
