import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEFAULT_COMMAND = 'eventstored';

/**
 * The command that starts an EventStoreDB server: the one named in `EVENTSTORED`, else `eventstored` on the PATH; null
 * if neither exists. Throws when `EVENTSTORED` does not name a program.
 */
export const eventStoreCommand = (): string | null => {
  const named = process.env['EVENTSTORED'] ?? '';
  if (named === '') return onPath(DEFAULT_COMMAND);
  const found = named.includes('/') ? programAt(named) : onPath(named);
  if (found !== null) return found;
  throw new Error(`EVENTSTORED names ${named}, which is not a program. Name the server's command, or unset it.`);
};

const onPath = (name: string): string | null =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => programAt(join(folder, name)))
    .find((path) => path !== null) ?? null;

const programAt = (path: string): string | null => {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return null;
  }
};
