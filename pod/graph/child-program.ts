import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const packageRoot = (directory: string): string =>
  existsSync(join(directory, 'package.json')) ? directory : packageRoot(dirname(directory));

/** Path of a compiled program below `pod/graph`, whether this runs compiled itself or from the sources. */
export const childProgram = (name: string): string =>
  join(packageRoot(__dirname), 'dist', 'pod', 'graph', `${name}.js`);
