import { type AnyEndpoint } from './endpoint';
import { type JsonSchema } from './json-schema';
import { type Translate } from './json-schema-of';
import { answerHeaders, type ApiKind, hasPositions, reference } from './openapi-components';
import { type ErrorAnswer } from './openapi-errors';

const DESCRIPTIONS = { 200: 'Done', 201: 'Created', 202: 'Accepted; continues in the background', 204: 'Done' };

/** The success answer of an endpoint, in the shape in which `sendSuccess` sends it. */
export const openApiSuccess = (name: string, endpoint: AnyEndpoint, kind: ApiKind, schemaOf: Translate): JsonSchema => {
  const mayLag = hasPositions(kind) && endpoint.method !== 'GET';
  const answer = {
    description: DESCRIPTIONS[endpoint.success.status],
    headers: {
      ...answerHeaders(kind),
      ...(mayLag ? { 'X-Consistency': reference('headers', 'Consistency') } : {}),
    },
  };
  return endpoint.success.shape === 'empty'
    ? answer
    : {
        ...answer,
        content: {
          'application/json': { schema: bodySchema(name, endpoint, schemaOf) },
          ...events(name, endpoint, schemaOf),
          ...otherMedia(endpoint),
        },
      };
};

const events = (name: string, { success }: AnyEndpoint, schemaOf: Translate): JsonSchema => {
  if (success.events === undefined) return {};
  const description =
    'Server-sent events: `progress` with each new state, `done` with the final one; this is their data';
  const schema = { description, ...schemaOf(success.events, `${name}.events`) };
  return { 'text/event-stream': { schema } };
};

const otherMedia = ({ success: { media = {} } }: AnyEndpoint): JsonSchema =>
  Object.fromEntries(
    Object.entries(media).map(([type, description]) => [type, { schema: { type: 'string', description } }]),
  );

/** The answer to a client that comes back for events when there are no more. */
export const noMoreEvents = ({ success }: AnyEndpoint, kind: ApiKind): JsonSchema =>
  success.events === undefined ? {} : { 204: { description: 'No more events', headers: answerHeaders(kind) } };

/** The error answers, where that of the `degradedStatus` may also be the success body. */
export const orDegraded = (
  name: string,
  endpoint: AnyEndpoint,
  schemaOf: Translate,
  errors: Readonly<Record<string, ErrorAnswer>>,
): JsonSchema => {
  const { degradedStatus } = endpoint.success;
  const error = degradedStatus === undefined ? undefined : errors[degradedStatus];
  if (degradedStatus === undefined || error === undefined) return errors;
  const schema = { anyOf: [bodySchema(name, endpoint, schemaOf), error.content['application/json'].schema] };
  const description = `The answer names the degraded component. Or ${error.description}`;
  return { ...errors, [degradedStatus]: { ...error, description, content: { 'application/json': { schema } } } };
};

const bodySchema = (name: string, { success }: AnyEndpoint, schemaOf: Translate): JsonSchema => {
  const body = schemaOf(success.body, `${name}.success`);
  switch (success.shape) {
    case 'data':
      return wrapped(body, 'Meta');
    case 'list':
      return wrapped(body, 'PageMeta');
    case 'json_text':
      if (body['type'] !== 'string') return body;
      throw new Error(`${name}.success: say what the JSON text contains with described(jsonSchemaOf(…), t.string).`);
    case 'flat':
    case 'empty':
      return body;
  }
};

const wrapped = (data: JsonSchema, meta: 'Meta' | 'PageMeta'): JsonSchema => ({
  type: 'object',
  properties: { data, meta: reference('schemas', meta) },
  required: ['data', 'meta'],
});
