import { type ErrorCode } from '../../../domain/kernel/errors';
import { type Access } from './endpoint';
import { type JsonSchema } from './json-schema-of';

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
