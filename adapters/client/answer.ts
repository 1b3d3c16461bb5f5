import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { nullable, parseJson } from '../../domain/kernel/codecs';
import { type AnyEndpoint } from '../http/kit';
import { type ConnectionLoss, type RawAnswer } from './transport';

export type ClientFailure =
  | {
      /** An error response: nothing was changed, unless its message reports a change. */
      readonly kind: 'refused';
      readonly status: number;
      /** Code of the error envelope; `HTTP_<status>` for responses without an envelope. */
      readonly code: string;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
      readonly requestId: string | null;
    }
  /** Even after retries. */
  | ConnectionLoss
  /** The response does not match its declaration: another version, or another program. */
  | { readonly kind: 'unreadable'; readonly url: string; readonly status: number; readonly excerpt: string };

export interface Success<O> {
  readonly data: O;
  readonly requestId: string;
  /** For lists only. */
  readonly page: { readonly total: number; readonly offset: number; readonly limit: number } | null;
  /** The cursor of the next page; undefined for other answers than pages. */
  readonly nextCursor?: string | null;
}

const pageFields = { total: t.number, offset: t.number, limit: t.number };
const Page = t.type(pageFields);
const nextCursor = { next_cursor: nullable(t.string) };
const Meta = t.intersection([t.type({ request_id: t.string }), t.partial({ ...pageFields, ...nextCursor })]);
const ErrorEnvelope = t.type({
  error: t.intersection([t.type({ code: t.string, message: t.string }), t.partial({ details: t.UnknownRecord })]),
});
const Detail = t.type({ detail: t.string });

/** Decodes the body of a response with the declaration of its operation, or returns the failure. */
export const readAnswer = (
  endpoint: AnyEndpoint,
  url: string,
  answer: RawAnswer,
): Either<ClientFailure, Success<unknown>> => {
  const { status, text } = answer;
  const { shape, degradedStatus } = endpoint.success;
  const codec: t.Type<unknown> = endpoint.success.body;
  const unreadable = left({ kind: 'unreadable', url, status, excerpt: text.slice(0, 200) } as const);
  const isDegraded = status === degradedStatus && !ErrorEnvelope.is(parseJson(text));
  if (status >= 400 && !isDegraded) return left(refusalOf(answer));
  if (status !== endpoint.success.status && !isDegraded) return unreadable;
  const requestId = headerOf(answer, 'x-request-id') ?? '';
  if (shape === 'empty') return right({ data: undefined, requestId, page: null });
  if (shape === 'json_text') return right({ data: text, requestId, page: null });
  const json = parseJson(text);
  if (shape === 'flat') {
    const flat = codec.decode(json);
    return isLeft(flat) ? unreadable : right({ data: flat.right, requestId, page: null });
  }
  const envelope = t.type({ data: codec, meta: Meta }).decode(json);
  if (isLeft(envelope)) return unreadable;
  const { data, meta } = envelope.right;
  if (shape === 'list' && !Page.is(meta)) return unreadable;
  const success = { data, requestId: meta.request_id, page: Page.is(meta) ? meta : null };
  if (shape !== 'pages') return right(success);
  return meta.next_cursor === undefined ? unreadable : right({ ...success, nextCursor: meta.next_cursor });
};

/** The failure of an error response. */
export const refusalOf = (answer: RawAnswer): ClientFailure => {
  const { status, text } = answer;
  const json = parseJson(text);
  const requestId = headerOf(answer, 'x-request-id');
  const envelope = ErrorEnvelope.decode(json);
  if (!isLeft(envelope)) {
    const { code, message, details = {} } = envelope.right.error;
    return { kind: 'refused', status, code, message, details, requestId };
  }
  const detail = Detail.decode(json);
  const message = isLeft(detail) ? text.slice(0, 200) || `Status ${status} without a message.` : detail.right.detail;
  return { kind: 'refused', status, code: `HTTP_${status}`, message, details: {}, requestId };
};

const headerOf = ({ headers }: RawAnswer, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
};
