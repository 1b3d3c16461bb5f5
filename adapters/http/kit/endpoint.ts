import { type Either } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type DomainError, type ErrorCode } from '../../../domain/kernel/errors';
import { type Position } from '../../../domain/kernel/event';

/**
 * The allowed callers: users by role (`admin` includes ops), components of the platform, or any caller; `first_user`:
 * any caller that the first user's gate admits, and with an identity provider only the bearer of a valid token, who need
 * not be a user.
 */
export type Access = 'anybody' | 'first_user' | 'user' | 'admin' | 'ops' | 'worker' | 'wrapper';

/**
 * The form of a success: `data` = `{data, meta}`, `list` = the same with total, offset and limit in `meta`,
 * `pages` = the same with `next_cursor` in `meta`, null on the last page,
 * `flat` = the body itself, `json_text` = a body that is JSON text already, `empty` = no body.
 */
export type SuccessShape = 'data' | 'list' | 'pages' | 'flat' | 'json_text' | 'empty';

/** The declaration of one operation. Router, checks, API description and client are derived from it. */
export interface Endpoint<P = unknown, Q = unknown, B = unknown, O = unknown, Code extends ErrorCode = ErrorCode> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API's base path, parameters in braces: `/mappings/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** The kind of resource of a path id: a malformed id gets 404, like an unknown id of this kind. */
  readonly resource?: string;
  readonly params?: t.Type<P, unknown>;
  readonly query?: t.Type<Q, unknown>;
  readonly body?: t.Type<B, unknown>;
  /** Field of the body whose numbers keep the kind of their JSON text: integers are bigints, all others are numbers. */
  readonly exactField?: string;
  /** Largest body in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    /** Status of the same body when the reply has `isDegraded`. */
    readonly degradedStatus?: 503;
    readonly shape: SuccessShape;
    readonly body: t.Type<O>;
    /** With `Accept: text/event-stream` the response is a stream of events with this data. */
    readonly events?: t.Mixed;
    /** Other media types of the body, with their content; selected by the header `Accept`. */
    readonly media?: Readonly<Record<string, string>>;
  };
  /** It waits for pods, or processes many items: time limits apply per call of a store, not to the whole. */
  readonly takesLong?: true;
  /** Creates a resource: rejected while the system is in maintenance. */
  readonly createsResource?: true;
  /** Codes beyond those of `ImpliedCode`. A handler that returns another one does not compile. */
  readonly errors: readonly Code[];
  /** The error code of invalid requests. Default `VALIDATION_FAILED`. */
  readonly validationCode?: 'VALIDATION_FAILED' | 'VALIDATION_ERROR';
  /** Fields that make the request `UNPROCESSABLE` when they are invalid. */
  readonly unprocessableFields?: readonly string[];
  /** `map`: `details` also maps each field to its message. Default `list`. */
  readonly validationDetails?: 'list' | 'map';
  /** Codes that are sent as `{detail}`; the others are sent in the error envelope. */
  readonly detailErrors?: readonly ErrorCode[];
}

type Declaration<P, Q, B, O, Code extends ErrorCode> = Omit<Endpoint<P, Q, B, O, Code>, 'method' | 'path' | 'errors'> &
  Partial<Pick<Endpoint<P, Q, B, O, Code>, 'errors'>>;

/**
 * Declares an operation at `GET /mappings/{id}`; the types of the handler are inferred from the codecs. Without `errors`
 * only the implied ones apply.
 */
export const endpoint = <
  P = NoParams,
  Q = Record<string, never>,
  B = undefined,
  O = undefined,
  Code extends ErrorCode = never,
>(
  route: `${Endpoint['method']} /${string}`,
  declaration: Declaration<P, Q, B, O, Code>,
): Endpoint<P, Q, B, O, Code> => {
  // As the type of the route says.
  const [method, path] = route.split(' ') as [Endpoint['method'], string];
  return { method, path, errors: [], ...declaration };
};

type NoParams = Record<string, never>;

/** Errors that every handler may return: those of every command, an invalid body, an unknown id in the path. */
type ImpliedCode<P> =
  | 'VALIDATION_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'CONFLICT'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR'
  | (P extends NoParams ? never : 'RESOURCE_NOT_FOUND');

/** A decoded request for the handler. */
export interface EndpointRequest<P, Q, B, I> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly identity: I;
  readonly requestId: string;
  /** The client accepts the endpoint's events. */
  readonly wantsEvents: boolean;
  /** One of the endpoint's `media` that the client prefers to JSON; null for JSON. */
  readonly mediaType: string | null;
  /** A warning for each field of the body that is unknown. */
  readonly ignoredFields: readonly string[];
  readonly header: (name: string) => string | undefined;
  /** Address of the other end of the connection. */
  readonly address: string;
  /** Aborts when the connection closes before the response is sent. */
  readonly disconnected: AbortSignal;
}

/** One of a stream of server-sent events. A reconnecting client sends the last received id in `Last-Event-ID`. */
export interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Events until the last one, or until the signal aborts because the client has disconnected. */
export type EventStream = (signal: AbortSignal) => AsyncIterable<ServerSentEvent>;

export type BodyPieces = AsyncIterable<string | Uint8Array>;

export interface Reply<O> {
  readonly body: O;
  /** JSON text of a large body in pieces, sent instead of `body` as the pieces are read. */
  readonly bodyPieces?: BodyPieces;
  /** The media type of `bodyPieces` that are not JSON; they are sent unchanged. */
  readonly mediaType?: string;
  /** Sent in the header `X-Warnings`, as a JSON array, with those of ignored fields. */
  readonly warnings?: readonly string[];
  /** Position of the write: the response waits until reads include it. */
  readonly position?: Position;
  /** Sent as `Set-Cookie`. */
  readonly cookie?: string;
  /** Position of the last event that counted for an answer about an earlier moment. */
  readonly asOfPosition?: Position;
  /** Contains a secret, which a repeated request does not get again. */
  readonly isShownOnce?: boolean;
  /** Sent instead of the body; `ended`: 204, so that the client does not reconnect. */
  readonly events?: EventStream | 'ended';
  /** Sent with the endpoint's `degradedStatus`. */
  readonly isDegraded?: boolean;
  /** Only for lists and pages. */
  readonly page?:
    | { readonly total: number; readonly offset: number; readonly limit: number }
    | { readonly next_cursor: string | null };
}

export type HandlerResult<O, Code extends ErrorCode = ErrorCode> = Promise<Either<DomainError<Code>, Reply<O>>>;

// The variance of a table of different endpoints cannot be written without `any`; each handler is checked precisely.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any, any, any>;
export type EndpointTable = Readonly<Record<string, AnyEndpoint>>;

export type Handler<E, I, More extends ErrorCode> =
  E extends Endpoint<infer P, infer Q, infer B, infer O, infer Code>
    ? (request: EndpointRequest<P, Q, B, I>) => HandlerResult<O, Code | ImpliedCode<P> | More>
    : never;

/**
 * One handler for every endpoint of a table. A missing handler, or one that returns an undeclared code, does not
 * compile; `More`: codes that all handlers may return.
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

/** 201 with `{data, meta}`: the created resource. */
export const created = <O>(body: t.Type<O>) => ({ status: 201, shape: 'data', body }) as const;

/** 202 with `{data, meta}`, for work that continues after the response. */
export const accepted = <O>(body: t.Type<O>) => ({ status: 202, shape: 'data', body }) as const;

/** 200 with a page of items, and total, offset and limit in `meta`. */
export const list = <C extends t.Mixed>(item: C) =>
  ({ status: 200, shape: 'list', body: t.readonlyArray(item) }) as const;

/** 200 with a page of items, and the cursor of the next page in `meta`. */
export const pages = <C extends t.Mixed>(item: C) =>
  ({ status: 200, shape: 'pages', body: t.readonlyArray(item) }) as const;

/** 200 with the body itself. */
export const flat = <O>(body: t.Type<O>) => ({ status: 200, shape: 'flat', body }) as const;

/** 204. */
export const noContent = { status: 204, shape: 'empty', body: t.undefined } as const;
