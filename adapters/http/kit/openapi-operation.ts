import type * as t from 'io-ts';
import { type Access, type AnyEndpoint } from './endpoint';
import { type JsonSchema, type Translate } from './json-schema-of';
import { type ApiKind, hasPositions, OPENAPI_ACCESS, reference, takesIdempotencyKey } from './openapi-components';
import { type OperationExample, parameterExample, requestExamples } from './openapi-examples';
import { noContentResponse, openApiErrors, openApiSuccess, withDegradedBody } from './openapi-responses';

/** The inputs of the description of an operation besides its declaration. */
export interface OperationParts {
  readonly schemaOf: Translate;
  readonly examples: readonly OperationExample[];
  /** Descriptions of parameters, by name. */
  readonly parameterDescriptions: Readonly<Record<string, string>>;
}

/** One operation of a document, from its declaration and the common parts. */
export const openApiOperation = (
  name: string,
  endpoint: AnyEndpoint,
  kind: ApiKind,
  { schemaOf, examples, parameterDescriptions }: OperationParts,
): JsonSchema => ({
  operationId: name,
  summary: endpoint.summary,
  description: describe(endpoint, kind),
  tags: [tagOf(endpoint)],
  security: OPENAPI_ACCESS[endpoint.access].security,
  parameters: [
    ...[
      ...pathParameters(name, endpoint, schemaOf),
      ...fieldParameters(endpoint.query, `${name}.query`, 'query', schemaOf),
    ].map(({ name, in: place, ...rest }) => ({
      name,
      in: place,
      ...(name in parameterDescriptions ? { description: parameterDescriptions[name] } : {}),
      ...rest,
      ...parameterExample(name, place, examples),
    })),
    reference('parameters', 'RequestId'),
    ...(takesIdempotencyKey(endpoint, kind) ? [reference('parameters', 'IdempotencyKey')] : []),
    ...(endpoint.success.events === undefined ? [] : [reference('parameters', 'LastEventId')]),
    ...(hasPositions(kind) && endpoint.method === 'GET' ? [reference('parameters', 'MinPosition')] : []),
  ],
  ...(endpoint.body === undefined
    ? {}
    : { requestBody: requestBody(name, endpoint, endpoint.body, schemaOf, examples) }),
  responses: {
    [endpoint.success.status]: openApiSuccess(name, endpoint, kind, schemaOf, examples),
    ...noContentResponse(endpoint, kind),
    ...withDegradedBody(name, endpoint, schemaOf, openApiErrors(endpoint, kind, examples)),
  },
});

/** Operations are grouped by the first part of their path. */
export const tagOf = ({ path }: AnyEndpoint): string => path.split('/').find(Boolean) ?? 'root';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: unknown;
}

const WHO_MAY: Readonly<Record<Access, string>> = {
  anybody: 'Requires no identity.',
  first_user:
    'Requires no identity; with OpenID Connect a valid token, with a trusted edge `X-Edge-Token`, and beyond this machine or with API keys `X-Bootstrap-Token`.',
  user: 'For every active user.',
  admin: 'For the roles admin and ops.',
  ops: 'For the role ops.',
  worker: 'For export workers.',
  wrapper: 'For the pod of the instance.',
};

const describe = ({ access, createsResource, errors }: AnyEndpoint, kind: ApiKind): string =>
  [
    WHO_MAY[access],
    ...(kind === 'public' && errors.includes('PERMISSION_DENIED')
      ? ['Analysts may do this to their own resources only.']
      : []),
    ...(createsResource === true ? ['503 while the system is in maintenance.'] : []),
  ].join(' ');

const pathParameters = (name: string, endpoint: AnyEndpoint, schemaOf: Translate): readonly Parameter[] => {
  const parameters = fieldParameters(endpoint.params, `${name}.params`, 'path', schemaOf);
  const declared = parameters.map((parameter) => parameter.name).sort();
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
): readonly Parameter[] => {
  if (codec === undefined) return [];
  const { properties, required } = schemaOf(codec, where);
  if (typeof properties !== 'object' || properties === null || !Array.isArray(required)) {
    throw new Error(`${where}: parameters are described by one codec of named fields, not by ${codec.name}.`);
  }
  return Object.entries(properties).map(([name, schema]: [string, unknown]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }));
};

const requestBody = (
  name: string,
  endpoint: AnyEndpoint,
  body: t.Mixed,
  schemaOf: Translate,
  examples: readonly OperationExample[],
): JsonSchema => ({
  required: !body.is(undefined),
  ...(endpoint.maxBodyBytes === undefined ? {} : { description: `At most ${endpoint.maxBodyBytes} bytes` }),
  content: { 'application/json': { schema: schemaOf(body, `${name}.body`), ...requestExamples(examples) } },
});
