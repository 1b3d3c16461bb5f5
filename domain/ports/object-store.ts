import { type Either, isLeft } from 'fp-ts/Either';

export type ObjectStoreError =
  | { readonly kind: 'not_found'; readonly key: string }
  /**
   * `reason` is for people. `invalid_key`: not a key of this store. `busy`: the store asks for fewer requests. `unavailable`:
   * it could not be reached or failed; like `busy`, a later attempt can succeed. `access_denied`, `credentials_expired`: only
   * an operator can help.
   */
  | {
      readonly kind: 'invalid_key' | 'busy' | 'unavailable' | 'access_denied' | 'credentials_expired';
      readonly key: string;
      readonly reason: string;
    };

/** The text of an error, for people. */
export const objectStoreReason = (error: ObjectStoreError): string =>
  error.kind === 'not_found' ? `${error.key} does not exist` : error.reason;

export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
}

/** What `deleteAll` deleted, and what it could not. */
export interface Deletion {
  readonly files: number;
  readonly bytes: number;
  readonly failures: readonly Extract<ObjectStoreError, { readonly reason: string }>[];
}

/** Why not all was deleted, null when all was. */
export const deletionFailure = (deleted: Either<ObjectStoreError, Deletion>): ObjectStoreError | null =>
  isLeft(deleted) ? deleted.left : (deleted.right.failures[0] ?? null);

/** The bytes of an object as they arrive. */
export interface ObjectContent {
  readonly stream: AsyncIterable<Uint8Array>;
  /** Its exact length; null while its end is not known. */
  readonly bytes: number | null;
}

/**
 * Files by key: a plain path below the root of the store, such as `ada/1/v1/7/nodes/Person/attempt-1/part-0.parquet`. Keys
 * are what events and code keep, so that a store can move.
 */
export interface ObjectStore {
  /** URL of the store without a trailing slash: for people, and for engines that write into the store themselves. */
  readonly root: string;
  /** Stores what a stream holds; it becomes visible whole or not at all, and replaces what was there. */
  put(key: string, content: ObjectContent): Promise<Either<ObjectStoreError, StoredObject>>;
  /**
   * Stores a local file, as `put` does. The caller may delete the local file afterwards but never changes it: it may be
   * the stored object itself.
   */
  putFile(key: string, localPath: string): Promise<Either<ObjectStoreError, StoredObject>>;
  /** Stores a small text, as `put` does. */
  putText(key: string, text: string): Promise<Either<ObjectStoreError, StoredObject>>;
  getText(key: string): Promise<Either<ObjectStoreError, string>>;
  /** The bytes from `start` to before `end`; fewer where the object ends earlier. */
  getRange(key: string, start: number, end: number): Promise<Either<ObjectStoreError, Buffer>>;
  /**
   * A URL at which programs without credentials read the object for a while: `file://`, or `https://` with a signature that
   * expires. Whether the object exists is not checked.
   */
  readableAddress(key: string): Promise<Either<ObjectStoreError, string>>;
  /** Every object below a prefix (which ends in `/`; `''` is everything), by key ascending; empty when there is none. */
  list(prefix: string): Promise<Either<ObjectStoreError, readonly StoredObject[]>>;
  /** Removes every object below a prefix; none there is not an error. What cannot be deleted does not stop the rest. */
  deleteAll(prefix: string): Promise<Either<ObjectStoreError, Deletion>>;
  /** Removes uploads that began before `before` and never ended, which take up room unseen. Returns their number. */
  removeUnfinished(before: Date): Promise<Either<ObjectStoreError, number>>;
}

/** The full address of a recorded folder or file. One that is an address already, from an external submitter, stays. */
export const addressIn = ({ root }: Pick<ObjectStore, 'root'>, path: string): string =>
  isAddress(path) ? path : `${root}/${path}`;

/** The key of a recorded folder or file. An address outside the store, from an external submitter, stays. */
export const keyIn = ({ root }: Pick<ObjectStore, 'root'>, path: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/** Whether each part of a key is a plain name; empty parts, `.`, `..`, `\` and NUL mean different things to stores. */
export const isKey = (key: string): boolean =>
  key.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\0\\]/.test(part)) && !isAddress(key);

/** Whether `prefix` is `''` or a key followed by `/`. */
export const isPrefix = (prefix: string): boolean =>
  prefix === '' || (prefix.endsWith('/') && isKey(prefix.slice(0, -1)));

export const invalidKey = (key: string): ObjectStoreError => ({
  kind: 'invalid_key',
  key,
  reason: `"${key}" is not a key of the object store: expected a path below its root without empty, "." or ".." parts; a prefix ends in "/"`,
});

const isAddress = (path: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
