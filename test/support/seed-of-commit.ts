import { spawnSync } from 'node:child_process';

/** A number from 1 to 1,000,000 that the commit of this checkout determines; 1 where there is no commit. */
export const seedOfCommit = (): number => {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: __dirname, encoding: 'utf8' });
  return 1 + ((Number.parseInt(stdout, 16) || 0) % 1_000_000);
};
