import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Returns a function that shortens paths below the given folders: with `{ warehouse: '/srv/data/wh' }`,
 * `/srv/data/wh/a.duckdb` becomes `warehouse/a.duckdb`. A message to a user must not contain paths of the server.
 */
export const relativePaths = (folders: Readonly<Record<string, string>>): ((message: string) => string) => {
  const names = Object.entries(folders)
    .map(([name, folder]) => ({ name, path: folder.startsWith('file:') ? fileURLToPath(folder) : resolve(folder) }))
    .flatMap(({ name, path }) => [path, pathToFileURL(path).href].map((spelling) => ({ name, path: spelling })))
    .sort((a, b) => b.path.length - a.path.length);
  return (message) => {
    const shortened = names.reduce((text, { name, path }) => text.replace(followedByEnd(path), () => name), message);
    return shortened.replace(LOCK_HOLDER, '$1');
  };
};

const followedByEnd = (path: string): RegExp =>
  new RegExp(`${path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?=$|[^\\w.-])`, 'g');

/** DuckDB reports the full path of the program that locks a file. */
const LOCK_HOLDER = /(?<=Conflicting lock is held in )\/(?:[^\s"]*\/)?([^\s"/]+)/g;
