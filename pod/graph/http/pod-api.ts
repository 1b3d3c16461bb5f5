import express, { type Express, type RequestHandler } from 'express';
import { right } from 'fp-ts/Either';
import helmet from 'helmet';
import { GRAPHDB_A_ALGORITHM_ENDPOINTS } from '../../../adapters/contracts/graph-pod/algorithm-endpoints';
import { describePodApi } from '../../../adapters/contracts/graph-pod/describe-pod-api';
import { INSTANCE_ENDPOINTS } from '../../../adapters/contracts/graph-pod/endpoints';
import { GRAPHDB_B_ALGORITHM_ENDPOINTS } from '../../../adapters/contracts/graph-pod/procedure-endpoints';
import { bind, requestIdMiddleware, sendError } from '../../../adapters/http/kit';
import { buildRouter, errorHandler } from '../../../adapters/http/kit/router';
import { packageVersion } from '../../../adapters/system/package-root';
import { domainError } from '../../../domain/kernel/errors';
import { duckdbAlgorithmHandlers, falkordbAlgorithmHandlers } from './algorithm-handlers';
import { callerOf, type FetchRequestKey, requireSignature } from './authorize-caller';
import { createHandlers, type HandlerParts } from './handlers';
import { type AlgorithmHandlerParts } from './run-handlers';

export interface PodApiParts extends Omit<HandlerParts, 'endpoints' | 'description'>, AlgorithmHandlerParts {
  /** Null if requests need no signature. */
  readonly fetchRequestKey: FetchRequestKey | null;
}

const algorithmRoutes = (parts: PodApiParts) =>
  parts.engine.kind === 'graphdb_a'
    ? bind(GRAPHDB_A_ALGORITHM_ENDPOINTS, duckdbAlgorithmHandlers(parts))
    : bind(GRAPHDB_B_ALGORITHM_ENDPOINTS, falkordbAlgorithmHandlers(parts));

/** The identity for endpoints without authentication. */
const ANONYMOUS = '';

/** Endpoints that work before the graph is loaded. */
const ALWAYS_OPEN = new Set(['/', '/openapi.json', '/health', '/ready', '/status', '/lock']);

const notFoundHandler: RequestHandler = (request, response) => {
  sendError(response, domainError('RESOURCE_NOT_FOUND', `Unknown path ${request.path}; / lists the endpoints.`));
};

/** The pod's HTTP API, at `/` and below its slug: an ingress may or may not strip the slug. */
export const createPodApi = (parts: PodApiParts): Express => {
  const { instance, log, fetchRequestKey, now } = parts;
  const algorithms = algorithmRoutes(parts);
  const endpoints = [...Object.values(INSTANCE_ENDPOINTS), ...algorithms.map(({ endpoint }) => endpoint)];
  const { instanceUrl, wrapperType } = instance.settings;
  const description = { ...describePodApi(wrapperType, { version: packageVersion, instanceUrl }) };
  const handlers = createHandlers({ ...parts, endpoints, description });
  const router = buildRouter([...bind(INSTANCE_ENDPOINTS, handlers), ...algorithms], {
    authorize: (request, access) =>
      Promise.resolve(access === 'anybody' ? right(ANONYMOUS) : callerOf(request.get('X-Username'))),
    log,
  });

  const requireGraph: RequestHandler = (request, response, next) => {
    if (instance.graph !== null || ALWAYS_OPEN.has(request.path)) return next();
    const detail = instance.isEnding
      ? 'The instance is ending and takes no more requests.'
      : 'The graph is still being loaded; wait until /ready answers 200.';
    response.status(503).json({ detail });
  };

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(helmet(), requestIdMiddleware);
  const checkSignature = requireSignature(fetchRequestKey, () => now().getTime());
  for (const base of [`/${instance.settings.slug}`, '/']) app.use(base, checkSignature, requireGraph, router);
  app.use(notFoundHandler, errorHandler(log));
  return app;
};
