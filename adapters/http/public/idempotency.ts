import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left } from 'fp-ts/Either';
import { type DomainError, domainError, invalidField } from '../../../domain/kernel/errors';
import { type IdempotencyStore } from '../../../domain/ports/idempotency-store';
import { ERROR_CATALOGUE, type HandlerResult, type Reply } from '../kit';
import { type CallContext } from '../kit/router';
import { KEY_ALREADY_SHOWN } from './api-key/handlers';
import { type ApiCaller } from './public-dependencies';

const HEADER = 'Idempotency-Key';
const KEY = /^[\x21-\x7e]{1,255}$/;
const NOT_REPEATED = new Set([401, 429]);

/** Timeout of a repeated request that waits for the response to the first one. */
const ANSWER_WITHIN_MS = 25_000;
const PAUSE_MS = 100;
const RETRY_AFTER_SECONDS = 5;

/**
 * Replays the first response to a repeated write with the same `Idempotency-Key`. Keys are scoped by user, method and
 * path; another body with the same key is rejected. While the first request is in progress, the repeated one waits for
 * its response. Responses that ask for a retry are not stored. A request that ended without a response still takes
 * effect only once: its repetition has the same command id, by which it is recognised.
 */
export const repeatAnswers =
  (store: IdempotencyStore, answerWithinMs = ANSWER_WITHIN_MS) =>
  async (
    { request, body, identity, bound, disconnected }: CallContext<ApiCaller>,
    next: (identity?: ApiCaller) => HandlerResult<unknown>,
  ): HandlerResult<unknown> => {
    const key = request.get(HEADER);
    if (key === undefined || bound.endpoint.method === 'GET') return next();
    if (!KEY.test(key)) return left(invalidField(HEADER, 'must be 1 to 255 printable ASCII characters without spaces'));
    const scope = `${identity.username} ${request.method} ${request.baseUrl}${request.path}`;
    const hash = createHash('sha256')
      .update(JSON.stringify(body ?? null))
      .digest('hex');
    const deadline = performance.now() + answerWithinMs;
    let known = await store.begin(scope, key, hash);
    while (known.kind === 'in_progress') {
      if (performance.now() >= deadline || disconnected.aborted) return left(stillInProgress(key));
      await sleep(PAUSE_MS);
      known = await store.begin(scope, key, hash);
    }
    if (known.kind === 'answered') {
      // The store contains only responses written by `complete` below.
      return known.requestHash === hash
        ? (known.answer as Either<DomainError, Reply<unknown>>)
        : left(invalidField(HEADER, 'was used with another body; use a new key'));
    }
    const context = { ...identity.context, commandId: known.commandId };
    const result = await next({ ...identity, context }).catch(async (error: unknown) => {
      await store.forget(scope, key);
      throw error;
    });
    const status = isLeft(result) ? ERROR_CATALOGUE[result.left.code].status : bound.endpoint.success.status;
    if (status >= 500 || NOT_REPEATED.has(status)) await store.forget(scope, key);
    else
      await store.complete(
        scope,
        key,
        !isLeft(result) && result.right.isShownOnce === true ? left(KEY_ALREADY_SHOWN) : result,
      );
    return result;
  };

const stillInProgress = (key: string): DomainError =>
  domainError(
    'SERVICE_UNAVAILABLE',
    `The first request with the ${HEADER} ${key} is still under way; send this one again for its answer.`,
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
