import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { pipeline } from 'node:stream';
import { type Request, type RequestHandler, type Response } from 'express';
import { type Logger } from 'pino';
import { domainError, unavailable } from '../../../domain/kernel/errors';
import { requestIdOf, sendError } from '../kit';
import { loggedPath } from '../kit/log-requests';
import { requestHeaders, responseHeaders } from './forwarded-headers';

export interface InstanceIngressOptions {
  /** The loopback port of the pod of a slug, null when none runs. */
  readonly portOf: (urlSlug: string) => number | null;
  /** Aborts when that pod answers nobody any more; null: nobody knows. */
  readonly untilSilent: (urlSlug: string) => AbortSignal | null;
  /** Who calls, null for nobody known. The pod decides what needs an identity. */
  readonly authenticate: (request: Request) => Promise<string | null>;
  /** The address a request comes from. */
  readonly addressOf: (request: Request) => string;
  readonly log: Logger;
}

const SILENT =
  'The instance does not answer, not even whether it is healthy. It is ended soon if that lasts; look at its status.';
/** Shorter than the 5 s after which a pod closes an idle connection, so that none is used in its last moment. */
const IDLE_CONNECTION_MS = 4_000;

/**
 * Forwards `/{slug}/rest` to the pod of that slug as `/rest`, streaming both ways. Mount it behind the request id
 * and before every body parser.
 */
export const instanceIngress = (options: InstanceIngressOptions): RequestHandler => {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS });
  return async (request, response) => {
    const { slug, path } = targetOf(request.url);
    const username = await options.authenticate(request);
    const port = options.portOf(slug);
    if (port === null) {
      const message = `No instance runs at ${request.baseUrl}/${slug}. It may still start or have ended; look at its status.`;
      return sendError(response, domainError('RESOURCE_NOT_FOUND', message, { url_slug: slug }));
    }
    const address = options.addressOf(request);
    if (response.destroyed) return;
    const upstream = forward({ port, path, username, address, agent, log: options.log }, request, response);
    const silent = options.untilSilent(slug);
    if (silent !== null) breakOffWhenAborted(silent, upstream, response);
  };
};

/** `/slug/rest?query`, without the origin a client may put before it, split as it stands, undecoded. */
const targetOf = (url: string): { readonly slug: string; readonly path: string } => {
  const [, slug = '', path = ''] = /^(?:https?:\/\/[^/]*)?\/([^/?]*)(.*)$/.exec(url) ?? [];
  return { slug, path: path.startsWith('/') ? path : `/${path}` };
};

interface Target {
  readonly port: number;
  readonly path: string;
  readonly username: string | null;
  readonly address: string;
  readonly agent: Agent;
  readonly log: Logger;
}

const forward = (target: Target, request: Request, response: Response): ClientRequest => {
  const { port, path, username, address, agent, log } = target;
  const requestId = requestIdOf(response);
  const upstream = httpRequest({
    agent,
    host: '127.0.0.1',
    port,
    path,
    method: request.method,
    headers: requestHeaders(request.headers, { username, address, requestId }),
  });
  let hasAnswered = false;
  upstream.on('response', (answer) => {
    hasAnswered = true;
    passOn(answer, response);
  });
  upstream.on('error', (error) => {
    if (hasAnswered || response.headersSent || response.destroyed) return;
    log.warn({ err: error, requestId, path: loggedPath(request, response) }, 'a pod did not answer');
    sendError(response, unavailable('The instance', error.message));
  });
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
  return upstream;
};

const breakOffWhenAborted = (silent: AbortSignal, upstream: ClientRequest, response: Response): void => {
  const breakOff = (): void => {
    if (!response.headersSent) sendError(response, domainError('GATEWAY_TIMEOUT', SILENT));
    upstream.destroy();
  };
  silent.addEventListener('abort', breakOff);
  response.on('close', () => silent.removeEventListener('abort', breakOff));
  if (silent.aborted) breakOff();
};

/** An answer that breaks off breaks off for the client too, so that it cannot take half a result for a whole one. */
const passOn = (answer: IncomingMessage, response: Response): void => {
  response.status(answer.statusCode ?? 502);
  // The pod answers, not the control plane.
  response.removeHeader('X-Event-Position');
  for (const [name, value] of Object.entries(responseHeaders(answer.headers))) {
    if (value !== undefined) response.setHeader(name, value);
  }
  pipeline(answer, response, () => undefined);
};
