import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEFAULT_COMMAND = 'eventstored';

/** The command that starts an EventStoreDB server: the one named in `EVENTSTORED`, else `eventstored` on the path; null where there is none. */
export const eventStoreCommand = (): string | null => {
  const named = process.env['EVENTSTORED'] ?? '';
  if (named === '') return onPath(DEFAULT_COMMAND);
  const found = named.includes('/') ? existing(named) : onPath(named);
  if (found === null)
    throw new Error(`EVENTSTORED names ${named}, which is no program. Name the server's command, or unset it.`);
  return found;
};

const onPath = (name: string): string | null =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => existing(join(folder, name)))
    .find((path) => path !== null) ?? null;

const existing = (path: string): string | null => {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return null;
  }
};

/** `describe` where there is an EventStoreDB server to run it against; left out and counted as such elsewhere. */
export const describeWithEventStore: jest.Describe = eventStoreCommand() === null ? describe.skip : describe;
