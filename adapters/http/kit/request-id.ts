import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type RequestHandler } from 'express';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** A response of Node.js; those of Express are, too. `locals` keep the id of its request. */
export type JsonResponse = ServerResponse & { readonly locals: Record<string, unknown> };

/** Gives a request its id, the client's own when it is well formed, and sends it back. */
export const giveRequestId = (request: IncomingMessage, response: JsonResponse): string => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
  response.locals['requestId'] = id;
  response.setHeader('X-Request-ID', id);
  return id;
};

export const requestIdMiddleware: RequestHandler = (request, response, next) => {
  giveRequestId(request, response);
  next();
};

export const requestIdOf = (response: { readonly locals: Record<string, unknown> }): string =>
  String(response.locals['requestId']);
