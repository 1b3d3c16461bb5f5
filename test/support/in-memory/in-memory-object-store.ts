import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  invalidKey,
  isKey,
  isPrefix,
  type ObjectStore,
  type ObjectStoreError,
  type StoredObject,
} from '../../../domain/ports/object-store';

/** An object store in memory, for tests and simulations. */
export const createInMemoryObjectStore = (): ObjectStore => {
  const objects = new Map<string, Buffer>();

  const put = (key: string, content: Buffer): Either<ObjectStoreError, StoredObject> => {
    if (!isKey(key)) return left(invalidKey(key));
    objects.set(key, content);
    return right({ key, sizeBytes: content.length });
  };

  const get = (key: string): Either<ObjectStoreError, Buffer> => {
    if (!isKey(key)) return left(invalidKey(key));
    const content = objects.get(key);
    return content === undefined ? left({ kind: 'not_found', key }) : right(content);
  };

  const below = (prefix: string): Either<ObjectStoreError, readonly StoredObject[]> => {
    if (!isPrefix(prefix)) return left(invalidKey(prefix));
    const found = [...objects].filter(([key]) => key.startsWith(prefix));
    return right(
      found.map(([key, { length }]) => ({ key, sizeBytes: length })).sort((a, b) => (a.key < b.key ? -1 : 1)),
    );
  };

  return {
    root: 'memory://objects',
    put: async (key, { stream, bytes }) => {
      const content = await buffer(Readable.from(stream)).catch(() => null);
      if (content === null) return left({ kind: 'unavailable', key, reason: 'the stream broke off' });
      const reason = `the stream had ${content.length} bytes instead of ${bytes}`;
      return bytes === null || content.length === bytes
        ? put(key, content)
        : left({ kind: 'unavailable', key, reason });
    },
    putFile: async (key, localPath) => put(key, await readFile(localPath)),
    putText: (key, text) => Promise.resolve(put(key, Buffer.from(text))),
    getText: (key) => {
      const content = get(key);
      return Promise.resolve(isLeft(content) ? content : right(content.right.toString('utf8')));
    },
    getRange: (key, start, end) => {
      const content = get(key);
      return Promise.resolve(isLeft(content) ? content : right(content.right.subarray(start, end)));
    },
    readableAddress: (key) => Promise.resolve(isKey(key) ? right(`memory://objects/${key}`) : left(invalidKey(key))),
    list: (prefix) => Promise.resolve(below(prefix)),
    deleteAll: (prefix) => {
      const found = below(prefix);
      if (isLeft(found)) return Promise.resolve(found);
      for (const { key } of found.right) objects.delete(key);
      const bytes = found.right.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      return Promise.resolve(right({ files: found.right.length, bytes, failures: [] }));
    },
    removeUnfinished: () => Promise.resolve(right(0)),
  };
};
