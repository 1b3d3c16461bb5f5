import express, { type Express, type Request } from 'express';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type DomainError, domainError, unavailable } from '../../../domain/kernel/errors';
import { isDatabaseAway } from '../../../queries/kit/database';
import { DEFAULT_TIMEOUT_MS } from '../../system/time-limit';
import { type Access, bind, type Handlers, requestIdMiddleware } from '../kit';
import { positionOfEveryAnswer, sendPosition, waitForMinPosition } from '../kit/consistency';
import { addToRequestLog, logRequests, traceRequests } from '../kit/observe-requests';
import { type AnswerRefusal, countRefusals } from '../kit/refused-calls';
import { buildRouter, errorHandler, requireIdentity, unknownRoute } from '../kit/router';
import { internalEndpoints } from './describe-internal-api';
import { exportJobHandlers } from './export-job/handlers';
import { instanceHandlers } from './instance/handlers';
import { type InternalDependencies } from './internal-dependencies';
import { type Component, type IdentifyComponent } from './service-token';
import { snapshotHandlers } from './snapshot/handlers';

/** The API for workers and pods, on its own port. */
export const internalApi = (
  deps: InternalDependencies,
  identify: IdentifyComponent,
  answerRefusal: AnswerRefusal,
  log: Logger,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestIdMiddleware, positionOfEveryAnswer(deps.catchUp));
  app.use(traceRequests(() => false));
  // All operations are polled or reported repeatedly.
  app.use(logRequests(log, () => true));
  const handlers: Handlers<typeof internalEndpoints, Component> = {
    ...exportJobHandlers(deps),
    ...snapshotHandlers(deps),
    ...instanceHandlers(deps),
  };
  const authorize = countRefusals(namingInstance(authorizeComponent(identify)), answerRefusal);
  const around = waitForMinPosition(deps.catchUp);
  const options = { authorize, around, beforeSuccess: sendPosition(deps.catchUp), timeoutMs, log };
  app.use('/api/internal', buildRouter(bind(internalEndpoints, handlers), options), requireIdentity(authorize));
  app.use(unknownRoute);
  app.use(errorHandler(log, isDatabaseAway));
  return app;
};

/** Adds the instance to the log line of a pod's request. */
const namingInstance =
  (authorize: ReturnType<typeof authorizeComponent>): typeof authorize =>
  async (request, access) => {
    const component = await authorize(request, access);
    if (isRight(component) && component.right.kind === 'wrapper' && request.res !== undefined) {
      addToRequestLog(request.res, { instanceId: component.right.instanceId });
    }
    return component;
  };

/** Identifies the component that sends a request and checks that it may use the operation. */
const authorizeComponent =
  (identify: IdentifyComponent) =>
  async (request: Request, access: Access): Promise<Either<DomainError, Component>> => {
    const [scheme, token] = (request.get('Authorization') ?? '').split(' ');
    if (scheme !== 'Bearer' || token === undefined) {
      return left(domainError('UNAUTHORIZED', 'Send a service token: Authorization: Bearer <token>.'));
    }
    const component = await identify(token);
    if (isLeft(component)) {
      const { kind, reason } = component.left;
      return left(
        kind === 'invalid'
          ? domainError('UNAUTHORIZED', `The service token is not valid: ${reason}.`)
          : unavailable('The verification of service tokens', reason),
      );
    }
    const { kind } = component.right;
    const named = request.get('X-Component');
    if (named !== kind) {
      const message = `X-Component must name the token's component, ${kind}; it was ${named ?? 'missing'}.`;
      return left(domainError('INVALID_COMPONENT', message));
    }
    if ((access === 'worker' || access === 'wrapper') && access !== kind) {
      return left(domainError('PERMISSION_DENIED', `This operation is for a ${access}, not for a ${kind}.`));
    }
    return right(component.right);
  };
