import { AsyncResource } from 'node:async_hooks';
import { type Request, type RequestHandler, type Response } from 'express';
import { type Logger } from 'pino';
import { requestIdOf } from './respond';

/** What is known of a request only after it came in, for its line in the log. Kept in `response.locals`. */
export interface LoggedRequest {
  /** In place of the path as it was sent. */
  readonly path?: string;
  /** The instance it went to. */
  readonly instanceId?: number | null;
  /** The name its sender was identified by. */
  readonly user?: string;
}

export const noteForLog = (response: Pick<Response, 'locals'>, noted: LoggedRequest): void => {
  response.locals['logged'] = { ...notedOf(response), ...noted };
};

const notedOf = ({ locals }: Pick<Response, 'locals'>): LoggedRequest => (locals['logged'] ?? {}) as LoggedRequest;

const SECRETS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|rg[kt]_[^/]*/gi;

/** The path as the log may have it: without the query, and without what looks like the slug of an instance, a key or a token. */
export const loggedPath = (request: Request, response: Response): string =>
  (notedOf(response).path ?? request.originalUrl.split('?')[0] ?? '').replace(SECRETS, '…');

/** Writes a line about each request once it is answered; those that `isPoll` names a path of at the level `debug`. */
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
          ...notedOf(response),
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
