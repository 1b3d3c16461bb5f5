import { type Either } from 'fp-ts/Either';
import { type AnyEndpoint, type Endpoint, type EndpointTable } from '../http/kit';
import { type ClientFailure, type Success } from './answer';

/** Options of every operation. */
export interface CallOptions {
  /** Timeout without a byte. Default: a minute. */
  readonly patienceMs?: number;
  /** Gives the operation up; a query that runs for it ends. */
  readonly signal?: AbortSignal;
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

/** An input as the sender sees it. */
export interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export type Send = (endpoint: AnyEndpoint, input: AnyInput) => Promise<Either<ClientFailure, Success<unknown>>>;

export const operations = <T extends EndpointTable>(table: T, send: Send): Operations<T> =>
  // The declaration under each key types its operation, and `send` decodes by that declaration's codecs.
  Object.fromEntries(
    Object.entries(table).map(([name, endpoint]) => [name, (input: AnyInput = {}) => send(endpoint, input)]),
  ) as unknown as Operations<T>;
