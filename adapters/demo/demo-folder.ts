import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MARKER = 'this-folder-is-made-anew-by-the-demo';

/** An empty data folder. One that the demo itself has made before is emptied; any other folder is left alone. */
export const freshDemoFolder = (directory: string): void => {
  const marker = join(directory, MARKER);
  if (existsSync(directory) && readdirSync(directory).length > 0 && !existsSync(marker)) {
    throw new Error(`${directory} was not made by the demo and is not empty; set ROWGRAPH_DATA_DIR to another folder.`);
  }
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(marker, '');
};
