import { type AnyEndpoint } from '../http/kit';
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text as textOfStream } from 'node:stream/consumers';
import { type Either, isLeft, left, right } from 'fp-ts/Either';

export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  /** A list repeats the header. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON text. */
  readonly body?: string | undefined;
  /** Default: a new connection. */
  readonly agent?: Agent;
  /** Timeout without a byte. Default: none. */
  readonly patienceMs?: number;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** No answer, or an incomplete one: the effect of the request is unknown. */
export interface ConnectionLoss {
  readonly kind: 'unreachable';
  /** The origin of the server. */
  readonly url: string;
  readonly reason: string;
}

export const exchange = async (request: OutgoingRequest): Promise<Either<ConnectionLoss, RawAnswer>> => {
  const opened = await openExchange(request);
  return isLeft(opened) ? opened : wholeAnswer(request.url, opened.right);
};

export const wholeAnswer = async (url: URL, response: IncomingMessage): Promise<Either<ConnectionLoss, RawAnswer>> => {
  try {
    const { statusCode: status = 0, headers } = response;
    return right({ status, headers, text: await textOfStream(response) });
  } catch (error) {
    return left(lossOf(url, error instanceof Error ? error : new Error(String(error))));
  }
};

/** Sends a request; resolves when the headers of the answer arrive. */
export const openExchange = (request: OutgoingRequest): Promise<Either<ConnectionLoss, IncomingMessage>> =>
  new Promise((resolve) => {
    const { method, url, headers, body, agent, patienceMs } = request;
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = send(url, {
      method,
      agent: agent ?? false,
      headers: {
        ...(body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    if (patienceMs !== undefined) {
      outgoing.setTimeout(patienceMs, () => outgoing.destroy(new Error(`no answer within ${patienceMs / 1000} s`)));
    }
    outgoing.on('error', (error) => resolve(left(lossOf(url, error))));
    outgoing.on('response', (response) => resolve(right(response)));
    outgoing.end(body);
  });

/** Host names with several addresses fail with a list of errors, without a message. */
const lossOf = (url: URL, error: Error & { readonly errors?: readonly Error[] }): ConnectionLoss => ({
  kind: 'unreachable',
  url: url.origin,
  reason: error.message || (error.errors?.[0]?.message ?? error.name),
});

type Values = Readonly<Record<string, unknown>>;

/** The URL of an operation with its parameters; undefined query parameters are left out. */
export const requestTarget = (baseUrl: string, endpoint: AnyEndpoint, params: Values, query: Values): URL => {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(params[name])));
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, textOf(value));
  }
  return url;
};

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));
