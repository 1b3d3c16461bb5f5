import { type RequestHandler } from 'express';
import * as t from 'io-ts';
import { inSpan } from '../../system/tracing';

/**
 * Makes each request a span that ends with its answer, named by method and route. One that comes with a `traceparent`
 * continues that trace; of the others, those begin one whose path `beginsTrace`.
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

/** As it is declared, so without ids and secrets; empty for an unknown one. */
const routeOf = ({ route, baseUrl }: { readonly route?: unknown; readonly baseUrl: string }): string =>
  Route.is(route) ? baseUrl + route.path : '';
