import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type RequestHandler } from 'express';

/**
 * Refuses a body as soon as it is known to be larger: by its declared length before any of it is read, without one when the
 * limit is passed. What is read until then is passed to the body's reader.
 */
export const limitBody =
  (maxBytes: number, refuse: RequestHandler): RequestHandler =>
  (request, response, next) => {
    // Node.js reads no more of a body than its declared length.
    const declared = request.headers['content-length'];
    if (declared !== undefined) return Number(declared) > maxBytes ? refuse(request, response, next) : next();
    let received = 0;
    const count = (chunk: Buffer): void => {
      received += chunk.length;
      if (received <= maxBytes) return;
      request.off('data', count);
      void refuse(request, response, next);
    };
    request.on('data', count);
    next();
  };

/** Timeout for a client that has its answer and still sends the rest of its request. */
const REST_TAKEN_FOR_MS = 5_000;

/**
 * Ends an answer that was written while its request still comes, and the connection with it, if it says `Connection: close`.
 * What comes of the request is dropped for a moment first: a client sees the answer only when it has sent what it has begun,
 * and a connection that is closed with data unread takes the answer away.
 */
export const endBehindRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  takenForMs = REST_TAKEN_FOR_MS,
): void => {
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, takenForMs);
  if (request.complete) return end();
  request.once('end', end).once('close', end).resume();
};
