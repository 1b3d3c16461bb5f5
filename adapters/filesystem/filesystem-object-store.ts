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
 * A stored file survives a power failure. Files are hard-linked where possible, so a file handed to `putFile`
 * must not be changed afterwards; deleting it is fine.
 */
export class FilesystemObjectStore implements ObjectStore {
  readonly root: string;
  readonly #rootPath: string;

  constructor(rootDirectory: string) {
    this.#rootPath = resolve(rootDirectory);
    this.root = pathToFileURL(this.#rootPath).href.replace(/\/$/, '');
  }

  putFile(key: string, localPath: string): Promise<Either<ObjectStoreError, StoredObject>> {
    return this.#put(key, fromFile(localPath));
  }

  putText(key: string, text: string): Promise<Either<ObjectStoreError, StoredObject>> {
    return this.#put(key, fromText(text));
  }

  async getText(key: string): Promise<Either<ObjectStoreError, string>> {
    const path = this.#pathOf(key);
    return isLeft(path) ? path : attempt(key, () => readFile(path.right, 'utf8'));
  }

  async fetchFile(key: string): Promise<Either<ObjectStoreError, string>> {
    const path = this.#pathOf(key);
    if (isLeft(path)) return path;
    const found = await attempt(key, () => stat(path.right));
    if (isLeft(found)) return found;
    return found.right.isFile() ? path : left({ kind: 'not_found', key });
  }

  async list(prefix: string): Promise<Either<ObjectStoreError, readonly StoredObject[]>> {
    const folder = this.#folderOf(prefix);
    if (isLeft(folder)) return folder;
    const entries = await attempt(prefix, () => filesBelow(folder.right));
    if (isLeft(entries)) return entries;
    return attempt(prefix, async () => {
      const found: StoredObject[] = [];
      for (const entry of entries.right) {
        const path = join(entry.parentPath, entry.name);
        const sizeBytes = await sizeUnlessGone(path);
        if (sizeBytes !== null) found.push({ key: this.root + path.slice(this.#rootPath.length), sizeBytes });
      }
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    });
  }

  async deleteAll(
    prefix: string,
  ): Promise<Either<ObjectStoreError, { readonly files: number; readonly bytes: number }>> {
    const objects = await this.list(prefix);
    if (isLeft(objects)) return objects;
    const folder = this.#folderOf(prefix);
    if (isLeft(folder)) return folder;
    const bytes = objects.right.reduce((sum, object) => sum + object.sizeBytes, 0);
    return attempt(prefix, async () => {
      await rm(folder.right, { recursive: true, force: true, maxRetries: 3 });
      return { files: objects.right.length, bytes };
    });
  }

  async #put(
    key: string,
    fill: (partialPath: string) => Promise<void>,
  ): Promise<Either<ObjectStoreError, StoredObject>> {
    const path = this.#pathOf(key);
    if (isLeft(path)) return path;
    try {
      await writeDurably(path.right, fill);
      return right({ key, sizeBytes: (await stat(path.right)).size });
    } catch (error) {
      return left(unavailable(key, error));
    }
  }

  #pathOf(key: string): Either<ObjectStoreError, string> {
    const segments = key.startsWith(`${this.root}/`) ? key.slice(this.root.length + 1).split('/') : [];
    if (segments.length > 0 && segments.every(isPlainName)) return right(join(this.#rootPath, ...segments));
    return left({
      kind: 'unavailable',
      key,
      reason: `"${key}" is not an address of this store: expected a plain path below ${this.root}/ without empty, "." or ".." parts`,
    });
  }

  #folderOf(prefix: string): Either<ObjectStoreError, string> {
    if (prefix === `${this.root}/`) return right(this.#rootPath);
    if (prefix.endsWith('/')) return this.#pathOf(prefix.slice(0, -1));
    return left({ kind: 'unavailable', key: prefix, reason: `the prefix "${prefix}" does not end in "/"` });
  }
}

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
