import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fetchReason } from '../../adapters/system/fetch-reason';
import { retry } from '../../adapters/system/retry';
import { currentTraceparent } from '../../adapters/system/tracing';
import { fieldErrorLines, parseJson } from '../../domain/kernel/codecs';

export interface InternalCall {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** Below `/api/internal`. */
  readonly path: string;
  /** Replaces a secret path in messages; the query is never included. */
  readonly loggedPath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export type CallFailure =
  /** The control plane rejected the call; `text` is its response. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly text: string;
      /** The message in the response body. */
      readonly reason?: string | undefined;
      readonly message: string;
    }
  /** No response, or only 5xx responses, within the time limit. */
  | { readonly kind: 'unreachable'; readonly reason?: undefined; readonly message: string }
  | { readonly kind: 'unreadable'; readonly reason?: undefined; readonly message: string };

export interface InternalApiOptions {
  /** Origin of the internal API. */
  readonly url: string;
  /** Read for every request: a token in a file is replaced before it expires. */
  readonly token: () => string;
  readonly component: 'worker' | 'wrapper';
  /** For one attempt. */
  readonly timeoutMs: number;
}

/** A client of the internal API for separate programs. */
export class InternalApi {
  constructor(private readonly options: InternalApiOptions) {}

  /** Sends a call; retries for `maxMs` without a response or after a 5xx response. Returns the JSON body. */
  send(call: InternalCall, maxMs = 0): Promise<Either<CallFailure, unknown>> {
    return retry(() => this.sendOnce(call), {
      pausesMs: [100, 5_000],
      signal: AbortSignal.timeout(maxMs),
      onFailure: ({ kind }) => kind === 'unreachable',
    });
  }

  /** The same for a response `{"data": …}`. */
  async read<A>(data: t.Type<A, unknown>, call: InternalCall, maxMs = 0): Promise<Either<CallFailure, A>> {
    const sent = await this.send(call, maxMs);
    if (isLeft(sent)) return sent;
    const decoded = t.type({ data }).decode(sent.right);
    if (!isLeft(decoded)) return right(decoded.right.data);
    const wrong = fieldErrorLines(decoded.left).join('; ');
    return left({
      kind: 'unreadable',
      message: `${call.method} ${loggedPathOf(call)} returned an invalid body: ${wrong}.`,
    });
  }

  /** One attempt. */
  async sendOnce(call: InternalCall): Promise<Either<CallFailure, unknown>> {
    const { method, path, headers, body } = call;
    const { token, component, timeoutMs } = this.options;
    const base = `${this.options.url.replace(/\/$/, '')}/api/internal`;
    const [url, shown] = [base + path, base + loggedPathOf(call)];
    const traceparent = currentTraceparent();
    const content: Record<string, string> = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(traceparent !== undefined && { traceparent }),
    };
    try {
      const response = await fetch(url, {
        method,
        headers: { authorization: `Bearer ${token()}`, 'x-component': component, ...content, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const [text, { status }] = [await response.text(), response];
      const message = `${method} ${shown} returned ${status}: ${text.slice(0, 500)}`;
      if (status >= 500) return left({ kind: 'unreachable', message });
      if (!response.ok) return left({ kind: 'refused', status, text, reason: reasonIn(text), message });
      const answer = text === '' ? null : parseJson(text);
      return answer === undefined
        ? left({
            kind: 'unreadable',
            message: `${method} ${shown} returned a body that is not JSON: ${text.slice(0, 500)}`,
          })
        : right(answer);
    } catch (error) {
      return left({ kind: 'unreachable', message: `${method} ${shown} got no answer: ${fetchReason(error)}` });
    }
  }
}

const ErrorBody = t.type({ error: t.type({ message: t.string }) });

const reasonIn = (text: string): string | undefined => {
  const body = ErrorBody.decode(parseJson(text));
  return isLeft(body) ? undefined : body.right.error.message;
};

const loggedPathOf = ({ path, loggedPath }: InternalCall): string => loggedPath ?? path.replace(/\?.*/s, '');
