import { createServer, type RequestListener, type Server } from 'node:http';
import { type Express } from 'express';
import { expressMessages } from './express-messages';
import { limitPipelining } from './limit-pipelining';

/** How long the headers of a request, and the whole of it, may take to arrive; what takes longer is 408, and cut. */
const RECEIVED_WITHIN_MS = 60_000;
const CHECKED_EVERY_MS = 1_000;

export interface HttpServerOptions {
  /** The Express app that answers; null for none. */
  readonly app: Express | null;
  /** What stands before the app, or in its place. */
  readonly listener: RequestListener;
  /** How long an idle connection stays open. Default: 5 s. */
  readonly keepAliveMs?: number;
  /** For tests. */
  readonly receivedWithinMs?: number;
}

/** Every HTTP server of rowgraph, with the limits on what one connection may ask of it. */
export const createHttpServer = ({
  app,
  listener,
  keepAliveMs,
  receivedWithinMs = RECEIVED_WITHIN_MS,
}: HttpServerOptions): Server =>
  createServer(
    {
      headersTimeout: receivedWithinMs,
      requestTimeout: receivedWithinMs,
      connectionsCheckingInterval: Math.min(CHECKED_EVERY_MS, receivedWithinMs / 4),
      ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs }),
      ...(app === null ? {} : expressMessages(app)),
    },
    limitPipelining(listener),
  );
