import type * as t from 'io-ts';
import { type AnyEndpoint } from './endpoint';
import { type JsonSchema } from './json-schema';
import { type Translate } from './json-schema-of';
import { OPENAPI_ACCESS } from './openapi-access';
import { type ApiKind, reference, takesIdempotencyKey } from './openapi-components';
import { openApiErrors } from './openapi-errors';
import { noMoreEvents, openApiSuccess, orDegraded } from './openapi-success';

/** One operation of a document: everything its declaration says, and what every operation has. */
export const openApiOperation = (
  name: string,
  endpoint: AnyEndpoint,
  kind: ApiKind,
  schemaOf: Translate,
): JsonSchema => ({
  operationId: name,
  summary: endpoint.summary,
  tags: endpoint.path.split('/').filter(Boolean).slice(0, 1),
  security: OPENAPI_ACCESS[endpoint.access].security,
  parameters: [
    ...pathParameters(name, endpoint, schemaOf),
    ...fieldParameters(endpoint.query, `${name}.query`, 'query', schemaOf),
    ...(takesIdempotencyKey(endpoint, kind) ? [reference('parameters', 'IdempotencyKey')] : []),
    ...(endpoint.success.events === undefined ? [] : [reference('parameters', 'LastEventId')]),
    ...(kind === 'public' && endpoint.method === 'GET' ? [reference('parameters', 'MinPosition')] : []),
  ],
  ...(endpoint.body === undefined ? {} : { requestBody: requestBody(name, endpoint, endpoint.body, schemaOf) }),
  responses: {
    [endpoint.success.status]: openApiSuccess(name, endpoint, kind, schemaOf),
    ...noMoreEvents(endpoint, kind),
    ...orDegraded(name, endpoint, schemaOf, openApiErrors(endpoint, kind)),
  },
});

const pathParameters = (name: string, endpoint: AnyEndpoint, schemaOf: Translate): readonly JsonSchema[] => {
  const parameters = fieldParameters(endpoint.params, `${name}.params`, 'path', schemaOf);
  const declared = parameters.map((parameter) => String(parameter['name'])).sort();
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => String(parameter)).sort();
  if (declared.join() !== inPath.join()) {
    throw new Error(`${name}: ${endpoint.path} and its params disagree; params decodes "${declared.join(', ')}".`);
  }
  return parameters;
};

const fieldParameters = (
  codec: t.Mixed | undefined,
  where: string,
  place: 'path' | 'query',
  schemaOf: Translate,
): readonly JsonSchema[] => {
  if (codec === undefined) return [];
  const { properties, required } = schemaOf(codec, where);
  if (!isRecord(properties) || !Array.isArray(required)) {
    throw new Error(`${where}: parameters are described by one codec of named fields, not by ${codec.name}.`);
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }));
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const requestBody = (name: string, endpoint: AnyEndpoint, body: t.Mixed, schemaOf: Translate): JsonSchema => ({
  required: !body.is(undefined),
  ...(endpoint.maxBodyBytes === undefined ? {} : { description: `At most ${endpoint.maxBodyBytes} bytes` }),
  content: { 'application/json': { schema: schemaOf(body, `${name}.body`) } },
});
