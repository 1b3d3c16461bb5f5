import { type Either, isLeft } from 'fp-ts/Either';
import { type ClientFailure } from '../../client/web';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** An error message with its line and column. */
export const placed = (message: string, place: Place | null): string =>
  place === null ? message : `Line ${place.line}, column ${place.column}: ${message}`;

const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' &&
  value !== null &&
  'line' in value &&
  typeof value.line === 'number' &&
  'column' in value &&
  typeof value.column === 'number';

/** A thrown value as an error. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** A failure of the API as an error, so that queries of the page can reject with it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(readonly failure: ClientFailure) {
    super(messageOf(failure));
  }
  /** Position of the error in a query, from 1; null: the failure does not have a position. */
  get place(): Place | null {
    const position = this.failure.kind === 'refused' ? this.failure.details['position'] : null;
    return isPlace(position) ? position : null;
  }
  /** Whether the session has ended or was never started. */
  get isSignedOut(): boolean {
    return this.status === 401;
  }
  get isUnknown(): boolean {
    return this.status === 404;
  }
  /** Whether the same request can succeed later, as after a restart of the server. */
  get isTemporary(): boolean {
    return this.failure.kind === 'unreachable' || (this.status !== null && this.status >= 502);
  }
  private get status(): number | null {
    return this.failure.kind === 'refused' ? this.failure.status : null;
  }
}

const messageOf = (failure: ClientFailure): string => {
  if (failure.kind === 'refused') return failure.message;
  if (failure.kind === 'unreachable') return `The server does not respond (${failure.reason}). Is rowgraph running?`;
  return 'The response of the server cannot be read. Reload the page: the server may have another version.';
};

/** The answer of an operation; rejects with an `ApiError` for a failure. */
export const answerOf = async <S>(sent: Promise<Either<ClientFailure, S>>): Promise<S> => {
  const answer = await sent;
  if (isLeft(answer)) throw new ApiError(answer.left);
  return answer.right;
};

/** The data of the answer. */
export const need = async <O>(sent: Promise<Either<ClientFailure, { readonly data: O }>>): Promise<O> =>
  (await answerOf(sent)).data;
