import { type RequestHandler, type Response } from 'express';
import { left } from 'fp-ts/Either';
import { domainError, invalidField } from '../../../domain/kernel/errors';
import { type Position } from '../../../domain/kernel/event';
import { type CatchUp } from '../../../projections/catch-up';
import { type HandlerResult, type Reply } from './endpoint';
import { type CallContext } from './router';

/** Timeout of a response that waits for the read models. */
export const CATCH_UP_MS = 2000;

/** Delays a read until the position in the header `X-Min-Position`. */
export const waitForMinPosition =
  (catchUp: CatchUp) =>
  async (
    { request }: Pick<CallContext<unknown>, 'request'>,
    next: () => HandlerResult<unknown>,
  ): HandlerResult<unknown> => {
    const wanted = request.get('X-Min-Position');
    if (wanted === undefined) return next();
    if (!/^\d{1,19}$/.test(wanted)) {
      return left(invalidField('X-Min-Position', 'must be the value of an X-Event-Position'));
    }
    // The digits were checked just above; positions are decimal numbers on the wire.
    if (await catchUp.waitFor(wanted as Position, CATCH_UP_MS)) {
      request.res?.setHeader('X-Event-Position', catchUp.position());
      return next();
    }
    return left(
      domainError('SERVICE_UNAVAILABLE', `The read models have not reached position ${wanted} yet; try again.`),
    );
  };

/**
 * Adds to every response the position of the read models at the arrival of the request, so that the response is never
 * older. Includes responses outside the table of endpoints: 404, 413, 500.
 */
export const positionOfEveryAnswer =
  (catchUp: CatchUp): RequestHandler =>
  (_request, response, next) => {
    response.setHeader('X-Event-Position', catchUp.position());
    next();
  };

/**
 * Sends the position of a write. The response waits until reads include the write; after a timeout it is sent with
 * `X-Consistency: pending`.
 */
export const sendPosition =
  (catchUp: CatchUp) =>
  async (response: Response, reply: Reply<unknown>): Promise<void> => {
    if (reply.asOfPosition !== undefined) response.setHeader('X-As-Of-Position', reply.asOfPosition);
    if (reply.position === undefined) return;
    if (!(await catchUp.waitFor(reply.position, CATCH_UP_MS))) response.setHeader('X-Consistency', 'pending');
    response.setHeader('X-Event-Position', reply.position);
  };
