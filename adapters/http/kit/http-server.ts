import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { type Socket } from 'node:net';
import { type Express } from 'express';

/** Time limit for receiving the headers of a request, and the whole request. A slower one gets 408, and its connection is closed. */
const RECEIVE_TIMEOUT_MS = 60_000;
const CHECK_INTERVAL_MS = 1_000;
/** Number of requests that may wait on a connection while the first one is answered. */
const MAX_WAITING = 64;

export interface HttpServerOptions {
  /** The Express app that answers; null for none. */
  readonly app: Express | null;
  /** What stands before the app, or in its place. */
  readonly listener: RequestListener;
  /** How long an idle connection stays open. Default: 5 s. */
  readonly keepAliveMs?: number;
  /** For tests. */
  readonly receiveTimeoutMs?: number;
}

/** Creates every HTTP server of rowgraph, with the limits per connection. */
export const createHttpServer = ({
  app,
  listener,
  keepAliveMs,
  receiveTimeoutMs = RECEIVE_TIMEOUT_MS,
}: HttpServerOptions): Server =>
  createServer(
    {
      headersTimeout: receiveTimeoutMs,
      requestTimeout: receiveTimeoutMs,
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, receiveTimeoutMs / 4),
      ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs }),
      ...(app === null ? {} : expressMessages(app)),
    },
    limitPipelining(listener),
  );

/** Destroys a connection on which more than `MAX_WAITING` requests wait. HTTP clients do not pipeline that many. */
const limitPipelining = (listener: RequestListener): RequestListener => {
  const connections = new WeakMap<Socket, Set<ServerResponse>>();
  return (request, response) => {
    const { socket } = request;
    const unfinished = connections.get(socket) ?? new Set();
    if (!connections.has(socket)) {
      connections.set(socket, unfinished);
      socket.once('close', () => unfinished.forEach(closeQueued));
    }
    unfinished.add(response);
    response.once('finish', () => unfinished.delete(response));
    // Node.js still emits the requests of the chunk that it is parsing.
    if (unfinished.size > MAX_WAITING + 1) socket.destroy();
    else listener(request, response);
  };
};

/** Node.js closes only the response that is being sent when its connection closes, not the responses queued after it. */
const closeQueued = (response: ServerResponse): void => {
  if (response.socket !== null) return;
  response.destroy();
  response.emit('close');
};

/**
 * What requests to an Express app and their responses are made of; for `createServer`. Express gives each of them the app's
 * prototype when it comes in, after which V8 finds their properties the slow way, for two thirds of the processor time of a
 * small answer. Here they have it from the start, which leaves Express nothing to change.
 */
export const expressMessages = (app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> => {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};
