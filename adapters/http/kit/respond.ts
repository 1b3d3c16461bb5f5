import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { type RequestHandler, type Response } from 'express';
import { type DomainError } from '../../../domain/kernel/errors';
import { type AnyEndpoint, type BodyPieces, type Reply } from './endpoint';
import { ERROR_CATALOGUE } from './error-catalogue';
import { endAfterRequest } from './limit-body';

/** Sends JSON text, without the content negotiation of Express. */
const sendJson = (response: Response, status: number, text: string): void => {
  writeJsonHead(response, status, text);
  response.end(text);
};

const writeJsonHead = (response: Response, status: number, text: string): void => {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
};

export const sendSuccess = (response: Response, endpoint: AnyEndpoint, reply: Reply<unknown>): void => {
  const { status, degradedStatus = status, shape } = endpoint.success;
  const actual = reply.isDegraded === true ? degradedStatus : status;
  if (shape === 'empty') return void response.status(actual).end();
  if (shape === 'json_text') return sendJson(response, actual, String(reply.body));
  const [before, after] = wrapping(response, endpoint, reply);
  sendJson(response, actual, before + JSON.stringify(reply.body) + after);
};

/** How long a client may stop reading a response that is sent in pieces. */
const STALLED_AFTER_MS = 60_000;

/** The warnings of a response, as a JSON array. */
const WARNINGS_HEADER = 'X-Warnings';
/** Clients limit the length of headers. */
const MAX_WARNINGS = 10;

const headerText = (warnings: readonly string[]): string =>
  JSON.stringify(warnings.slice(0, MAX_WARNINGS)).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Sets the header of the warnings, if there are any. */
export const setWarnings = (response: Response, warnings: readonly string[]): void => {
  if (warnings.length > 0) response.setHeader(WARNINGS_HEADER, headerText(warnings));
};

/**
 * Sends a success as its pieces are read, with back-pressure. If a piece cannot be read, or the client stops reading
 * for too long, the connection is destroyed, so that a partial response is not mistaken for a complete one.
 */
export const sendPieces = async (
  response: Response,
  endpoint: AnyEndpoint,
  reply: Reply<unknown>,
  pieces: BodyPieces,
  stalledAfterMs = STALLED_AFTER_MS,
): Promise<void> => {
  const [before, after] = wrapping(response, endpoint, reply);
  const whole = async function* (): BodyPieces {
    yield before;
    yield* pieces;
    yield after;
  };
  const { mediaType } = reply;
  response.status(endpoint.success.status).type(mediaType ?? 'application/json');
  response.setTimeout(stalledAfterMs, () => {
    const isUnsent = response.writableLength > 0;
    if (isUnsent) response.destroy(new Error(`The client took nothing for ${stalledAfterMs / 1000} s.`));
  });
  try {
    await pipeline(mediaType === undefined ? whole : pieces, response);
  } finally {
    // If the client disconnects before the first piece, the pieces are not read.
    await pieces[Symbol.asyncIterator]().return?.();
  }
};

/** The envelope of a body. */
const wrapping = (
  response: Response,
  { success }: AnyEndpoint,
  { page }: Reply<unknown>,
): readonly [string, string] => {
  const meta = JSON.stringify({ request_id: requestIdOf(response), ...page });
  return success.shape === 'flat' ? ['', ''] : ['{"data":', `,"meta":${meta}}`];
};

/** Value of `Retry-After` for 503. */
const UNAVAILABLE_FOR_SECONDS = '1';

/** Errors outside the endpoints are sent in the envelope. */
export const sendError = (response: Response, error: DomainError, endpoint?: DetailErrors): void => {
  const { status, text } = errorAnswer(response, error, endpoint);
  sendJson(response, status, text);
};

/** The same while the body still arrives: the connection is closed after the response. */
export const sendErrorAndClose = (response: Response, error: DomainError, endpoint?: DetailErrors): void => {
  const { status, text } = errorAnswer(response, error, endpoint);
  response.setHeader('Connection', 'close');
  writeJsonHead(response, status, text);
  response.write(text);
  endAfterRequest(response.req, response);
};

type DetailErrors = Pick<AnyEndpoint, 'detailErrors'>;

/** Sets the headers of an error, and returns its status and body. */
const errorAnswer = (
  response: Response,
  error: DomainError,
  { detailErrors = [] }: DetailErrors = {},
): { readonly status: number; readonly text: string } => {
  const kind = ERROR_CATALOGUE[error.code];
  if (error.details !== undefined && 'retry_after_seconds' in error.details) {
    response.setHeader('Retry-After', String(error.details.retry_after_seconds));
  } else if (kind.status === 503) {
    response.setHeader('Retry-After', UNAVAILABLE_FOR_SECONDS);
  }
  if (kind.status === 401) response.setHeader('WWW-Authenticate', challenge(error));
  const body = detailErrors.includes(error.code)
    ? { detail: error.message }
    : {
        error: { code: kind.wireCode ?? error.code, message: error.message, details: error.details ?? {} },
        meta: { request_id: requestIdOf(response) },
      };
  return { status: kind.status, text: JSON.stringify(body) };
};

/** For errors of a bearer token, not for a missing one. */
const WRONG_TOKEN = /^(api_key|access_token|token)(?!_missing)/;

/** RFC 6750, 3: the header contains the error of the token, limited to valid header characters. */
const challenge = ({ message, details }: DomainError): string => {
  const reason = details !== undefined && 'reason' in details ? details.reason : '';
  if (!WRONG_TOKEN.test(reason)) return 'Bearer realm="rowgraph"';
  const description = message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
  return `Bearer realm="rowgraph", error="invalid_token", error_description="${description}"`;
};

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** Assigns an id to every request, the client's own if it is well formed, and returns it in the response. */
export const requestIdMiddleware: RequestHandler = (request, response, next) => {
  const given = request.get('X-Request-ID');
  const id = given !== undefined && ACCEPTED.test(given) ? given : randomUUID();
  response.locals['requestId'] = id;
  response.setHeader('X-Request-ID', id);
  next();
};

export const requestIdOf = (response: { readonly locals: Record<string, unknown> }): string =>
  String(response.locals['requestId']);
