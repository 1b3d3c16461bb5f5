import { type Either } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type DomainError, type ErrorCode } from '../../../domain/kernel/errors';
import { type Position } from '../../../domain/kernel/event';

/**
 * Who may call. Users by role (`admin` includes ops), components of the platform, or anybody; `first_user`: anybody, but
 * with an identity provider the bearer of its token, who need not be a user.
 */
export type Access = 'anybody' | 'first_user' | 'user' | 'admin' | 'ops' | 'worker' | 'wrapper';

/**
 * How a success goes out: `data` = `{data, meta}`, `list` = the same with total, offset and limit in `meta`,
 * `flat` = the body itself, `json_text` = a body that is JSON text already, `empty` = no body.
 */
export type SuccessShape = 'data' | 'list' | 'flat' | 'json_text' | 'empty';

/** Everything there is to know about one operation. Routers, checks, the API description and the client read it. */
export interface Endpoint<P = unknown, Q = unknown, B = unknown, O = unknown, Code extends ErrorCode = ErrorCode> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API's base path, parameters in braces: `/mappings/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** What a path id stands for: a malformed one is answered 404 as a missing one of this kind. */
  readonly resource?: string;
  readonly params?: t.Type<P, unknown>;
  readonly query?: t.Type<Q, unknown>;
  readonly body?: t.Type<B, unknown>;
  /** Largest body in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    /** Status of the same body when the reply says `isDegraded`. */
    readonly degradedStatus?: 503;
    readonly shape: SuccessShape;
    readonly body: t.Type<O>;
    /** With `Accept: text/event-stream` the answer is a stream of events with this data. */
    readonly events?: t.Mixed;
    /** Other media types the body is had in, with what they hold: a client asks for one with `Accept`. */
    readonly media?: Readonly<Record<string, string>>;
  };
  /** It waits for pods, or works off many things: the stores have patience for each, and not for the whole. */
  readonly takesLong?: true;
  /** Makes a new resource: refused while the system is in maintenance. */
  readonly createsResource?: true;
  /** Codes beyond those of `ImpliedCode`. A handler that answers another one does not compile. */
  readonly errors: readonly Code[];
  /** The code of requests that are not valid. Default `VALIDATION_FAILED`. */
  readonly validationCode?: 'VALIDATION_FAILED' | 'VALIDATION_ERROR';
  /** Fields that make the request `UNPROCESSABLE` when they are wrong. */
  readonly unprocessableFields?: readonly string[];
  /** `map`: `details` also maps each field to its message. Default `list`. */
  readonly validationDetails?: 'list' | 'map';
  /** Codes that go out as `{detail}`; the others go out in the error envelope. */
  readonly detailErrors?: readonly ErrorCode[];
}

/** Declares an operation; the codecs give the handler its types. Without `errors` there are none beyond the implied ones. */
export const endpoint = <
  P = NoParams,
  Q = Record<string, never>,
  B = undefined,
  O = undefined,
  Code extends ErrorCode = never,
>(
  declaration: Omit<Endpoint<P, Q, B, O, Code>, 'errors'> & Partial<Pick<Endpoint<P, Q, B, O, Code>, 'errors'>>,
): Endpoint<P, Q, B, O, Code> => ({ errors: [], ...declaration });

type NoParams = Record<string, never>;

/** What a handler may always answer: how every command can fail, a body that is not valid, a missing id of the path. */
type ImpliedCode<P> =
  | 'VALIDATION_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'CONFLICT'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR'
  | (P extends NoParams ? never : 'RESOURCE_NOT_FOUND');

/** A decoded request as the handler gets it. */
export interface EndpointRequest<P, Q, B, I> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly identity: I;
  readonly requestId: string;
  /** The client wants the endpoint's events. */
  readonly wantsEvents: boolean;
  /** One of the endpoint's `media` that the client prefers to JSON; null for JSON. */
  readonly mediaType: string | null;
  readonly header: (name: string) => string | undefined;
  /** Address of the other end of the connection. */
  readonly address: string;
  /** Aborts when the connection closes before the answer is out. */
  readonly gone: AbortSignal;
}

/** One of a stream of server-sent events. The client names the last id it saw in `Last-Event-ID` when it comes back. */
export interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Events until the last one, or until the signal aborts because the client is gone. */
export type EventStream = (signal: AbortSignal) => AsyncIterable<ServerSentEvent>;

export type BodyPieces = AsyncIterable<string | Uint8Array>;

export interface Reply<O> {
  readonly body: O;
  /** JSON text of a large body in pieces, where it is there already: it goes out in place of `body` as it is read. */
  readonly bodyPieces?: BodyPieces;
  /** The media type of `bodyPieces` that are not JSON: they go out as they are. */
  readonly mediaType?: string;
  /** Sent with `bodyPieces` in the header `X-Warnings`, as a JSON array. */
  readonly warnings?: readonly string[];
  /** Position of what was written: the answer waits until reads would see it. */
  readonly position?: Position;
  /** Holds a secret: a repeated request does not get it again. */
  readonly isShownOnce?: boolean;
  /** Sent in place of the body; `ended`: there will be no more (204), so that the client does not come back. */
  readonly events?: EventStream | 'ended';
  /** Answered with the endpoint's `degradedStatus`. */
  readonly isDegraded?: boolean;
  /** Only for lists. */
  readonly page?: { readonly total: number; readonly offset: number; readonly limit: number };
}

export type HandlerResult<O, Code extends ErrorCode = ErrorCode> = Promise<Either<DomainError<Code>, Reply<O>>>;

// The variance of a table of different endpoints cannot be written without `any`; each handler is checked precisely.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyEndpoint = Endpoint<any, any, any, any>;
export type EndpointTable = Readonly<Record<string, AnyEndpoint>>;

export type Handler<E, I, More extends ErrorCode> =
  E extends Endpoint<infer P, infer Q, infer B, infer O, infer Code>
    ? (request: EndpointRequest<P, Q, B, I>) => HandlerResult<O, Code | ImpliedCode<P> | More>
    : never;

/**
 * One handler for every endpoint of a table. A missing one does not compile, nor one that answers a code which its
 * endpoint does not declare; `More` are codes that any of them may answer.
 */
export type Handlers<T extends EndpointTable, I, More extends ErrorCode = never> = {
  readonly [K in keyof T]: Handler<T[K], I, More>;
};

/** An endpoint with its handler, ready for a router. */
export interface BoundEndpoint<I> {
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  readonly handle: (request: EndpointRequest<unknown, unknown, unknown, I>) => HandlerResult<unknown>;
}

export const bind = <T extends EndpointTable, I>(
  table: T,
  handlers: Handlers<T, I, ErrorCode>,
): readonly BoundEndpoint<I>[] =>
  Object.entries(table).map(([name, declaration]) => ({
    name,
    endpoint: declaration,
    // The mapped type above pairs each declaration with its handler under the same key.
    handle: handlers[name as keyof T],
  }));

/** 200 with `{data, meta}`. */
export const data = <O>(body: t.Type<O>) => ({ status: 200, shape: 'data', body }) as const;

/** 201 with `{data, meta}`: what was made. */
export const created = <O>(body: t.Type<O>) => ({ status: 201, shape: 'data', body }) as const;

/** 202 with `{data, meta}`, for work that continues after the answer. */
export const accepted = <O>(body: t.Type<O>) => ({ status: 202, shape: 'data', body }) as const;

/** 200 with a page of items, and total, offset and limit in `meta`. */
export const list = <C extends t.Mixed>(item: C) =>
  ({ status: 200, shape: 'list', body: t.readonlyArray(item) }) as const;

/** 200 with the body itself. */
export const flat = <O>(body: t.Type<O>) => ({ status: 200, shape: 'flat', body }) as const;

/** 204. */
export const noContent = { status: 204, shape: 'empty', body: t.undefined } as const;
