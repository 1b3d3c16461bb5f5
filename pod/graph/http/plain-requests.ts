import { type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import helmet from 'helmet';
import { type Logger } from 'pino';
import { type BoundEndpoint, giveRequestId, type JsonResponse, sendError, sendJson } from '../../../adapters/http/kit';
import { domainError } from '../../../domain/kernel/errors';

export interface PlainRequestParts {
  /** Operations of anybody that POST a body and answer JSON text. */
  readonly operations: readonly BoundEndpoint<string>[];
  /** What stands before their paths. */
  readonly bases: readonly string[];
  readonly isOpen: () => boolean;
  /** Serves everything else. */
  readonly otherwise: RequestListener;
  readonly log: Logger;
}

/**
 * Serves operations without Express, which costs a lookup more processor time than all else in the pod. It takes only
 * requests with nothing to refuse about them: valid JSON of a known length that has come as a whole. Every other goes on
 * as it came, so that all refusals are made in one place.
 */
export const plainRequestsFirst = (parts: PlainRequestParts): RequestListener => {
  const { operations, bases, isOpen, otherwise, log } = parts;
  const byPath = new Map(
    operations.flatMap((operation) => bases.map((base) => [base + operation.endpoint.path, operation] as const)),
  );
  const secure = helmet();

  const answer = async (
    { endpoint, handle }: BoundEndpoint<string>,
    body: unknown,
    request: IncomingMessage,
    response: JsonResponse,
  ): Promise<void> => {
    secure(request, response, () => undefined);
    const requestId = giveRequestId(request, response);
    try {
      const result = await handle({ ...BODY_ONLY, body, requestId });
      if (isLeft(result)) return sendError(response, result.left, endpoint);
      sendJson(response, endpoint.success.status, String(result.right.body));
    } catch (error) {
      log.error({ err: error, requestId, path: request.url }, 'bug');
      sendError(response, domainError('INTERNAL_ERROR', 'Something unexpected went wrong; tell us the request id.'));
    }
  };

  return (request, response) => {
    const operation = request.method === 'POST' ? byPath.get(request.url ?? '') : undefined;
    const most = operation?.endpoint.maxBodyBytes ?? 0;
    if (operation === undefined || !isOpen() || !isPlainJson(request.headers, most)) {
      return otherwise(request, response);
    }
    request.once('readable', () => {
      const chunk = request.read() as Buffer | null;
      const isWhole = chunk?.length === Number(request.headers['content-length']);
      const decoded = operation.endpoint.body?.decode(isWhole ? parsed(chunk) : undefined);
      if (decoded !== undefined && !isLeft(decoded)) {
        return void answer(operation, decoded.right, request, Object.assign(response, { locals: {} }));
      }
      if (chunk !== null) request.unshift(chunk);
      otherwise(request, response);
    });
  };
};

const BODY_ONLY = {
  params: {},
  query: {},
  identity: '',
  idempotencyKey: null,
  wantsEvents: false,
  header: () => undefined,
};

const isPlainJson = (headers: IncomingHttpHeaders, mostBytes: number): boolean => {
  const length = Number(headers['content-length']);
  return (
    length > 0 &&
    length <= mostBytes &&
    headers['content-encoding'] === undefined &&
    /^application\/json(?:; ?charset=utf-8)?$/i.test(headers['content-type'] ?? '')
  );
};

/** Undefined when it is no JSON. */
const parsed = (json: Buffer): unknown => {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
};
