/** A call to the engine's process failed. `crashed`: the process ended before it answered. `reason` is for people. */
export interface CallFailure {
  readonly kind: 'rejected' | 'crashed';
  readonly reason: string;
}

/**
 * Starting, loading or writing failed. `unavailable`: this machine cannot run the engine at all. `unstorable`: the engine
 * does not keep some of the values as they are.
 */
export type EngineFailure = CallFailure | { readonly kind: 'unavailable' | 'unstorable'; readonly reason: string };

/** What to tell people about something thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
