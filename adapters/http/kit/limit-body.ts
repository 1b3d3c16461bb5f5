import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type RequestHandler } from 'express';

/**
 * Rejects a body above the limit as early as possible: by its declared length before reading it, or else when the limit
 * is exceeded. Earlier data is passed to the body's reader.
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

/** Timeout for a client that still sends its request after the response. */
const DISCARD_TIMEOUT_MS = 5_000;

/**
 * Ends a response whose request is still arriving, and the connection if it has `Connection: close`. The rest of the
 * request is discarded first, up to the timeout: many clients read the response only after sending the request, and
 * closing a connection with unread data discards the response.
 */
export const endAfterRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  discardForMs = DISCARD_TIMEOUT_MS,
): void => {
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, discardForMs);
  if (request.complete) return end();
  request.once('end', end).once('close', end).resume();
};
