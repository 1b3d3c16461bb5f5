import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ObjectStore, type ObjectStoreError, type StoredObject } from '../../../domain/ports/object-store';

const ROOT = 'memory://objects';

/** An object store that lives as long as this process, for tests and simulations. */
export const createInMemoryObjectStore = (): ObjectStore => {
  const objects = new Map<string, Buffer>();

  const put = (key: string, content: Buffer): Either<ObjectStoreError, StoredObject> => {
    if (!isAddress(key)) return left(notOurs(key));
    objects.set(key, content);
    return right({ key, sizeBytes: content.length });
  };

  const get = (key: string): Either<ObjectStoreError, Buffer> => {
    if (!isAddress(key)) return left(notOurs(key));
    const content = objects.get(key);
    return content === undefined ? left({ kind: 'not_found', key }) : right(content);
  };

  const below = (prefix: string): Either<ObjectStoreError, readonly StoredObject[]> => {
    if (!isPrefix(prefix)) return left(notOurs(prefix));
    const found = [...objects].filter(([key]) => key.startsWith(prefix));
    return right(
      found.map(([key, { length }]) => ({ key, sizeBytes: length })).sort((a, b) => (a.key < b.key ? -1 : 1)),
    );
  };

  return {
    root: ROOT,
    putFile: async (key, localPath) => put(key, await readFile(localPath)),
    putText: (key, text) => Promise.resolve(put(key, Buffer.from(text))),
    getText: (key) => {
      const content = get(key);
      return Promise.resolve(isLeft(content) ? content : right(content.right.toString('utf8')));
    },
    fetchFile: async (key, directory) => {
      const content = get(key);
      if (isLeft(content)) return content;
      const path = join(directory, randomUUID());
      await writeFile(path, content.right);
      return right(path);
    },
    list: (prefix) => Promise.resolve(below(prefix)),
    deleteAll: (prefix) => {
      const found = below(prefix);
      if (isLeft(found)) return Promise.resolve(found);
      for (const { key } of found.right) objects.delete(key);
      const bytes = found.right.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      return Promise.resolve(right({ files: found.right.length, bytes }));
    },
  };
};

const isPrefix = (prefix: string): boolean =>
  prefix === `${ROOT}/` || (prefix.endsWith('/') && isAddress(prefix.slice(0, -1)));

const isAddress = (key: string): boolean =>
  key.startsWith(`${ROOT}/`) &&
  key
    .slice(ROOT.length + 1)
    .split('/')
    .every((part) => !['', '.', '..'].includes(part) && !/[\0\\]/.test(part));

const notOurs = (key: string): ObjectStoreError => ({
  kind: 'unavailable',
  key,
  reason: `"${key}" is not an address of this store: expected a plain path below ${ROOT}/`,
});
