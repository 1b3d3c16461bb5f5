import { type Either, left, right } from 'fp-ts/Either';
import { retry } from '../../../adapters/system/retry';

export interface HttpCall {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

export type CallFailure =
  /** The control plane answered and said no. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** No answer, or only 5xx ones, for as long as the call was tried. */
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'unreadable'; readonly message: string };

const ATTEMPT_TIMEOUT_MS = 10_000;

/** Sends a call, again and again for `maxMs` while nobody answers or the answer is 5xx. Answers the JSON body. */
export const sendWithRetries = (call: HttpCall, maxMs: number): Promise<Either<CallFailure, unknown>> =>
  retry(() => sendOnce(call), {
    firstPauseMs: 100,
    maxPauseMs: 5_000,
    signal: AbortSignal.timeout(maxMs),
    onFailure: ({ kind }) => kind === 'unreachable',
  });

const sendOnce = async ({ method, url, headers, body }: HttpCall): Promise<Either<CallFailure, unknown>> => {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
    });
    const text = await response.text();
    if (response.status >= 500) {
      return left({
        kind: 'unreachable',
        message: `${method} ${url} answered ${response.status}: ${text.slice(0, 500)}`,
      });
    }
    if (!response.ok) {
      const message = `${method} ${url} was refused with ${response.status}: ${text.slice(0, 500)}`;
      return left({ kind: 'refused', status: response.status, message });
    }
    return right(text === '' ? null : (JSON.parse(text) as unknown));
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    return left({ kind: 'unreachable', message: `${method} ${url} got no answer: ${reason}` });
  }
};
