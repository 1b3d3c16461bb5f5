import { type RequestHandler } from 'express';
import * as t from 'io-ts';
import { inSpan } from '../../system/tracing';

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
