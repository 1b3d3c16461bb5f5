import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeBytes } from '../../../adapters/filesystem/free-bytes';
import { watchDisk } from '../../../adapters/filesystem/watch-disk';
import { type StoredEvent } from '../../../domain/kernel/event';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-disk-'));
});
afterEach(() => rm(folder, { recursive: true }));

const watch = (directory: string, free?: number | null) => {
  const failures: { disk?: string } = {};
  const writes = { failed: (_: unknown, reason: string) => void (failures.disk = reason), failures: () => failures };
  return watchDisk([directory], writes, free === undefined ? freeBytes : () => Promise.resolve(free));
};

const problemAfter = async (type: string, errorMessage: string, directory: string): Promise<string | null> => {
  const disk = watch(directory);
  const event = { type, data: { errorMessage }, recordedAt: new Date().toISOString() } as unknown as StoredEvent;
  await disk.onEvents([event]);
  return disk.problem();
};

test('a message about a full disk is reported only if a write fails here', async () => {
  const file = join(folder, 'a file in place of the folder');
  await writeFile(file, '');
  expect(await problemAfter('ExportJobFailed', 'node ENOSPC: the table does not exist', folder)).toBeNull();
  expect(await problemAfter('InstanceFailed', 'write: no space left on device', file)).toMatch(
    /^the last write failed: .*EEXIST/,
  );
  expect(await problemAfter('ExportJobFailed', 'the table does not exist', file)).toBeNull();
  expect(await problemAfter('InstanceRunning', 'ENOSPC', file)).toBeNull();
});

test('a disk without free space is reported before a write fails', async () => {
  expect(await watch(folder, 4096).problem()).toBe(`${folder} has 4096 bytes free; expected 262144 or more`);
  expect(await watch(folder, 262_144).problem()).toBeNull();
});

test('a disk of unknown size is not reported', async () => {
  expect(await watch(folder, null).problem()).toBeNull();
  expect(await freeBytes(join(folder, 'missing'))).toBeNull();
});

test('the free space is the one of the disk', async () => {
  const { blocks, bsize } = await statfs(folder);
  const free = await freeBytes(folder);
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(blocks * bsize);
});
