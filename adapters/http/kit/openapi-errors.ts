import { type ErrorCode } from '../../../domain/kernel/errors';
import { type AnyEndpoint } from './endpoint';
import { ERROR_CATALOGUE } from './error-catalogue';
import { type JsonSchema } from './json-schema';
import { OPENAPI_ACCESS } from './openapi-access';
import { answerHeaders, type ApiKind, hasPositions, reference, takesIdempotencyKey } from './openapi-components';
import { answerExamples } from './openapi-examples';
import { type OperationExample } from './operation-example';

/** The error responses of an endpoint by status: its declared and implied codes. */
export const openApiErrors = (
  endpoint: AnyEndpoint,
  kind: ApiKind,
  examples: readonly OperationExample[],
): Readonly<Record<string, ErrorAnswer>> => {
  const codes = [...new Set([...impliedCodes(endpoint, kind), ...endpoint.errors])];
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const those = codes.filter((code) => ERROR_CATALOGUE[code].status === status);
      return [status, errorAnswer(endpoint, kind, status, those, examples)];
    }),
  );
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

const errorAnswer = (
  endpoint: AnyEndpoint,
  kind: ApiKind,
  status: number,
  codes: readonly ErrorCode[],
  examples: readonly OperationExample[],
): ErrorAnswer => ({
  description: codes.map((code) => `\`${wireCode(code)}\`: ${ERROR_CATALOGUE[code].title}`).join('; '),
  headers: {
    ...answerHeaders(kind),
    ...(status === 429 || status === 503 ? { 'Retry-After': reference('headers', 'RetryAfter') } : {}),
  },
  content: {
    'application/json': {
      schema: errorSchema(endpoint, codes),
      ...answerExamples(endpoint, status, examples, codes),
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
