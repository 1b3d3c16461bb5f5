import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as httpRequest,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { urlToHttpOptions } from 'node:url';
import { type Request, type RequestHandler, type Response } from 'express';
import { isLeft } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type DomainError, domainError, unavailable } from '../../../domain/kernel/errors';
import { type PodRoute, type PodRuntime } from '../../../domain/ports/pod-runtime';
import { SIGNATURE_HEADER, SIGNATURE_REFUSED, type SignRequests } from '../../contracts/graph-pod/request-signature';
import { pause } from '../../system/retry';
import { type CheckAccess, instanceNotFound, withoutTokenInQuery } from '../identity';
import { requestIdOf, sendError } from '../kit';
import { STOP_DEADLINE } from '../kit/http-server';
import { endAfterRequest } from '../kit/limit-body';
import { type LimitInProgress } from '../kit/limit-in-progress';
import { loggedPath } from '../kit/observe-requests';
import { type AnswerRefusal } from '../kit/refused-calls';

export interface InstanceIngressOptions {
  /** The route to the pod of a slug; null if no pod is reachable. */
  readonly routeOf: PodRuntime['routeOf'];
  /** Pods accept only requests that are signed for them. */
  readonly sign: SignRequests;
  readonly admit: CheckAccess;
  /** Counts rejected requests. */
  readonly answerRefusal: AnswerRefusal;
  /** Limits the requests of each user in progress, and of each address without a user. */
  readonly limitRequests: LimitInProgress;
  /** The client's address. */
  readonly addressOf: (request: Request) => string;
  readonly log: Logger;
}

/** Interval of the checks, while a response is sent, that the caller still has access and the pod still responds. */
const CHECK_INTERVAL_MS = 400;

const SILENT = domainError(
  'GATEWAY_TIMEOUT',
  'The instance does not answer, not even its health check. It is ended soon if that continues; see its status.',
);
const STOPPED = domainError(
  'SERVICE_UNAVAILABLE',
  'rowgraph is stopping, and the instance did not answer in time. Send the request again after the restart.',
);
/** Much shorter than the time after which a pod closes an idle connection, so that it is not reused meanwhile. */
const IDLE_CONNECTION_MS = 4_000;

/**
 * Forwards `/{slug}/rest` to the pod of that slug as `/rest`, streaming in both directions. Mount it after the request
 * id and before all body parsers.
 */
export const instanceIngress = (options: InstanceIngressOptions): RequestHandler => {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS });
  return async (request, response) => {
    const { slug, path } = targetOf(withoutTokenInQuery(request.url));
    const admitted = await options.admit(request, slug);
    if (isLeft(admitted)) return sendError(response, options.answerRefusal(request, admitted.left));
    const route = options.routeOf(slug);
    if (route === null) return sendError(response, instanceNotFound(request, slug));
    const address = options.addressOf(request);
    if (response.destroyed) return;
    const within = options.limitRequests(admitted.right ?? address, response);
    if (isLeft(within)) return sendError(response, within.left);
    const target = { route, path, username: admitted.right, address, agent, sign: options.sign, log: options.log };
    const upstream = forward(target, request, response);
    const closed = new AbortController();
    response
      .once('close', () => {
        closed.abort();
        upstream.destroy();
      })
      .once(STOP_DEADLINE, () => {
        if (!response.headersSent) sendError(response, STOPPED);
        upstream.destroy();
      });
    const check = async (): Promise<DomainError | null> => {
      if (route.unresponsive.aborted) return SILENT;
      // If the check itself fails, its last result stays valid.
      const admitted = await options.admit(request, slug).catch(() => null);
      return admitted !== null && isLeft(admitted) ? admitted.left : null;
    };
    const error = await untilInterrupted(check, closed.signal);
    if (error !== null && !response.headersSent) sendError(response, error);
    if (error !== null) upstream.destroy();
  };
};

/** Repeats a check while a response is sent; returns its first error, or null when the response is closed. */
const untilInterrupted = async (
  check: () => Promise<DomainError | null>,
  closed: AbortSignal,
): Promise<DomainError | null> => {
  for (;;) {
    await pause(CHECK_INTERVAL_MS, closed);
    const error = closed.aborted ? null : await check();
    if (closed.aborted || error !== null) return closed.aborted ? null : error;
  }
};

/** Splits `/slug/rest?query` without decoding it; an origin that a client put before it is removed. */
export const targetOf = (url: string): { readonly slug: string; readonly path: string } => {
  const [, slug = '', path = ''] = /^(?:https?:\/\/[^/]*)?\/([^/?]*)(.*)$/.exec(url) ?? [];
  return { slug, path: path.startsWith('/') ? path : `/${path}` };
};

interface Target {
  readonly route: PodRoute;
  readonly path: string;
  readonly username: string | null;
  readonly address: string;
  readonly agent: Agent;
  readonly sign: SignRequests;
  readonly log: Logger;
}

const forward = (target: Target, request: Request, response: Response): ClientRequest => {
  const { route, path, username, address, agent, sign, log } = target;
  const requestId = requestIdOf(response);
  const upstream = httpRequest({
    agent,
    ...urlToHttpOptions(new URL(route.url)),
    path,
    method: request.method,
    headers: {
      ...requestHeaders(request.headers, { username, address, requestId }),
      [SIGNATURE_HEADER]: sign(route, { method: request.method, path, username }),
    },
  });
  let hasAnswered = false;
  upstream.on('response', (answer) => {
    hasAnswered = true;
    if (answer.headers[SIGNATURE_HEADER] === SIGNATURE_REFUSED) return refuseForeignPod(upstream, request, response);
    if (!request.complete && answer.headers.connection === 'close') forwardRejection(answer, request, response);
    else forwardResponse(answer, response);
  });
  upstream.on('error', (error) => {
    if (hasAnswered || response.headersSent || response.destroyed) return;
    log.warn({ err: error, requestId, path: loggedPath(request, response) }, 'a pod did not answer');
    sendError(response, unavailable('The instance', error.message));
  });
  request.pipe(upstream);
  return upstream;
};

/** The address now belongs to another pod, or the clocks differ by more than a minute. */
const refuseForeignPod = (upstream: ClientRequest, request: Request, response: Response): void => {
  request.unpipe();
  upstream.destroy();
  sendError(response, unavailable('The instance', 'the pod at its address does not accept the signature'));
};

/**
 * The pod does not read the rest of a request that is still being sent. The client's connection is closed too, after
 * the response.
 */
const forwardRejection = (answer: IncomingMessage, request: Request, response: Response): void => {
  request.unpipe();
  startAnswer(answer, response);
  response.setHeader('Connection', 'close');
  pipeline(answer, response, { end: false }).then(
    () => endAfterRequest(request, response),
    () => response.destroy(),
  );
};

/**
 * A response that is cut off is also cut off for the client, so that a partial result is not mistaken for a complete
 * one.
 */
const forwardResponse = (answer: IncomingMessage, response: Response): void => {
  startAnswer(answer, response);
  pipeline(answer, response).catch(() => undefined);
};

const startAnswer = (answer: IncomingMessage, response: Response): void => {
  response.status(answer.statusCode ?? 502);
  // The response comes from the pod, not from the control plane.
  response.removeHeader('X-Event-Position');
  for (const [name, value] of Object.entries(without(answer.headers))) {
    if (value !== undefined) response.setHeader(name, value);
  }
};

/** Hop-by-hop headers (RFC 9110, 7.6.1): each side of the ingress sets its own. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Only the ingress sets `X-Username` and `X-Forwarded-For`; credentials are not forwarded to the pod. */
const IDENTITY = new Set([
  'x-username',
  'x-user-role',
  'x-edge-token',
  'authorization',
  'cookie',
  'x-forwarded-for',
  SIGNATURE_HEADER,
]);

const OF_THIS_CONNECTION = new Set(['host', 'expect']);

/** The headers of a client's request as the pod receives them. */
const requestHeaders = (
  received: IncomingHttpHeaders,
  identity: { readonly username: string | null; readonly address: string; readonly requestId: string },
): OutgoingHttpHeaders => ({
  ...without(received, (name) => IDENTITY.has(name.replaceAll('_', '-')) || OF_THIS_CONNECTION.has(name)),
  // Set explicitly, because Node.js otherwise sends the body of a GET or DELETE without framing; the client's header
  // `Connection` may name them.
  ...(received['content-length'] === undefined ? {} : { 'content-length': received['content-length'] }),
  ...(received['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
  ...(identity.username === null ? {} : { 'x-username': identity.username }),
  'x-forwarded-for': identity.address,
  'x-request-id': identity.requestId,
});

/** Headers as forwarded to the other side. */
const without = (
  received: IncomingHttpHeaders,
  isUnwanted: (name: string) => boolean = () => false,
): OutgoingHttpHeaders => {
  const named = (received.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(received).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name) && !isUnwanted(name)),
  );
};
