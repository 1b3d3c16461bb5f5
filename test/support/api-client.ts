import { type Agent, type IncomingHttpHeaders } from 'node:http';
import { isLeft, isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type ResultOf } from '../../adapters/client';
import { exchange } from '../../adapters/client/exchange';
import { requestTarget } from '../../adapters/client/transport';
import { publicEndpoints } from '../../adapters/http/public/public-endpoints';
import { nullable } from '../../domain/kernel/codecs';
import { undocumentedIn } from './documented-answers';
import { waitFor } from './wait-for';

export interface Answer<B = unknown> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: B;
}

export interface SendOptions {
  readonly body?: unknown;
  /** A list sends the header several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type Endpoints = typeof publicEndpoints;
export interface CallInput extends SendOptions {
  readonly id?: number | string;
  readonly query?: Readonly<Record<string, string | number>>;
}

export interface Called<O> {
  readonly data: O;
  readonly meta: {
    readonly request_id: string;
    readonly total?: number;
    readonly offset?: number;
    readonly limit?: number;
    readonly next_cursor?: string | null;
  };
  readonly headers: IncomingHttpHeaders;
}

/** Calls the API as one user. Rejects when no answer arrives, and when an answer differs from the API's description. */
export interface ApiClient {
  /** Sends any request and returns the answer unchanged. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Calls an operation that must succeed; the answer must have the declared shape. */
  call<N extends keyof Endpoints>(name: N, input?: CallInput): Promise<Called<ResultOf<Endpoints[N]>>>;
  /** Sends a request that must be refused with an error envelope. */
  refused(method: string, path: string, options?: SendOptions): Promise<Refusal>;
}

/** `username` null: without identity. Without an agent every request opens a new connection. */
export const apiClient = (origin: string, username: string | null, agent?: Agent): ApiClient => {
  const send = async (method: string, path: string, { body, headers = {} }: SendOptions = {}): Promise<Answer> => {
    const url = new URL(path, origin);
    const answer = await exchange({
      method,
      url,
      agent,
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      headers: { ...(username === null ? {} : { 'X-Username': username }), ...headers },
    });
    if (isLeft(answer)) throw new Error(answer.left.reason);
    const { text, ...rest } = answer.right;
    if (rest.headers['x-consistency'] === 'pending') await untilReadable(origin, rest.headers['x-event-position']);
    const trouble = undocumentedIn(method, url.pathname, answer.right);
    if (trouble !== null) throw new Error(`${method} ${url.pathname}: ${trouble}. The answer: ${text}`);
    const isJson = rest.headers['content-type']?.startsWith('application/json') === true && text !== '';
    return { ...rest, body: isJson ? (JSON.parse(text) as unknown) : text === '' ? null : text };
  };
  return {
    send,
    call: async (name, input = {}) => {
      const endpoint = publicEndpoints[name];
      const { method, path, success } = endpoint;
      const parameter = /\{(\w+)\}/.exec(path)?.[1] ?? '';
      const target = requestTarget(`${origin}/api`, endpoint, { [parameter]: input.id }, input.query ?? {}).href;
      const { status, headers, body } = await send(method, target, input);
      if (status !== success.status) throw new Error(`${method} ${target} was answered ${status}: ${show(body)}`);
      if (success.shape === 'empty') return { data: undefined as never, meta: { request_id: '' }, headers };
      const answer = decode(t.type({ data: success.body, meta: Meta }), body, `${method} ${target}`);
      // The declaration's own codec has decoded it.
      return { data: answer.data as never, meta: answer.meta, headers };
    },
    refused: async (method, path, options) => {
      const { status, body } = await send(method, path, options);
      if (status < 400) throw new Error(`${method} ${path} was not refused but answered ${status}: ${show(body)}`);
      return { status, ...decode(ErrorEnvelope, body, `${method} ${path}`).error };
    },
  };
};

/** Waits until reads return a write: on a busy machine the answer may arrive earlier. */
const untilReadable = (origin: string, position: unknown): Promise<void> =>
  waitFor(`the read models have passed ${String(position)}`, async () => {
    // Every answer has the position of the read models.
    const answer = await exchange({ method: 'GET', url: new URL('/api/nothing', origin), headers: {} });
    return isRight(answer) && BigInt(String(answer.right.headers['x-event-position'])) >= BigInt(String(position));
  });

const Meta = t.intersection([
  t.type({ request_id: t.string }),
  t.partial({ total: t.number, offset: t.number, limit: t.number, next_cursor: nullable(t.string) }),
]);

const ErrorEnvelope = t.type({
  error: t.type({ code: t.string, message: t.string, details: t.UnknownRecord }),
  meta: t.type({ request_id: t.string }),
});

/** Decodes a value; throws if it does not have the documented shape. */
export const decode = <A>(codec: t.Type<A, unknown>, value: unknown, what: string): A => {
  const decoded = codec.decode(value);
  if (isLeft(decoded)) throw new Error(`${what} was answered in another shape than documented: ${show(value)}`);
  return decoded.right;
};

const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
