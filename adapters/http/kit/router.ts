import { isUtf8 } from 'node:buffer';
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';
import { type Either, isLeft } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { withTimeLimit } from '../../system/time-limit';
import {
  decodeRequest,
  ignoredFieldWarnings,
  toEndpointError,
  validationFailed,
  withMisspeltFields,
} from './decode-request';
import { type Access, type AnyEndpoint, type BoundEndpoint, type HandlerResult, type Reply } from './endpoint';
import { ERROR_CATALOGUE } from './error-catalogue';
import { limitBody } from './limit-body';
import { loggedPath } from './observe-requests';
import { parseExactBody } from './parse-exact-body';
import { requestIdOf, sendError, sendErrorAndClose, sendPieces, sendSuccess, setWarnings } from './respond';
import { sendEvents, wantsEvents } from './send-events';

/** The hooks of an API for all its operations. */
export interface RouterOptions<I> {
  /** Identifies the caller and checks the declared `access`. */
  readonly authorize: (request: Request, access: Access) => Promise<Either<DomainError, I>>;
  /** Runs the handler; an API may wrap it (idempotency, waiting for projections). */
  readonly around?: (
    context: CallContext<I>,
    /** Another identity than that of the context may be given. */
    next: (identity?: I) => HandlerResult<unknown>,
  ) => HandlerResult<unknown>;
  /** Called with the reply of a success before it is sent, to set headers. */
  readonly beforeSuccess?: (response: Response, reply: Reply<unknown>) => Promise<void>;
  /** Time limit of an operation and its calls to stores, unless it `takesLong`. Default: the limits of the stores. */
  readonly timeoutMs?: number;
  readonly log: Logger;
}

export interface CallContext<I> {
  readonly request: Request;
  readonly body: unknown;
  readonly identity: I;
  readonly bound: BoundEndpoint<I>;
  /** Aborts when the connection closes before the response is sent. */
  readonly disconnected: AbortSignal;
}

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

/** An express router over a table of endpoints, with 405 for known paths and other methods. */
export const buildRouter = <I>(endpoints: readonly BoundEndpoint<I>[], options: RouterOptions<I>): Router => {
  const router = express.Router({ caseSensitive: true, strict: false });
  router.use((request, _response, next) => (isDecodable(request.path) ? next() : next('router')));
  for (const bound of endpoints) {
    const method = bound.endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[method](expressPath(bound.endpoint.path), ...pipeline(bound, options));
  }
  for (const path of new Set(endpoints.map(({ endpoint }) => expressPath(endpoint.path)))) {
    const known = endpoints.filter(({ endpoint }) => expressPath(endpoint.path) === path);
    const isOpen = known.every(({ endpoint }) => endpoint.access === 'anybody');
    const allowed = [...new Set(known.map(({ endpoint }) => endpoint.method))];
    router.all(path, requireIdentity(options.authorize, isOpen ? 'anybody' : 'user'), refuseMethod(allowed));
  }
  return router;
};

const refuseMethod =
  (allowed: readonly string[]): express.RequestHandler =>
  (request, response) => {
    response.setHeader('Allow', allowed.join(', '));
    const message = `${request.method} is not possible here; allowed: ${allowed.join(', ')}.`;
    sendError(response, domainError('METHOD_NOT_ALLOWED', message, { allowed_methods: allowed }));
  };

/** Serves GET at a path outside the tables, without authentication, with 405 for other methods. */
export const serveGet = (app: express.IRouter, path: string, handler: express.RequestHandler): void =>
  void app
    .route(path)
    .get(handler)
    .all(refuseMethod(['GET']));

/** Whether every percent sequence of a path is well formed; malformed paths are unknown. */
const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/** All routes behind it require an identity, including the 404 of unknown paths. */
export const requireIdentity =
  (authorize: RouterOptions<unknown>['authorize'], access: Access = 'user'): express.RequestHandler =>
  async (request, response, next) => {
    const identity = await authorize(request, access);
    if (isLeft(identity)) sendError(response, identity.left);
    else next();
  };

const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const pipeline = <I>(
  bound: BoundEndpoint<I>,
  options: RouterOptions<I>,
): (express.RequestHandler | express.ErrorRequestHandler)[] => {
  const { endpoint } = bound;
  const identify: express.RequestHandler = async (request, response, next) => {
    const identity = await options.authorize(request, endpoint.access);
    if (isLeft(identity)) return sendError(response, identity.left, endpoint);
    response.locals['identity'] = identity.right;
    next();
  };
  const maxBytes = endpoint.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const limit = limitBody(maxBytes, (_request, response) =>
    sendErrorAndClose(response, toEndpointError(endpoint, tooLarge(maxBytes)), endpoint),
  );
  const { exactField } = endpoint;
  const reading = { limit: maxBytes, verify: verifyUtf8 };
  const parse =
    exactField === undefined
      ? [express.json(reading)]
      : [express.text({ type: 'application/json', ...reading }), parseExactly(endpoint, exactField)];
  const refuseBody: express.ErrorRequestHandler = (error: unknown, _request, response, next) => {
    // The reader of a rejected body also reports its end.
    if (response.headersSent) return;
    const refusal = unreadable(error, maxBytes);
    if (refusal === null) return next(error);
    sendError(response, toEndpointError(endpoint, refusal), endpoint);
  };
  const answer: express.RequestHandler = async (request, response) => {
    const ignoredFields = ignoredFieldWarnings(endpoint, request.body);
    const result = await call(bound, options, request, response, ignoredFields);
    if (isLeft(result)) {
      const isOfRequest = ERROR_CATALOGUE[result.left.code].status === 400;
      const error = isOfRequest ? withMisspeltFields(result.left, endpoint, request.body) : result.left;
      return sendError(response, toEndpointError(endpoint, error), endpoint);
    }
    setWarnings(response, [...(result.right.warnings ?? []), ...ignoredFields]);
    await options.beforeSuccess?.(response, result.right);
    const { events, bodyPieces, cookie } = result.right;
    if (cookie !== undefined) response.setHeader('Set-Cookie', cookie);
    const warn = (error: unknown, message: string): void =>
      options.log.warn({ err: error, requestId: requestIdOf(response) }, message);
    if (events === 'ended') return void response.status(204).end();
    if (events !== undefined) {
      return sendEvents(response, events, (error) => warn(error, 'a stream of events broke off'));
    }
    if (bodyPieces === undefined) return sendSuccess(response, endpoint, result.right);
    await sendPieces(response, endpoint, result.right, bodyPieces).catch((error: unknown) =>
      warn(error, 'an answer broke off'),
    );
  };
  return endpoint.body === undefined ? [identify, answer] : [identify, limit, ...parse, refuseBody, answer];
};

/** Without it, other bytes become U+FFFD in the values. */
const verifyUtf8 = (_request: unknown, _response: unknown, body: Buffer, encoding: string): void => {
  if (encoding === 'utf-8' && !isUtf8(body)) throw new Error('the body is not UTF-8 text; encode it as UTF-8');
};

const parseExactly =
  (endpoint: AnyEndpoint, field: string): express.RequestHandler =>
  (request, response, next) => {
    const text: unknown = request.body;
    if (typeof text !== 'string') return next();
    try {
      const body = parseExactBody(text === '' ? '{}' : text, field);
      if (isLeft(body)) return sendError(response, toEndpointError(endpoint, validationFailed(body.left)), endpoint);
      request.body = body.right;
    } catch (error) {
      return next({ status: 400, message: error instanceof Error ? error.message : String(error) });
    }
    next();
  };

const call = async <I>(
  bound: BoundEndpoint<I>,
  options: RouterOptions<I>,
  request: Request,
  response: Response,
  ignoredFields: readonly string[],
): HandlerResult<unknown> => {
  const decoded = decodeRequest(bound.endpoint, request);
  if (isLeft(decoded)) return decoded;
  const caller = response.locals['identity'] as I;
  const disconnected = disconnectSignal(response);
  const handle = (identity: I): HandlerResult<unknown> =>
    bound.handle({
      ...decoded.right,
      identity,
      requestId: requestIdOf(response),
      wantsEvents: wantsEvents(request, bound.endpoint),
      mediaType: preferredMedia(request, bound.endpoint),
      ignoredFields,
      header: (name) => request.get(name),
      address: request.socket.remoteAddress ?? '',
      disconnected,
    });
  const { around, timeoutMs } = options;
  // The time starts here, because wrappers may wait for other requests.
  const run = (identity = caller): HandlerResult<unknown> =>
    timeoutMs === undefined || bound.endpoint.takesLong === true
      ? handle(identity)
      : withTimeLimit(timeoutMs, () => handle(identity));
  return around === undefined
    ? run()
    : around({ request, body: decoded.right.body, identity: caller, bound, disconnected }, run);
};

const disconnectSignal = (response: Response): AbortSignal => {
  const controller = new AbortController();
  response.once('close', () => response.writableFinished || controller.abort());
  return controller.signal;
};

const preferredMedia = (request: Request, { success: { media = {} } }: AnyEndpoint): string | null => {
  const preferred = request.accepts(['application/json', ...Object.keys(media)]);
  return preferred === false || preferred === 'application/json' ? null : preferred;
};

const tooLarge = (maxBytes: number): DomainError<'PAYLOAD_TOO_LARGE'> =>
  domainError('PAYLOAD_TOO_LARGE', `The body is larger than this operation takes: ${maxBytes} bytes.`, {
    max_bytes: maxBytes,
  });

/** The error for a request that express cannot read: invalid JSON, a body too large. Null for other errors. */
const unreadable = (error: unknown, maxBytes = DEFAULT_MAX_BODY_BYTES): DomainError | null => {
  if (typeof error !== 'object' || error === null || !('status' in error)) return null;
  const { status } = error;
  if (status === 413) return tooLarge(maxBytes);
  if (typeof status !== 'number' || status < 400 || status >= 500) return null;
  return domainError(
    'VALIDATION_FAILED',
    `The request could not be read: ${'message' in error ? String(error.message) : status}.`,
  );
};

/** Sends the error for an exception in a router: unreadable requests, temporary failures, and bugs. */
export const errorHandler = (
  log: Logger,
  isTemporary: (error: unknown) => boolean = () => false,
): ErrorRequestHandler => {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = unreadable(error);
    if (refusal !== null) return sendError(response, refusal);
    const path = loggedPath(request, response);
    const what = { err: error, requestId: requestIdOf(response), method: request.method, path };
    if (isTemporary(error)) {
      log.warn(what, 'a store is unavailable');
      return sendError(response, domainError('SERVICE_UNAVAILABLE', 'The database could not be reached; try again.'));
    }
    log.error(what, 'bug');
    sendError(response, domainError('INTERNAL_ERROR', 'Unexpected error. Report the request id to an administrator.'));
  };
};

/** The last route, for unknown paths. */
export const unknownRoute = (request: Request, response: Response): void => {
  const path = `${request.baseUrl}${request.path}`;
  sendError(
    response,
    domainError('RESOURCE_NOT_FOUND', `Unknown path ${path}; the API is described at /api/openapi.json.`),
  );
};
