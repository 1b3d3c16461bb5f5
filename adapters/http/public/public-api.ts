import express, { type Express, type Request, type RequestHandler } from 'express';
import { type Either, isLeft, left } from 'fp-ts/Either';
import helmet from 'helmet';
import { type Logger } from 'pino';
import { requestContext } from '../../../commands/kit/command-context';
import { mapRight } from '../../../domain/kernel/either';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { type IdGenerator } from '../../../domain/ports/id-generator';
import { type IdempotencyStore } from '../../../domain/ports/idempotency-store';
import { type PodRuntime } from '../../../domain/ports/pod-runtime';
import { readConfig } from '../../../queries/config';
import { isDatabaseAway, type ReadDatabase } from '../../../queries/kit/database';
import { countIncompleteCatalogs } from '../../../queries/schema-cache';
import { DEFAULT_TIMEOUT_MS } from '../../system/time-limit';
import {
  type FirstUserGate,
  type Identify,
  identifyCaller,
  idOfRequest,
  type ProvisionUser,
  withoutAccessToken,
} from '../identity';
import { type Access, type AnyEndpoint, bind, type HandlerResult, requestIdMiddleware, sendError } from '../kit';
import { positionOfEveryAnswer, sendPosition, waitForMinPosition } from '../kit/consistency';
import { type LimitInProgress, limitInProgress } from '../kit/limit-in-progress';
import { addToRequestLog, logRequests, traceRequests } from '../kit/observe-requests';
import { type AnswerRefusal, countRefusals } from '../kit/refused-calls';
import { buildRouter, errorHandler, requireIdentity, type RouterOptions, serveGet, unknownRoute } from '../kit/router';
import { prefersEvents } from '../kit/send-events';
import { accessTokenHandlers } from './access-token/handlers';
import { adminHandlers } from './admin/handlers';
import { apiKeyHandlers } from './api-key/handlers';
import { apiPage } from './api-page';
import { clusterHandlers } from './cluster/handlers';
import { consolePage } from './console-page';
import { describePublicApi } from './describe-public-api';
import { repeatAnswers } from './idempotency';
import { opsHandlers } from './ops/handlers';
import { type ApiCaller, type PublicDependencies, type PublicHandlers } from './public-dependencies';
import { publicEndpoints } from './public-endpoints';
import { queryEngineHandlers } from './query-engine/handlers';
import { resourceHandlers } from './resource-handlers';
import { schemaHandlers } from './schema/handlers';
import { sessionHandlers } from './session/handlers';
import { refuseSnapshotPath } from './snapshot/handlers';

export interface PublicApiOptions {
  readonly idempotency: IdempotencyStore;
  readonly identify: Identify;
  /** Maps people of the identity provider to users; null without an identity provider. */
  readonly provisionUser: ProvisionUser | null;
  /** Checks requests that create the first user. */
  readonly firstUser: FirstUserGate;
  /** Counts rejected requests. */
  readonly answerRefusal: AnswerRefusal;
  /** Limits the requests of each user in progress. */
  readonly limitRequests: LimitInProgress;
  /** Forwards requests to pods; null where pods are reached in another way. */
  readonly ingress: { readonly path: string; readonly handler: RequestHandler } | null;
  /** Version of rowgraph and URL of the API, for its description. */
  readonly version: string;
  readonly baseUrl: string;
  readonly instanceBaseUrl: string;
  /** URL of the identity provider whose tokens the console uses; null: none. */
  readonly issuer: string | null;
  /** Timeout of a request and of the stores it calls. */
  readonly timeoutMs?: number;
  readonly log: Logger;
}

/** The public API, with the unauthenticated health checks. */
// oxlint-disable-next-line max-lines-per-function -- The order of the middleware is the point, and reads from top to bottom.
export const publicApi = (deps: PublicDependencies, options: PublicApiOptions): Express => {
  const { log, identify, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const app = express();
  app.set('etag', false);
  app.use(helmet(), requestIdMiddleware, ignoreConditions, positionOfEveryAnswer(deps.catchUp));
  app.use(traceRequests((path) => path.startsWith('/api/') && !POLLS.test(path)));
  app.use(logRequests(log, (path) => POLLS.test(path)));
  serveGet(app, '/health', (_request, response) => void response.json({ status: 'healthy' }));
  serveGet(app, '/ready', async (_request, response) => {
    const trouble = await deps.readiness();
    const isReady = Object.keys(trouble).length === 0;
    const incomplete = isReady ? await countIncompleteCatalogs(deps.db).catch(() => 0) : 0;
    const warehouse = `${incomplete} catalogs are incomplete; see: rowgraph catalog browse`;
    response.status(isReady ? 200 : 503).json({
      status: isReady ? 'ready' : 'not_ready',
      trouble,
      ...(incomplete === 0 ? {} : { warnings: { warehouse } }),
    });
  });
  const description = describePublicApi(options);
  serveGet(app, '/api/openapi.json', (_request, response) => void response.json(description));
  app.use('/api/docs', apiPage(options));
  app.use(consolePage(options));
  if (options.ingress !== null) {
    const { path, handler } = options.ingress;
    app.use(path, nameInstance(deps.podRuntime), handler);
  }

  const { provisionUser, firstUser } = options;
  const callerOf = identifyCaller(deps.db, deps.catchUp, withoutAccessToken(identify), provisionUser, firstUser);
  const authorize = withinLimits(
    countRefusals(withContext(callerOf, deps.ports.ids), options.answerRefusal),
    options.limitRequests,
  );
  const minPosition = waitForMinPosition(deps.catchUp);
  const idempotent = repeatAnswers(options.idempotency);
  const unlessInMaintenance = refuseInMaintenance(deps.db);
  const handlers: PublicHandlers<typeof publicEndpoints> = {
    ...resourceHandlers(deps),
    ...apiKeyHandlers(deps),
    ...sessionHandlers(deps),
    ...accessTokenHandlers(deps),
    ...opsHandlers(deps),
    ...schemaHandlers(deps),
    ...queryEngineHandlers(deps),
    ...clusterHandlers(deps),
    ...adminHandlers(deps),
  };
  app.use('/api/snapshots', (request, response, next) => {
    const refusal = refuseSnapshotPath(request);
    if (refusal === null) return next();
    return requireIdentity(authorize)(request, response, () => sendError(response, refusal));
  });
  app.use(
    '/api',
    buildRouter(bind(publicEndpoints, handlers), {
      authorize,
      around: (context, next) =>
        minPosition(context, () =>
          idempotent(context, (identity) => unlessInMaintenance(context, () => next(identity))),
        ),
      beforeSuccess: sendPosition(deps.catchUp),
      timeoutMs,
      log,
    }),
    requireIdentity(authorize),
  );
  app.use(unknownRoute);
  app.use(errorHandler(log, isDatabaseAway));
  return app;
};

const withContext =
  (callerOf: ReturnType<typeof identifyCaller>, ids: IdGenerator) =>
  async (request: Request, access: Access): Promise<Either<DomainError, ApiCaller>> =>
    mapRight(await callerOf(request, access), (caller) => ({
      ...caller,
      context: requestContext(ids, caller, idOfRequest(request)),
    }));

/** Each stream reads the state of its instance repeatedly. */
const STREAMS_PER_USER = 20;

/** The same authorization, while the user has not too many requests or streams in progress. */
const withinLimits = (
  authorize: RouterOptions<ApiCaller>['authorize'],
  limitRequests: LimitInProgress,
): typeof authorize => {
  const limitStreams = limitInProgress(STREAMS_PER_USER, 'streams');
  return async (request, access) => {
    const caller = await authorize(request, access);
    if (isLeft(caller) || request.res === undefined || caller.right.username === '') return caller;
    const { username } = caller.right;
    const requests = limitRequests(username, request.res);
    if (isLeft(requests) || !prefersEvents(request)) return isLeft(requests) ? requests : caller;
    const streams = limitStreams(username, request.res);
    return isLeft(streams) ? streams : caller;
  };
};

/** Every response has its own request id, so a response is never "not modified". */
const ignoreConditions: RequestHandler = (request, _response, next) => {
  delete request.headers['if-none-match'];
  delete request.headers['if-modified-since'];
  next();
};

/** Operations that programs poll: health and progress. */
const POLLS =
  /^\/(health|ready|api\/health|api\/export-jobs\/pending-count|graphs\/[^/]+\/(health|ready|status|lock|algo\/status\/[^/]+))\/?$/;

/** Logs requests to an instance by its id instead of its slug. Mount it before the ingress. */
const nameInstance =
  (podRuntime: PodRuntime): RequestHandler =>
  (request, response, next) => {
    const [, slug = '', rest = ''] = /^(?:https?:\/\/[^/]*)?\/([^/?]*)([^?]*)/.exec(request.url) ?? [];
    const instanceId = podRuntime.routeOf(slug)?.instanceId ?? null;
    addToRequestLog(response, { instanceId, path: `${request.baseUrl}/${instanceId ?? '…'}${rest}` });
    next();
  };

/** Rejects the creation of resources while the system is in maintenance; everything else continues. */
const refuseInMaintenance =
  (db: ReadDatabase) =>
  async (
    { bound }: { readonly bound: { readonly endpoint: AnyEndpoint } },
    next: () => HandlerResult<unknown>,
  ): HandlerResult<unknown> => {
    if (bound.endpoint.createsResource !== true) return next();
    const { enabled, message } = (await readConfig(db, 'maintenance')).value;
    if (!enabled) return next();
    const reason = message === '' ? 'Nothing new can be created for the time being; try again later.' : message;
    return left(domainError('SERVICE_UNAVAILABLE', `The system is in maintenance. ${reason}`, { maintenance: true }));
  };
