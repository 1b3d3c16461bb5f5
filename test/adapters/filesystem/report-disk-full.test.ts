import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportDiskFull } from '../../../adapters/filesystem/report-disk-full';
import { type StoredEvent } from '../../../domain/kernel/event';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-disk-'));
});
afterEach(() => rm(folder, { recursive: true }));

const reported = async (type: string, errorMessage: string, directory: string): Promise<readonly string[]> => {
  const failures: string[] = [];
  const event = { type, data: { errorMessage }, recordedAt: new Date().toISOString() } as unknown as StoredEvent;
  await reportDiskFull([event], { failed: (store) => failures.push(store) }, [directory]);
  return failures;
};

test('a message about a full disk is reported only if a write fails here', async () => {
  const file = join(folder, 'a file in place of the folder');
  await writeFile(file, '');
  expect(await reported('ExportJobFailed', 'node ENOSPC: there is no such table', folder)).toEqual([]);
  expect(await reported('InstanceFailed', 'write: no space left on device', file)).toEqual(['disk']);
  expect(await reported('ExportJobFailed', 'there is no such table', file)).toEqual([]);
  expect(await reported('InstanceRunning', 'ENOSPC', file)).toEqual([]);
});
