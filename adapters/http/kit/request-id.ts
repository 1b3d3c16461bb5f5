import { randomUUID } from 'node:crypto';
import { type RequestHandler } from 'express';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** Gives every request its id, the client's own when it is well formed, and sends it back. */
export const requestIdMiddleware: RequestHandler = (request, response, next) => {
  const given = request.get('X-Request-ID');
  const id = given !== undefined && ACCEPTED.test(given) ? given : randomUUID();
  response.locals['requestId'] = id;
  response.setHeader('X-Request-ID', id);
  next();
};

export const requestIdOf = (response: { readonly locals: Record<string, unknown> }): string =>
  String(response.locals['requestId']);
