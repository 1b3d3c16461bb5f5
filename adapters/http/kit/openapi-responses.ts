import { type FieldProps, FieldsType } from '../../../domain/kernel/codecs';
import { type ErrorCode } from '../../../domain/kernel/errors';
import { type AnyEndpoint } from './endpoint';
import { ERROR_CATALOGUE } from './error-catalogue';
import { type JsonSchema, type Translate } from './json-schema-of';
import {
  answerHeaders,
  type ApiKind,
  hasPositions,
  OPENAPI_ACCESS,
  reference,
  takesIdempotencyKey,
} from './openapi-components';
import { answerExamples, type OperationExample } from './openapi-examples';

const DESCRIPTIONS = { 200: 'Done', 201: 'Created', 202: 'Accepted; continues in the background', 204: 'Done' };

const AS_OF_POSITION = {
  'X-As-Of-Position': {
    description: 'With `as_of`: position of the last event that counted',
    schema: { type: 'string', pattern: '^[0-9]{1,19}$' },
  },
};

const EVENTS = 'Server-sent events: `progress` with each new state, `done` with the final one; this is their data';

/** The success response of an endpoint, in the form that `sendSuccess` sends. */
export const openApiSuccess = (
  name: string,
  endpoint: AnyEndpoint,
  kind: ApiKind,
  schemaOf: Translate,
  examples: readonly OperationExample[],
): JsonSchema => {
  const query: unknown = endpoint.query;
  const mayLag = hasPositions(kind) && endpoint.method !== 'GET';
  const answer = {
    description: DESCRIPTIONS[endpoint.success.status],
    headers: {
      ...answerHeaders(kind),
      ...(endpoint.body === undefined ? {} : { 'X-Warnings': reference('headers', 'Warnings') }),
      ...(mayLag ? { 'X-Consistency': reference('headers', 'Consistency') } : {}),
      ...(query instanceof FieldsType && 'as_of' in (query.props as FieldProps) ? AS_OF_POSITION : {}),
    },
  };
  const { status, shape, events, media = {} } = endpoint.success;
  if (shape === 'empty') return answer;
  const schemas: Readonly<Record<string, JsonSchema>> = {
    'application/json': bodySchema(name, endpoint, schemaOf),
    ...(events === undefined
      ? {}
      : { 'text/event-stream': { description: EVENTS, ...schemaOf(events, `${name}.events`) } }),
    ...Object.fromEntries(Object.entries(media).map(([type, description]) => [type, { type: 'string', description }])),
  };
  const shown = answerExamples(endpoint, status, examples);
  const content = Object.entries(schemas).map(([type, schema]) => [type, { schema, ...shown }]);
  return { ...answer, content: Object.fromEntries(content) as JsonSchema };
};

/** The response to a client that reconnects after the final event. */
export const noContentResponse = ({ success }: AnyEndpoint, kind: ApiKind): JsonSchema =>
  success.events === undefined ? {} : { 204: { description: 'No more events', headers: answerHeaders(kind) } };

/** The error responses; that of the `degradedStatus` may also have the success body. */
export const withDegradedBody = (
  name: string,
  endpoint: AnyEndpoint,
  schemaOf: Translate,
  errors: Readonly<Record<string, ErrorAnswer>>,
): JsonSchema => {
  const { degradedStatus } = endpoint.success;
  const error = degradedStatus === undefined ? undefined : errors[degradedStatus];
  if (degradedStatus === undefined || error === undefined) return errors;
  const json = error.content['application/json'];
  const schema = { anyOf: [bodySchema(name, endpoint, schemaOf), json.schema] };
  const description = `The answer names the degraded component. Or ${error.description}`;
  return {
    ...errors,
    [degradedStatus]: { ...error, description, content: { 'application/json': { ...json, schema } } },
  };
};

const bodySchema = (name: string, { success }: AnyEndpoint, schemaOf: Translate): JsonSchema => {
  const body = schemaOf(success.body, `${name}.success`);
  switch (success.shape) {
    case 'data':
      return wrapped(body, 'Meta');
    case 'list':
      return wrapped(body, 'PageMeta');
    case 'pages':
      return wrapped(body, 'CursorMeta');
    case 'json_text':
      if (body['type'] !== 'string') return body;
      throw new Error(`${name}.success: say what the JSON text contains with described(jsonSchemaOf(…), t.string).`);
    case 'flat':
    case 'empty':
      return body;
  }
};

const wrapped = (data: JsonSchema, meta: 'Meta' | 'PageMeta' | 'CursorMeta'): JsonSchema => ({
  type: 'object',
  properties: { data, meta: reference('schemas', meta) },
  required: ['data', 'meta'],
});

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

interface ErrorAnswer {
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
