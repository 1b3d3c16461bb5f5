import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this package, from the sources as well as from the build. */
export const packageRoot = (() => {
  let directory = __dirname;
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory);
  return directory;
})();

/** A compiled program of this package. */
export const programPath = (name: string): string => join(packageRoot, 'dist', ...name.split('/')) + '.js';

/** The version of this package. */
export const packageVersion =
  /"version": "([^"]+)"/.exec(readFileSync(join(packageRoot, 'package.json'), 'utf8'))?.[1] ?? '';
