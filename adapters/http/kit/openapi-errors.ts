import { type ErrorCode } from '../../../domain/kernel/errors';
import { type AnyEndpoint } from './endpoint';
import { ERROR_CATALOGUE } from './error-catalogue';
import { type JsonSchema } from './json-schema';
import { OPENAPI_ACCESS } from './openapi-access';
import { answerHeaders, type ApiKind, hasPositions, reference, takesIdempotencyKey } from './openapi-components';

/** The error answers of an endpoint by status: the codes it declares and those that follow from its declaration. */
export const openApiErrors = (endpoint: AnyEndpoint, kind: ApiKind): Readonly<Record<string, ErrorAnswer>> => {
  const byStatus = errorCodesByStatus(endpoint, kind);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, errorAnswer(endpoint, kind, codes)]));
};

/** The codes an endpoint can answer with, by their status. */
export const errorCodesByStatus = (endpoint: AnyEndpoint, kind: ApiKind): ReadonlyMap<number, readonly ErrorCode[]> => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...impliedCodes(endpoint, kind), ...endpoint.errors])) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
};

const impliedCodes = (endpoint: AnyEndpoint, kind: ApiKind): readonly ErrorCode[] => {
  const parts = [endpoint.params, endpoint.query, endpoint.body];
  const hasInput = hasPositions(kind) || parts.some((part) => part !== undefined);
  return [
    ...(hasInput ? [endpoint.validationCode ?? 'VALIDATION_FAILED'] : []),
    ...(takesIdempotencyKey(endpoint, kind) ? (['CONFLICT'] as const) : []),
    ...(endpoint.body === undefined ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    ...OPENAPI_ACCESS[endpoint.access].errors,
    ...(endpoint.params === undefined ? [] : (['RESOURCE_NOT_FOUND'] as const)),
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
};

export interface ErrorAnswer {
  readonly description: string;
  readonly headers: JsonSchema;
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}

const errorAnswer = (endpoint: AnyEndpoint, kind: ApiKind, codes: readonly ErrorCode[]): ErrorAnswer => ({
  description: codes.map((code) => `\`${wireCode(code)}\`: ${ERROR_CATALOGUE[code].title}`).join('; '),
  headers: {
    ...answerHeaders(kind),
    ...(codes.some((code) => [429, 503].includes(ERROR_CATALOGUE[code].status))
      ? { 'Retry-After': reference('headers', 'RetryAfter') }
      : {}),
  },
  content: {
    'application/json': {
      schema: errorSchema(endpoint, codes),
    },
  },
});

const errorSchema = ({ detailErrors = [] }: AnyEndpoint, codes: readonly ErrorCode[]): JsonSchema => {
  const enveloped = codes.filter((code) => !detailErrors.includes(code));
  const detail = reference('schemas', 'ErrorDetail');
  if (enveloped.length === 0) return detail;
  return enveloped.length === codes.length ? envelope(codes) : { anyOf: [envelope(enveloped), detail] };
};

const envelope = (codes: readonly ErrorCode[]): JsonSchema => {
  const code = { enum: [...new Set(codes.map(wireCode))] };
  return { allOf: [reference('schemas', 'Error'), { properties: { error: { properties: { code } } } }] };
};

const wireCode = (code: ErrorCode): string => ERROR_CATALOGUE[code].wireCode ?? code;
