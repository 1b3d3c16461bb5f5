import { type Either, isLeft, left, right, toUnion } from 'fp-ts/Either';
import { v4 as randomUuid } from 'uuid';
import { type AnyEndpoint, type Endpoint, type EndpointTable, isPathSegment, NO_PATH_SEGMENT } from '../http/kit';
import { retry } from '../system/retry';
import { type ClientFailure, readAnswer, type Success } from './answer';
import { exactJson } from './graph-answer';
import { type ConnectionLoss, type OutgoingRequest, type RawAnswer, requestTarget, type Transport } from './transport';

/** Options of every operation. */
export interface CallOptions {
  /** Idle timeout. Default: a minute. */
  readonly timeoutMs?: number | undefined;
  /** Cancels the operation; the server cancels its query. */
  readonly signal?: AbortSignal | undefined;
}

type Params<P> = string extends keyof P ? object : { readonly params: P };
type Query<Q> = string extends keyof Q ? object : object extends Q ? { readonly query?: Q } : { readonly query: Q };
type Body<B> = [B] extends [undefined] ? object : { readonly body: B };

/** The input of an operation, by its declaration. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _O> ? Params<P> & Query<Q> & Body<B> & CallOptions : never;

/** The result of an operation, by its declaration. */
export type ResultOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer O> ? O : never;

export type Operation<E> = (
  ...input: object extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]
) => Promise<Either<ClientFailure, Success<ResultOf<E>>>>;

/** Every operation of a table, by its name. */
export type Operations<T extends EndpointTable> = { readonly [K in keyof T]: Operation<T[K]> };

/** An input without the types of its operation. */
export interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export type Send = (endpoint: AnyEndpoint, input: AnyInput) => Promise<Either<ClientFailure, Success<unknown>>>;

export const operations = <T extends EndpointTable>(table: T, send: Send): Operations<T> =>
  // Each operation is typed by the declaration under its key, and `send` decodes with the codecs of that declaration.
  Object.fromEntries(
    Object.entries(table).map(([name, endpoint]) => [name, (input: AnyInput = {}) => send(endpoint, input)]),
  ) as unknown as Operations<T>;

export interface SenderOptions {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly identity: Identity;
  /** Whether an operation can be repeated; `keyed`: with an idempotency key. */
  readonly repeatable: (endpoint: AnyEndpoint) => boolean | 'keyed';
}

const TIMEOUT_MS = 60_000;
/**
 * Sends operations, with retries where that is safe: after a lost connection and after responses like 503. Reads carry
 * the position of the last write, so that every replica returns that write.
 */
export const createSender = ({ transport, baseUrl, identity, repeatable }: SenderOptions): Send => {
  let writtenPosition: string | null = null;
  return async (endpoint, input) => {
    const refusal = unaddressable(input.params ?? {});
    if (refusal !== null) return left(refusal);
    const url = requestTarget(baseUrl, endpoint, input.params ?? {}, input.query ?? {});
    const mode = repeatable(endpoint);
    const isRead = endpoint.method === 'GET';
    const request: OutgoingRequest = {
      method: endpoint.method,
      url,
      signal: input.signal,
      timeoutMs: input.timeoutMs ?? TIMEOUT_MS,
      body: endpoint.body === undefined ? undefined : exactJson(input.body ?? {}),
      headers: {
        ...identityHeaders(identity),
        ...(mode === 'keyed' ? { 'Idempotency-Key': randomUuid() } : {}),
        ...(isRead && writtenPosition !== null ? { 'X-Min-Position': writtenPosition } : {}),
      },
    };
    const answer = await untilAnswered(
      transport,
      request,
      mode !== false && endpoint.success.degradedStatus === undefined,
    );
    if (isLeft(answer)) return answer;
    const position = answer.right.headers['x-event-position'];
    if (!isRead && typeof position === 'string') writtenPosition = position;
    return readAnswer(endpoint, url.href, answer.right);
  };
};

/** The error for a name that would disappear from the address, so that another operation would be called. */
const unaddressable = (params: Readonly<Record<string, unknown>>): ClientFailure | null => {
  const [field] = Object.entries(params).find(([, value]) => !isPathSegment(value)) ?? [];
  return field === undefined
    ? null
    : {
        kind: 'refused',
        status: 400,
        code: 'VALIDATION_FAILED',
        message: `${field} ${NO_PATH_SEGMENT}.`,
        details: { field },
        requestId: null,
      };
};

const untilAnswered = async (
  transport: Transport,
  request: OutgoingRequest,
  mayRepeat: boolean,
): Promise<Either<ConnectionLoss, RawAnswer>> => {
  const send = async (attempt: number) => {
    const answer = await transport(request);
    return isRetryable(answer, attempt) ? left(answer) : right(answer);
  };
  // Together long enough for a restart of the server.
  const pausesMs = [200, 800] as const;
  return toUnion(await retry(send, { pausesMs, attempts: mayRepeat ? 4 : 1, signal: request.signal }));
};

const isRetryable = (answer: Either<ConnectionLoss, RawAnswer>, attempt: number): boolean => {
  if (isLeft(answer)) return true;
  const { status, text } = answer.right;
  // Maintenance lasts longer than the retries; a conflict in a retry means that the first attempt is still in progress.
  if (status === 503) return !text.includes('"maintenance":true');
  return status === 502 || status === 504 || (status === 409 && attempt > 1 && text.includes('"CONFLICT"'));
};

/** An API key or token, or a username where the server trusts its edge or this machine. */
export type Identity =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'username'; readonly username: string; readonly edgeToken: string | null }
  | { readonly kind: 'anonymous' }
  /** For the operation that creates the first user. */
  | {
      readonly kind: 'first_user';
      readonly key: string | null;
      readonly edgeToken: string | null;
      readonly bootstrapToken: string | null;
    };

export const identityHeaders = (identity: Identity): Readonly<Record<string, string>> => {
  if (identity.kind === 'anonymous') return {};
  if (identity.kind === 'key') return { Authorization: `Bearer ${identity.key}` };
  const edge: Readonly<Record<string, string>> =
    identity.edgeToken === null ? {} : { 'X-Edge-Token': identity.edgeToken };
  if (identity.kind === 'username') return { 'X-Username': identity.username, ...edge };
  const { key, bootstrapToken } = identity;
  return {
    ...edge,
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    ...(bootstrapToken === null ? {} : { 'X-Bootstrap-Token': bootstrapToken }),
  };
};
