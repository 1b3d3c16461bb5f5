import { type Dirent } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ObjectStore, type ObjectStoreError, type StoredObject } from '../../domain/ports/object-store';
import { fromFile, fromText, isErrno, isPartialName, writeDurably } from './durable-write';

/**
 * An object store in a local folder. An address is the folder's `file://` URL, a slash, and the file's path below it
 * exactly as it stands: nothing is decoded, so `%2e%2e` is a name like any other.
 *
 * A stored file survives a power cut. Files are taken over by hard link where possible, so a file handed to `putFile`
 * must not be changed afterwards; deleting it is fine.
 */
export const createFilesystemObjectStore = (rootDirectory: string): ObjectStore => {
  const rootPath = resolve(rootDirectory);
  const root = pathToFileURL(rootPath).href.replace(/\/$/, '');

  const pathOf = (key: string): Either<ObjectStoreError, string> => {
    const segments = key.startsWith(`${root}/`) ? key.slice(root.length + 1).split('/') : [];
    if (segments.length > 0 && segments.every(isPlainName)) return right(join(rootPath, ...segments));
    return left({
      kind: 'unavailable',
      key,
      reason: `"${key}" is no address of this store: expected a plain path below ${root}/ without empty, "." or ".." parts`,
    });
  };

  const folderOf = (prefix: string): Either<ObjectStoreError, string> => {
    if (prefix === `${root}/`) return right(rootPath);
    if (prefix.endsWith('/')) return pathOf(prefix.slice(0, -1));
    return left({ kind: 'unavailable', key: prefix, reason: `the prefix "${prefix}" does not end in "/"` });
  };

  const put = async (
    key: string,
    fill: (partialPath: string) => Promise<void>,
  ): Promise<Either<ObjectStoreError, StoredObject>> => {
    const path = pathOf(key);
    if (isLeft(path)) return path;
    try {
      await writeDurably(path.right, fill);
      return right({ key, sizeBytes: (await stat(path.right)).size });
    } catch (error) {
      return left(unavailable(key, error));
    }
  };

  const list = async (prefix: string): Promise<Either<ObjectStoreError, readonly StoredObject[]>> => {
    const folder = folderOf(prefix);
    if (isLeft(folder)) return folder;
    const entries = await attempt(prefix, () => filesBelow(folder.right));
    if (isLeft(entries)) return entries;
    return attempt(prefix, async () => {
      const found: StoredObject[] = [];
      for (const entry of entries.right) {
        const path = join(entry.parentPath, entry.name);
        const sizeBytes = await sizeUnlessGone(path);
        if (sizeBytes !== null) found.push({ key: root + path.slice(rootPath.length), sizeBytes });
      }
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    });
  };

  return {
    root,
    list,
    putFile: (key, localPath) => put(key, fromFile(localPath)),
    putText: (key, text) => put(key, fromText(text)),
    getText: async (key) => {
      const path = pathOf(key);
      return isLeft(path) ? path : attempt(key, () => readFile(path.right, 'utf8'));
    },
    fetchFile: async (key) => {
      const path = pathOf(key);
      if (isLeft(path)) return path;
      const found = await attempt(key, () => stat(path.right));
      if (isLeft(found)) return found;
      return found.right.isFile() ? path : left({ kind: 'not_found', key });
    },
    deleteAll: async (prefix) => {
      const objects = await list(prefix);
      if (isLeft(objects)) return objects;
      const folder = folderOf(prefix);
      if (isLeft(folder)) return folder;
      const bytes = objects.right.reduce((sum, object) => sum + object.sizeBytes, 0);
      return attempt(prefix, async () => {
        await rm(folder.right, { recursive: true, force: true, maxRetries: 3 });
        return { files: objects.right.length, bytes };
      });
    },
  };
};

const isPlainName = (segment: string): boolean =>
  !['', '.', '..'].includes(segment) && !/[\0\\]/.test(segment) && !isPartialName(segment);

const filesBelow = async (folder: string): Promise<readonly Dirent[]> => {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && !isPartialName(entry.name));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
};

const sizeUnlessGone = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
};

const attempt = async <A>(key: string, action: () => Promise<A>): Promise<Either<ObjectStoreError, A>> => {
  try {
    return right(await action());
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return left({ kind: 'not_found', key });
    return left(unavailable(key, error));
  }
};

const unavailable = (key: string, error: unknown): ObjectStoreError => ({
  kind: 'unavailable',
  key,
  reason: error instanceof Error ? error.message : String(error),
});
