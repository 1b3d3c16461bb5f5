import { type Either } from 'fp-ts/Either';
import { type AnyEndpoint } from '../http/kit';

export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  /** A list sets the header several times. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON text. */
  readonly body?: string | undefined;
  /** Idle timeout. Default: none. */
  readonly timeoutMs?: number;
  /** Closes the connection on abort; the server cancels the work of the request. */
  readonly signal?: AbortSignal | undefined;
}

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** A missing or incomplete response: the effect of the request is unknown. */
export interface ConnectionLoss {
  readonly kind: 'unreachable';
  /** The origin of the server. */
  readonly url: string;
  readonly reason: string;
}

/** Sends a request and reads the complete response. Never rejects. */
export type Transport = (request: OutgoingRequest) => Promise<Either<ConnectionLoss, RawAnswer>>;

type Values = Readonly<Record<string, unknown>>;

/** The URL of an operation with its parameters; undefined query parameters are omitted. */
export const requestTarget = (baseUrl: string, endpoint: AnyEndpoint, params: Values, query: Values): URL => {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(params[name])));
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, textOf(value));
  }
  return url;
};

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));
