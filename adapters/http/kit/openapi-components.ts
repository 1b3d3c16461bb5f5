import { type ErrorCode } from '../../../domain/kernel/errors';
import { type Access, type AnyEndpoint } from './endpoint';
import { type JsonSchema } from './json-schema-of';

const requestId = { type: 'string', description: 'Id of the request, also in the X-Request-ID header' };

const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Meta: { type: 'object', properties: { request_id: requestId }, required: ['request_id'] },
  PageMeta: {
    type: 'object',
    properties: {
      request_id: requestId,
      total: { type: 'integer', minimum: 0, description: 'Number of items on all pages' },
      offset: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 1 },
    },
    required: ['request_id', 'total', 'offset', 'limit'],
  },
  CursorMeta: {
    type: 'object',
    properties: {
      request_id: requestId,
      next_cursor: { type: ['string', 'null'], description: 'The cursor of the next page; null: this is the last one' },
    },
    required: ['request_id', 'next_cursor'],
  },
  Error: {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: { type: 'string', description: 'Stable code for programs' },
          message: { type: 'string', description: 'Message for users; may change' },
          details: { type: 'object', description: 'Details of the error; the fields depend on the code' },
        },
        required: ['code', 'message', 'details'],
      },
      meta: { $ref: '#/components/schemas/Meta' },
    },
    required: ['error', 'meta'],
  },
  ErrorDetail: { type: 'object', properties: { detail: { type: 'string' } }, required: ['detail'] },
};

const REQUEST_ID = {
  description: 'Id of the request: that of the client if it is valid, otherwise a new one',
  required: true,
  schema: { type: 'string' },
};

const POSITION = { type: 'string', pattern: '^[0-9]{1,19}$' };
const HEADERS: Readonly<Record<string, JsonSchema>> = {
  EventPosition: {
    description: 'Position in the event log that this answer reflects',
    required: true,
    schema: POSITION,
  },
  Consistency: {
    description: '`pending`: the change is stored, but reads may not show it yet',
    schema: { const: 'pending' },
  },
};

const WARNINGS = {
  description: 'Warnings, as a JSON array of texts: among others a field of the body that is unknown and was ignored',
  schema: { type: 'string' },
};

const RETRY_AFTER = { description: 'Seconds to wait before the next attempt', schema: { type: 'integer', minimum: 0 } };

/** Accepted by every operation. Optional parameters have no example, because API pages would send it. */
const REQUEST_ID_PARAMETER = {
  name: 'X-Request-ID',
  in: 'header',
  description: 'Id of the request for logs and support; a value that does not match the pattern is replaced',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
};

const MIN_POSITION = {
  name: 'X-Min-Position',
  in: 'header',
  description: 'Wait until the answer reflects this position, as given by X-Event-Position (503 after 2 s)',
  schema: POSITION,
};

const PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A repeated request with the same key returns the first answer for 24 hours, and waits up to 25 s for it while the first is in progress; another body with the key is rejected',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Id of the last event received; after the final event the answer is 204',
    schema: { type: 'string' },
  },
};

/**
 * `public`: with idempotency keys and event positions. `internal`: with positions alone. `flat`: without, as pods are.
 */
export type ApiKind = 'public' | 'internal' | 'flat';

/** Whether responses have a position, and requests may wait for one. */
export const hasPositions = (kind: ApiKind): boolean => kind !== 'flat';

/** The components of a document that do not depend on the table. */
export const sharedComponents = (kind: ApiKind) => ({
  schemas: SCHEMAS,
  headers: {
    RequestId: REQUEST_ID,
    RetryAfter: RETRY_AFTER,
    Warnings: WARNINGS,
    ...(hasPositions(kind) ? HEADERS : {}),
  },
  parameters: {
    RequestId: REQUEST_ID_PARAMETER,
    ...(kind === 'public' ? PARAMETERS : {}),
    ...(hasPositions(kind) ? { MinPosition: MIN_POSITION } : {}),
  },
});

/** Refers to a shared component. */
export const reference = (section: 'schemas' | 'headers' | 'parameters' | 'examples', name: string): JsonSchema => ({
  $ref: `#/components/${section}/${name}`,
});

/** Whether an operation can be repeated under the same Idempotency-Key. */
export const takesIdempotencyKey = ({ method }: AnyEndpoint, kind: ApiKind): boolean =>
  kind === 'public' && (method === 'POST' || method === 'PUT' || method === 'DELETE');

/** The headers of every response. */
export const answerHeaders = (kind: ApiKind): JsonSchema => ({
  'X-Request-ID': reference('headers', 'RequestId'),
  ...(hasPositions(kind) ? { 'X-Event-Position': reference('headers', 'EventPosition') } : {}),
});

interface AccessDescription {
  /** Alternatives; the lists contain the lowest allowed role. */
  readonly security: readonly JsonSchema[];
  /** The errors of authentication and authorization. */
  readonly errors: readonly ErrorCode[];
}

const users = (roles: readonly string[], errors: readonly ErrorCode[]): AccessDescription => ({
  security: [{ apiKey: roles }, { edgeIdentity: roles }],
  errors: ['UNAUTHORIZED', 'RATE_LIMIT_EXCEEDED', ...errors],
});
const component = (kind: string): AccessDescription => ({
  security: [{ serviceToken: [], component: [kind] }],
  errors: ['UNAUTHORIZED', 'INVALID_COMPONENT', 'RATE_LIMIT_EXCEEDED', 'PERMISSION_DENIED'],
});

/** The security requirements of each kind of access. */
export const OPENAPI_ACCESS: Readonly<Record<Access, AccessDescription>> = {
  anybody: { security: [], errors: [] },
  first_user: { security: [{}, { apiKey: [] }], errors: ['UNAUTHORIZED', 'RATE_LIMIT_EXCEEDED'] },
  user: users([], []),
  admin: users(['admin'], ['FORBIDDEN']),
  ops: users(['ops'], ['FORBIDDEN']),
  worker: component('worker'),
  wrapper: component('wrapper'),
};

const SCHEMES: Readonly<Record<string, JsonSchema>> = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'API key of a user; with OpenID Connect also a token' },
  edgeIdentity: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Username',
    description: 'User name, set by the trusted edge in front of the service',
  },
  serviceToken: { type: 'http', scheme: 'bearer', description: 'Service token of a component' },
  component: { type: 'apiKey', in: 'header', name: 'X-Component', description: '`worker` or `wrapper`' },
};

/** The security schemes of these kinds of access. */
export const securitySchemes = (accesses: readonly Access[]): JsonSchema => {
  const used = new Set(accesses.flatMap((access) => OPENAPI_ACCESS[access].security.flatMap(Object.keys)));
  return Object.fromEntries(Object.entries(SCHEMES).filter(([name]) => used.has(name)));
};
