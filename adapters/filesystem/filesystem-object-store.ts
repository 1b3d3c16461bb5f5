import { type Dirent } from 'node:fs';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type Deletion,
  invalidKey,
  isKey,
  isPrefix,
  type ObjectContent,
  type ObjectStore,
  type ObjectStoreError,
  type StoredObject,
} from '../../domain/ports/object-store';
import { describeFullDisk, isDiskFull } from './disk-full';
import { fromFile, fromStream, fromText, isErrno, isPartialName, unlessErrno, writeDurably } from './durable-write';

/**
 * An object store in a local folder. A key is the file's path below the folder; it is not decoded, so `%2e%2e` is a
 * name like any other.
 *
 * A stored file survives a power failure. Files are hard-linked where possible, so a file passed to `putFile` must not
 * be changed afterwards; deleting it is allowed.
 */
export class FilesystemObjectStore implements ObjectStore {
  readonly root: string;
  readonly #rootPath: string;

  constructor(rootDirectory: string) {
    this.#rootPath = resolve(rootDirectory);
    this.root = pathToFileURL(this.#rootPath).href.replace(/\/$/, '');
  }

  put(key: string, { stream, bytes }: ObjectContent): Promise<Either<ObjectStoreError, StoredObject>> {
    return this.#put(key, fromStream(stream, bytes));
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

  async getRange(key: string, start: number, end: number): Promise<Either<ObjectStoreError, Buffer>> {
    const path = this.#pathOf(key);
    if (isLeft(path)) return path;
    return attempt(key, async () => {
      const file = await open(path.right);
      try {
        const buffer = Buffer.alloc(Math.max(0, end - start));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    });
  }

  readableAddress(key: string): Promise<Either<ObjectStoreError, string>> {
    const path = this.#pathOf(key);
    return Promise.resolve(isLeft(path) ? path : right(pathToFileURL(path.right).href));
  }

  async list(prefix: string): Promise<Either<ObjectStoreError, readonly StoredObject[]>> {
    const folder = this.#folderOf(prefix);
    if (isLeft(folder)) return folder;
    const entries = await attempt(prefix, () => filesBelow(folder.right, isWhole));
    if (isLeft(entries)) return entries;
    return attempt(prefix, async () => {
      const found: StoredObject[] = [];
      for (const entry of entries.right) {
        const path = join(entry.parentPath, entry.name);
        const sizeBytes = await sizeIfExists(path);
        if (sizeBytes !== null) found.push({ key: relative(this.#rootPath, path), sizeBytes });
      }
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    });
  }

  async deleteAll(prefix: string): Promise<Either<ObjectStoreError, Deletion>> {
    const objects = await this.list(prefix);
    if (isLeft(objects)) return objects;
    const folder = this.#folderOf(prefix);
    if (isLeft(folder)) return folder;
    const bytes = objects.right.reduce((sum, object) => sum + object.sizeBytes, 0);
    return attempt(prefix, async () => {
      await rm(folder.right, { recursive: true, force: true, maxRetries: 3 });
      return { files: objects.right.length, bytes, failures: [] };
    });
  }

  async removeUnfinished(before: Date): Promise<Either<ObjectStoreError, number>> {
    return attempt('', async () => {
      let removed = 0;
      for (const { parentPath, name } of await filesBelow(this.#rootPath, isPartialName)) {
        const path = join(parentPath, name);
        const found = await stat(path).catch(() => null);
        if (found === null || found.mtime >= before) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      return removed;
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
      if (!isDiskFull(error)) return left(unavailable(key, error));
      return left({ kind: 'disk_full', key, reason: await describeFullDisk(this.#rootPath) });
    }
  }

  #pathOf(key: string): Either<ObjectStoreError, string> {
    const isOurs = isKey(key) && !key.split('/').some(isPartialName);
    return isOurs ? right(join(this.#rootPath, key)) : left(invalidKey(key));
  }

  #folderOf(prefix: string): Either<ObjectStoreError, string> {
    return isPrefix(prefix) ? right(join(this.#rootPath, prefix)) : left(invalidKey(prefix));
  }
}

const isWhole = (name: string): boolean => !isPartialName(name);

const filesBelow = async (folder: string, isWanted: (name: string) => boolean): Promise<readonly Dirent[]> => {
  const entries = await unlessErrno(readdir(folder, { recursive: true, withFileTypes: true }), 'ENOENT', 'ENOTDIR');
  return entries?.filter((entry) => entry.isFile() && isWanted(entry.name)) ?? [];
};

const sizeIfExists = async (path: string): Promise<number | null> =>
  (await unlessErrno(stat(path), 'ENOENT'))?.size ?? null;

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
