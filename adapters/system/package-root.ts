import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this package, from the sources as well as from the build. */
export const packageRoot = (() => {
  for (let directory = __dirname; ; directory = dirname(directory)) {
    if (existsSync(join(directory, 'package.json'))) return directory;
    if (directory === dirname(directory)) {
      throw new Error(`No package.json in ${__dirname} or above: dist runs inside the package only. Copy all of it.`);
    }
  }
})();

/** A compiled program of this package. */
export const programPath = (name: string): string => join(packageRoot, 'dist', ...name.split('/')) + '.js';

/** The version of this package. */
export const packageVersion =
  /"version": "([^"]+)"/.exec(readFileSync(join(packageRoot, 'package.json'), 'utf8'))?.[1] ?? '';
