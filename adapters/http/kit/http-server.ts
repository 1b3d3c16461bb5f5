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

/**
 * Time limit for receiving the headers of a request, and the whole request. A slower one gets 408, and its connection
 * is closed.
 */
const RECEIVE_TIMEOUT_MS = 60_000;
const CHECK_INTERVAL_MS = 1_000;
/**
 * Longer than the idle timeout of clients and load balancers (usually a minute): if the server closed first, a request
 * sent at the same time would be lost. A busy server notices a request late, so the difference must be large.
 */
const KEEP_ALIVE_MS = 75_000;
/**
 * Number of requests that may wait on a connection while the first one is answered. A connection with more is
 * destroyed, as HTTP clients do not pipeline that many.
 */
const MAX_WAITING = 64;

export interface HttpServerOptions {
  /** The Express app, or null. */
  readonly app: Express | null;
  /** Listener before the app, or instead of it. */
  readonly listener: RequestListener;
  /** For tests. */
  readonly receiveTimeoutMs?: number;
}

/** Emitted on every response in progress when its server stops. Streams end then. */
export const STOPPING = 'stopping';
/** Emitted on responses that are still in progress shortly before their connections are destroyed. */
export const STOP_DEADLINE = 'overdue';
/** How long requests in progress may take when the server stops, and when `STOP_DEADLINE` is emitted. */
const GRACE_MS = 10_000;
const OVERDUE_MS = 9_000;

export type HttpServer = Server & {
  /**
   * Refuses new connections, answers the requests in progress within 10 s, and resolves when all connections are
   * closed.
   */
  readonly drain: () => Promise<void>;
};

/** Creates every HTTP server of rowgraph, with the limits per connection. */
export const createHttpServer = ({
  app,
  listener,
  receiveTimeoutMs = RECEIVE_TIMEOUT_MS,
}: HttpServerOptions): HttpServer => {
  const connections = new Map<Socket, Set<ServerResponse>>();
  let isStopping = false;
  const server = createServer(
    {
      headersTimeout: receiveTimeoutMs,
      requestTimeout: receiveTimeoutMs,
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, receiveTimeoutMs / 4),
      keepAliveTimeout: KEEP_ALIVE_MS,
      ...(app === null ? {} : expressMessages(app)),
    },
    (request, response) => {
      const { socket } = request;
      const unfinished = unfinishedOf(socket, connections);
      // The previous response closes the connection.
      if (isStopping && unfinished.size > 0) return;
      unfinished.add(response);
      if (isStopping) response.shouldKeepAlive = false;
      response.once('finish', () => unfinished.delete(response));
      // Node.js still emits the requests of the chunk that it is parsing.
      if (unfinished.size > MAX_WAITING + 1) socket.destroy();
      else listener(request, response);
    },
  );
  const inProgress = (): readonly ServerResponse[] => [...connections.values()].flatMap((responses) => [...responses]);
  const drain = async (): Promise<void> => {
    isStopping = true;
    // It also closes idle connections.
    const closed = new Promise((done) => server.close(done));
    // Responses whose headers are already sent leave their connections open.
    server.keepAliveTimeout = 1;
    for (const responses of connections.values()) {
      const last = [...responses].at(-1);
      if (last !== undefined) last.shouldKeepAlive = false;
    }
    inProgress().forEach((response) => response.emit(STOPPING));
    const timers = [
      setTimeout(() => inProgress().forEach((response) => response.emit(STOP_DEADLINE)), OVERDUE_MS),
      setTimeout(() => server.closeAllConnections(), GRACE_MS),
    ];
    await closed;
    timers.forEach(clearTimeout);
  };
  return Object.assign(server, { drain });
};

const unfinishedOf = (socket: Socket, connections: Map<Socket, Set<ServerResponse>>): Set<ServerResponse> => {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const unfinished = new Set<ServerResponse>();
  connections.set(socket, unfinished);
  socket.once('close', () => {
    connections.delete(socket);
    unfinished.forEach(closeQueued);
  });
  return unfinished;
};

/**
 * Node.js closes only the response that is being sent when its connection closes, not the responses queued after it.
 */
const closeQueued = (response: ServerResponse): void => {
  if (response.socket !== null) return;
  response.destroy();
  response.emit('close');
};

/**
 * The classes of requests and responses of an Express app, for `createServer`. Express sets the app's prototype on each
 * incoming request, after which V8 uses slow property lookups, which cost two thirds of the processor time of a small
 * response. These classes have that prototype from the start.
 */
export const expressMessages = (app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> => {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};

interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

/** Serves `GET /metrics`; forwards all other requests to the API. */
export const serveMetrics =
  (app: RequestListener, metrics: { readonly render: () => Promise<RenderedMetrics> }): RequestListener =>
  (request, response) => {
    if (request.url?.split('?')[0] !== '/metrics' || request.method !== 'GET') return app(request, response);
    metrics.render().then(
      ({ contentType, text }) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      (error: unknown) => response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error)),
    );
  };
