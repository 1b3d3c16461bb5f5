import { isNativeError } from 'node:util/types';

/**
 * A call to the engine's process failed. `crashed`: the process ended before it answered. `reason` is for logs and
 * users.
 */
export interface CallFailure {
  readonly kind: 'rejected' | 'crashed';
  readonly reason: string;
}

/** Starting, loading or writing failed. `unavailable`: this machine cannot run the engine at all. */
export type EngineFailure = CallFailure | { readonly kind: 'unavailable'; readonly reason: string };

/** Thrown for an answer that cannot be given; the message is for the user. */
export class AnswerFault extends Error {}

/** The message of a thrown value, also of an error that native code made. */
export const reasonOf = (error: unknown): string => (isNativeError(error) ? error.message : String(error));
