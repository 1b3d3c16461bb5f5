import { type Either, isLeft } from 'fp-ts/Either';

export type ObjectStoreError =
  | { readonly kind: 'not_found'; readonly key: string }
  /**
   * `reason` is text for users. `invalid_key`: not a key of this store. `busy`: the store throttles requests.
   * `unavailable`: the store could not be reached or failed, `disk_full`: its disk is full; like `busy`, a later attempt can succeed. `access_denied`,
   * `credentials_expired`: only an operator can resolve these.
   */
  | {
      readonly kind: 'invalid_key' | 'busy' | 'unavailable' | 'disk_full' | 'access_denied' | 'credentials_expired';
      readonly key: string;
      readonly reason: string;
    };

/** The text of an error, for users. */
export const objectStoreReason = (error: ObjectStoreError): string =>
  error.kind === 'not_found' ? `${error.key} does not exist` : error.reason;

export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
}

/** The result of `deleteAll`: the deleted objects and the failures. */
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
  /** Its exact length; null while unknown. */
  readonly bytes: number | null;
}

/**
 * Files by key: a plain path below the root of the store, such as `ada/1/v1/7/nodes/Person/attempt-1/part-0.parquet`.
 * Events and code store keys only, so that the store can be moved.
 */
export interface ObjectStore {
  /** URL of the store without a trailing slash: for display, and for engines that write to the store directly. */
  readonly root: string;
  /** Stores the content of a stream; it becomes visible atomically and replaces an existing object. */
  put(key: string, content: ObjectContent): Promise<Either<ObjectStoreError, StoredObject>>;
  /**
   * Stores a local file, as `put` does. The caller may delete the local file afterwards but never changes it: it may be
   * the stored object itself.
   */
  putFile(key: string, localPath: string): Promise<Either<ObjectStoreError, StoredObject>>;
  /** Stores a small text, as `put` does. */
  putText(key: string, text: string): Promise<Either<ObjectStoreError, StoredObject>>;
  getText(key: string): Promise<Either<ObjectStoreError, string>>;
  /** The bytes from `start` (inclusive) to `end` (exclusive); fewer if the object ends earlier. */
  getRange(key: string, start: number, end: number): Promise<Either<ObjectStoreError, Buffer>>;
  /**
   * A URL for reading the object without credentials: `file://`, or `https://` with a signature that expires. The
   * existence of the object is not checked.
   */
  readableAddress(key: string): Promise<Either<ObjectStoreError, string>>;
  /** Every object below a prefix (which ends in `/`; `''` is everything), by key ascending. */
  list(prefix: string): Promise<Either<ObjectStoreError, readonly StoredObject[]>>;
  /**
   * Deletes every object below a prefix; an empty prefix is not an error. A failed deletion does not stop the others.
   */
  deleteAll(prefix: string): Promise<Either<ObjectStoreError, Deletion>>;
  /**
   * Removes incomplete uploads that began before `before`, which use space without being listed. Returns their number.
   */
  removeUnfinished(before: Date): Promise<Either<ObjectStoreError, number>>;
}

/** The full address of a recorded folder or file. An address, from an external submitter, is returned unchanged. */
export const addressIn = ({ root }: Pick<ObjectStore, 'root'>, path: string): string =>
  isAddress(path) ? path : `${root}/${path}`;

/**
 * The key of a recorded folder or file. An address outside the store, from an external submitter, is returned
 * unchanged.
 */
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
