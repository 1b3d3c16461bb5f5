import { type Either } from 'fp-ts/Either';

export type ObjectStoreError =
  | { readonly kind: 'not_found'; readonly key: string }
  /** The store refused or could not be reached; `reason` is for people. */
  | { readonly kind: 'unavailable'; readonly key: string; readonly reason: string };

export interface StoredObject {
  /** Full address, as given to `put`. */
  readonly key: string;
  readonly sizeBytes: number;
}

/**
 * Files by address. An address is a full URL below the store's `root`, for example
 * `file:///data/objects/ada/1/v1/7/nodes/Person/attempt-1/part-0.parquet`.
 */
export interface ObjectStore {
  /** URL every address starts with, without a trailing slash. */
  readonly root: string;
  /**
   * Stores a local file; it becomes visible whole or not at all, and replaces what was there. The caller may delete
   * the local file afterwards but never changes it: it may be the stored object itself.
   */
  putFile(key: string, localPath: string): Promise<Either<ObjectStoreError, StoredObject>>;
  /** Stores a small text, as `putFile` does. */
  putText(key: string, text: string): Promise<Either<ObjectStoreError, StoredObject>>;
  getText(key: string): Promise<Either<ObjectStoreError, string>>;
  /**
   * Makes the object readable as a local file inside `directory` and returns its path. The caller may delete the
   * directory but never changes the file: it may be the stored object itself.
   */
  fetchFile(key: string, directory: string): Promise<Either<ObjectStoreError, string>>;
  /** Every object below a prefix (which ends in `/`), by address ascending; empty when there is none. */
  list(prefix: string): Promise<Either<ObjectStoreError, readonly StoredObject[]>>;
  /** Removes every object below a prefix; none there is not an error. */
  deleteAll(prefix: string): Promise<Either<ObjectStoreError, { readonly files: number; readonly bytes: number }>>;
}
