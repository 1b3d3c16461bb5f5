import { AsyncResource } from 'node:async_hooks';
import { type Request, type RequestHandler, type Response } from 'express';
import * as t from 'io-ts';
import { type Logger } from 'pino';
import { inSpan } from '../../system/tracing';
import { requestIdOf } from './respond';

/** Fields for the log line of a request that are known only later. Stored in `response.locals`. */
export interface LoggedRequest {
  /** Replaces the path of the request. */
  readonly path?: string;
  /** The target instance. */
  readonly instanceId?: number | null;
  /** The identified user. */
  readonly user?: string;
}

export const addToRequestLog = (response: Pick<Response, 'locals'>, fields: LoggedRequest): void => {
  response.locals['logged'] = { ...loggedFieldsOf(response), ...fields };
};

const loggedFieldsOf = ({ locals }: Pick<Response, 'locals'>): LoggedRequest =>
  (locals['logged'] ?? {}) as LoggedRequest;

const SECRETS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|rg[kt]_[^/]*/gi;

/** The path for the log: without the query, and with slugs of instances, keys and tokens masked. */
export const loggedPath = (request: Request, response: Response): string =>
  (loggedFieldsOf(response).path ?? request.originalUrl.split('?')[0] ?? '').replace(SECRETS, '…');

/** Logs each request after its response; paths for which `isPoll` is true at the level `debug`. */
export const logRequests =
  (log: Logger, isPoll: (path: string) => boolean): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    const answered = AsyncResource.bind(() => {
      const path = loggedPath(request, response);
      log[isPoll(path) ? 'debug' : 'info'](
        {
          requestId: requestIdOf(response),
          method: request.method,
          ...loggedFieldsOf(response),
          path,
          status: response.statusCode,
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
        },
        'request',
      );
    });
    response.on('finish', answered);
    next();
  };

/**
 * Creates a span per request that ends with its response, named by method and route. A request with a `traceparent`
 * continues that trace; others start a trace if `beginsTrace` is true for the path.
 */
export const traceRequests =
  (beginsTrace: (path: string) => boolean): RequestHandler =>
  (request, response, next) => {
    const isRoot = beginsTrace(request.path);
    void inSpan(request.method, { parent: request.get('traceparent'), kind: 'server', isRoot }, (span) => {
      const ended = new Promise<void>((resolve) => {
        response.once('close', () => {
          span.note(`${request.method} ${routeOf(request)}`.trim(), {
            'http.response.status_code': response.statusCode,
          });
          resolve();
        });
      });
      next();
      return ended;
    });
  };

const Route = t.type({ path: t.string });

/** The declared route, without ids and secrets; empty for an unknown path. */
const routeOf = ({ route, baseUrl }: { readonly route?: unknown; readonly baseUrl: string }): string =>
  Route.is(route) ? baseUrl + route.path : '';
