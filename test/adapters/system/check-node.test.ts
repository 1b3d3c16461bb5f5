import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../adapters/system/package-root';

const CHECK = join(packageRoot, 'deploy', 'check-node.mjs');

/** As V8 does after a name that is a backslash. */
const WRONG_NAMES = `
  const { parse } = JSON;
  JSON.parse = (text) => parse(text.replace('"\\\\"":', '"\\\\\\\\":'));
`;

const check = (before: string) =>
  spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(before)}`, CHECK], {
    encoding: 'utf8',
  });

describe('the check of Node.js', () => {
  it('passes on one that reads the names of JSON as they are', () => {
    expect(check('')).toMatchObject({ status: 0, stderr: '' });
  });

  it('fails with the versions to install on one that reads some names as others', () => {
    const { status, stderr } = check(WRONG_NAMES);
    expect(stderr).toContain(`JSON.parse of this Node.js changes names`);
    expect(stderr).toContain(`this is ${process.version}. Install Node.js 24.22.1 or newer, 22, or 20.19.`);
    expect(status).toBe(1);
  });
});
