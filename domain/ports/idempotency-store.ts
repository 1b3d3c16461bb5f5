/** What is known of an idempotency key. */
export type KeyState =
  /**
   * Continue, and `complete` or `forget` it afterwards. An earlier request that died had the same command id: its effects
   * are recognised by it.
   */
  | { readonly kind: 'fresh'; readonly commandId: string }
  /** The first request with this key is still under way. */
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'answered'; readonly requestHash: string; readonly answer: unknown };

/** First answers by idempotency key, kept for 24 hours. `begin` and `complete` reject when the store is away. */
export interface IdempotencyStore {
  /** Claims a key for a request; `scope` is user, method and path. */
  begin(scope: string, key: string, requestHash: string): Promise<KeyState>;
  complete(scope: string, key: string, answer: unknown): Promise<void>;
  /** Gives the key up again, as soon as the store is there: the answer was not one to repeat. Never rejects. */
  forget(scope: string, key: string): Promise<void>;
}
