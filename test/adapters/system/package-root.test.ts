import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../../../adapters/system/package-root';

describe('the folder of the package', () => {
  it('is missed with an error by a build that was copied out of it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowgraph-'));
    const copy = join(folder, 'package-root.js');
    await copyFile(programPath('adapters/system/package-root'), copy);
    const { stderr, status } = spawnSync(process.execPath, [copy], { encoding: 'utf8', timeout: 30_000 });
    await rm(folder, { recursive: true });
    expect(stderr).toContain(`No package.json in ${folder} or above`);
    expect(status).toBe(1);
  });
});
