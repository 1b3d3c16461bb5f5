import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MARKER = 'this-folder-is-made-anew-by-the-demo';

/** Creates an empty data folder, or empties one of an earlier demo; any other folder is rejected. */
export const freshDemoFolder = (directory: string): void => {
  const marker = join(directory, MARKER);
  if (existsSync(directory) && readdirSync(directory).length > 0 && !existsSync(marker)) {
    throw new Error(`${directory} is not empty and not from an earlier demo; set ROWGRAPH_DATA_DIR to another folder.`);
  }
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(marker, '');
};
