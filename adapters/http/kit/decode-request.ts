import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import {
  type FieldError,
  fieldErrors,
  type FieldProps,
  FieldsType,
  type UnknownField,
  unknownFields,
} from '../../../domain/kernel/codecs';
import { type DomainError, domainError, notFound } from '../../../domain/kernel/errors';
import { type AnyEndpoint } from './endpoint';

/** The parts of a request for a handler, decoded by the endpoint's codecs. */
export interface DecodedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Decodes body and query first, the path last, so that an invalid body is reported before a missing resource. */
export const decodeRequest = (endpoint: AnyEndpoint, request: Request): Either<DomainError, DecodedRequest> => {
  const query = decodeQuery(endpoint, request.query);
  if (isLeft(query)) return left(validationFailed(query.left));
  if (endpoint.body !== undefined && request.is('application/json') === false) {
    return left(domainError('VALIDATION_FAILED', 'The body must be JSON: send Content-Type: application/json.'));
  }
  const body = decodePart(endpoint.body, request.body);
  if (isLeft(body)) return left(validationFailed(body.left));
  const params = decodePart(endpoint.params, request.params);
  if (isLeft(params)) return left(notFound(endpoint.resource ?? 'resource', Object.values(request.params).join('/')));
  return right({ params: params.right, query: query.right, body: body.right });
};

/** The fields of a body that its codec drops. */
const ignoredFields = ({ body }: AnyEndpoint, raw: unknown): readonly UnknownField[] =>
  body === undefined ? [] : unknownFields(body as t.Mixed, raw);

/** A warning for each field of a body that is ignored. */
export const ignoredFieldWarnings = (endpoint: AnyEndpoint, raw: unknown): readonly string[] =>
  ignoredFields(endpoint, raw).map(({ field, meant, known }) => {
    const hint = meant === null ? `valid fields: ${known.join(', ')}` : `did you mean ${meant}?`;
    return `${field} is not a field of this request and was ignored; ${hint}`;
  });

/** The error of a request, with the misspelt fields of its body, which may be its cause. */
export const withMisspeltFields = (error: DomainError, endpoint: AnyEndpoint, raw: unknown): DomainError => {
  const hints = ignoredFields(endpoint, raw).flatMap(({ field, meant }) =>
    meant === null ? [] : ` ${field} is not a field of this request; did you mean ${meant}?`,
  );
  return { ...error, message: error.message + hints.join('') };
};

/** Unknown parameters are errors, so that a misspelt one is not ignored. */
const decodeQuery = (
  { query }: AnyEndpoint,
  raw: Readonly<Record<string, unknown>>,
): Either<readonly FieldError[], unknown> => {
  const known = query instanceof FieldsType ? Object.keys(query.props as FieldProps) : [];
  const allowed = known.length === 0 ? 'none' : known.join(', ');
  const unknownParameters = Object.keys(raw)
    .filter((name) => !known.includes(name))
    .map((name) => ({ field: name.slice(0, 100), message: `is an unknown query parameter; allowed: ${allowed}` }));
  const decoded = decodePart(query, raw);
  return unknownParameters.length === 0
    ? decoded
    : left([...unknownParameters, ...(isLeft(decoded) ? decoded.left : [])]);
};

const decodePart = (
  codec: t.Type<unknown, unknown> | undefined,
  raw: unknown,
): Either<readonly FieldError[], unknown> => {
  if (codec === undefined) return right({});
  const decoded = codec.decode(raw);
  return isLeft(decoded) ? left(fieldErrors(decoded.left)) : decoded;
};

/** The error of a request with invalid fields. */
export const validationFailed = (errors: readonly FieldError[]): DomainError => {
  const named = errors.map(({ field, message }) => ({ field: field === '' ? 'body' : field, message }));
  const [first] = named;
  const message = named.map(({ field, message }) => `${field} ${message}`).join('; ') + '.';
  return domainError('VALIDATION_FAILED', message, {
    ...(named.length === 1 && first !== undefined ? { field: first.field } : {}),
    errors: named,
  });
};

/** Converts an error to the style of its endpoint: its error code, and fields mapped to messages. */
export const toEndpointError = (endpoint: AnyEndpoint, refusal: DomainError): DomainError => {
  if (refusal.code !== 'VALIDATION_FAILED') return refusal;
  const { details } = refusal;
  const errors = details !== undefined && 'errors' in details ? details.errors : [];
  const isUnprocessable = errors.some(({ field }) => endpoint.unprocessableFields?.includes(field) === true);
  const code = isUnprocessable ? 'UNPROCESSABLE' : (endpoint.validationCode ?? refusal.code);
  if (endpoint.validationDetails !== 'map' || details === undefined || errors.length === 0) return { ...refusal, code };
  const map = Object.fromEntries(errors.map(({ field, message }) => [field, message]));
  return { ...refusal, code, details: { ...map, ...details } };
};
