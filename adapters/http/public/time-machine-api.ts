import express, { type Express, type RequestHandler } from 'express';
import { isLeft, right } from 'fp-ts/Either';
import helmet from 'helmet';
import { type Logger } from 'pino';
import { requestContext } from '../../../commands/kit/command-context';
import { domainError } from '../../../domain/kernel/errors';
import { type Position } from '../../../domain/kernel/event';
import { isDatabaseAway } from '../../../queries/kit/database';
import { type identifyCaller, idOfRequest } from '../identity';
import { bind, requestIdMiddleware, sendError } from '../kit';
import { positionOfEveryAnswer, sendPosition } from '../kit/consistency';
import { type AnswerRefusal, countRefusals } from '../kit/refused-calls';
import { buildRouter, errorHandler, requireIdentity, type RouterOptions } from '../kit/router';
import { type ApiCaller, type ResourceDependencies } from './public-dependencies';
import { resourceEndpoints } from './public-endpoints';
import { resourceHandlers } from './resource-handlers';

export interface TimeMachineOptions {
  /** Position and time of the moment. */
  readonly position: Position;
  readonly time: Date;
  /** Identifies the users of today. */
  readonly callerOf: ReturnType<typeof identifyCaller>;
  /** Counts rejected requests. */
  readonly answerRefusal: AnswerRefusal;
  readonly log: Logger;
}

/** Its steps are reports of pods. */
const LIVE_ONLY = '/instances/{id}/progress';

/**
 * The reads of the public API that read models answer, over those of an earlier moment. Only for admins and ops: what
 * an analyst may see depends on access lists of today, which the read models of the moment do not contain.
 */
export const timeMachineApi = (deps: ResourceDependencies, options: TimeMachineOptions): Express => {
  const { position, time, callerOf, answerRefusal, log } = options;
  const moment = `position ${position} of the log (${time.toISOString()})`;
  const reads = bind(resourceEndpoints, resourceHandlers(deps)).filter(
    ({ endpoint: { method, path } }) => method === 'GET' && path !== LIVE_ONLY,
  );
  const identify: RouterOptions<ApiCaller>['authorize'] = async (request, access) => {
    const caller = await callerOf(request, access === 'ops' ? 'ops' : 'admin');
    if (isLeft(caller)) return caller;
    return right({ ...caller.right, context: requestContext(deps.ports.ids, caller.right, idOfRequest(request)) });
  };
  const authorize = countRefusals(identify, answerRefusal);
  const refuseWrites: RequestHandler = (request, response, next) => {
    response.setHeader('X-As-Of-Position', position);
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    response.setHeader('Allow', 'GET, HEAD');
    const message = `This time machine shows the system at ${moment}, which cannot be changed. Send ${request.method} to the live system.`;
    sendError(response, domainError('METHOD_NOT_ALLOWED', message, { allowed_methods: ['GET', 'HEAD'] }));
  };
  const refuseOthers: RequestHandler = ({ path }, response) => {
    const message = `${path} has no answer at ${moment}: a time machine answers the reads of users, mappings, snapshots, instances, export jobs, favorites, saved queries, the configuration and the audit trail. Ask the live system for queries, pods, health and the warehouse.`;
    sendError(response, domainError('RESOURCE_NOT_FOUND', message));
  };
  const app = express();
  app.set('etag', false);
  app.use(helmet(), requestIdMiddleware, positionOfEveryAnswer(deps.catchUp), refuseWrites);
  app.use('/api', buildRouter(reads, { authorize, beforeSuccess: sendPosition(deps.catchUp), log }));
  app.use(requireIdentity(authorize), refuseOthers);
  app.use(errorHandler(log, isDatabaseAway));
  return app;
};
