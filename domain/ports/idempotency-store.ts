/** The state of an idempotency key. */
export type KeyState =
  /**
   * Continue, and call `complete` or `forget` afterwards. A crashed earlier request had the same command id, by which
   * its effects are found.
   */
  | { readonly kind: 'fresh'; readonly commandId: string }
  /** The first request with this key is still in progress. */
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'answered'; readonly requestHash: string; readonly answer: unknown };

/**
 * First responses by idempotency key, kept for 24 hours. `begin` and `complete` reject when the store is unavailable.
 */
export interface IdempotencyStore {
  /** Claims a key for a request; `scope` is user, method and path. */
  begin(scope: string, key: string, requestHash: string): Promise<KeyState>;
  complete(scope: string, key: string, answer: unknown): Promise<void>;
  /** Releases the key, as soon as the store is available, since the response must not be repeated. Never rejects. */
  forget(scope: string, key: string): Promise<void>;
}
