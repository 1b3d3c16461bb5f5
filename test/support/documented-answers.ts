import { type IncomingHttpHeaders } from 'node:http';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { describePublicApi } from '../../adapters/http/public/describe-public-api';

type Part = Readonly<Record<string, unknown>>;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly responses: Readonly<Record<string, Part>>;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Says what is wrong with an answer of the public API by its own description: a status it does not name, another
 * content type, a header that is missing, a body in another shape or with a field nobody has told of. Null when
 * nothing is, and for whatever is not below /api.
 */
export const undocumentedIn = (method: string, path: string, answer: ReceivedAnswer): string | null => {
  if (
    !path.startsWith('/api/') ||
    path.startsWith('/api/internal/') ||
    path === '/api/openapi.json' ||
    path.startsWith('/api/docs')
  )
    return null;
  const known = operations().filter(({ pattern }) => pattern.test(path));
  const wanted = method === 'HEAD' ? 'GET' : method;
  const operation = known.find((candidate) => candidate.method === wanted);
  if (operation === undefined)
    return wrongBesideOperations(answer, known.length === 0 || path.startsWith(CLOSED_PART) ? 404 : 405);
  const documented = operation.responses[answer.status];
  if (documented === undefined) {
    return `the status ${answer.status} is not documented for ${operation.method} ${operation.path}; known are ${Object.keys(operation.responses).join(', ')}`;
  }
  const missing = Object.entries((documented['headers'] ?? {}) as Record<string, Part>)
    .filter(([name, header]) => isRequired(header) && answer.headers[name.toLowerCase()] === undefined)
    .map(([name]) => name);
  if (missing.length > 0) return `the documented header ${missing.join(', ')} is missing`;
  const type = answer.headers['content-type']?.split(';')[0] ?? '';
  if (type !== 'application/json' && type in ((documented['content'] ?? {}) as Part)) return null;
  if (documented['content'] === undefined) return answer.text === '' ? null : 'a body came where none is documented';
  if (method === 'HEAD') return null;
  const place = ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(answer.status)];
  return wrongBody(answer, [...place, 'content', 'application/json', 'schema']);
};

/** Refused as a whole but for its documented operation. */
const CLOSED_PART = '/api/snapshots';

/** Says what is wrong with the example of an operation by the API's description: its body, status or answer. */
export const wrongExample = (
  { method, path }: { readonly method: string; readonly path: string },
  { status, body, answer }: { readonly status: number; readonly body?: unknown; readonly answer?: unknown },
): string | null => {
  const place = ['paths', path, method.toLowerCase()];
  const schema = ['content', 'application/json', 'schema'];
  if (answer !== undefined) {
    const validate = validatorAt([...place, 'responses', String(status), ...schema]);
    if (!validate(answer)) return `the answer: ${ajv().errorsText(validate.errors)}`;
  }
  if (body === undefined || status >= 400) return null;
  const validate = validatorAt([...place, 'requestBody', ...schema]);
  return validate(body) ? null : `the body: ${ajv().errorsText(validate.errors)}`;
};

/** Paths and methods that no operation has: refused in the same envelope. */
const wrongBesideOperations = (answer: ReceivedAnswer, status: number): string | null =>
  [400, 401, status].includes(answer.status)
    ? wrongBody(answer, ['components', 'schemas', 'Error'])
    : `the status ${answer.status} is not what an unknown path or method gets (${status}, or 401)`;

const wrongBody = ({ headers, text }: ReceivedAnswer, place: readonly string[]): string | null => {
  if (headers['content-type']?.startsWith('application/json') !== true) {
    return `the content type is ${headers['content-type']} instead of application/json`;
  }
  if (text === '') return null;
  const validate = validatorAt(place);
  return validate(JSON.parse(text)) ? null : `the body has another shape: ${ajv().errorsText(validate.errors)}`;
};

const isRequired = (header: Part): boolean => {
  const name = String(header['$ref']).split('/').at(-1) ?? '';
  const headers = (document()['components'] as { readonly headers: Readonly<Record<string, Part>> }).headers;
  return headers[name]?.['required'] === true;
};

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};

const document = once((): Part => {
  const described = describePublicApi({ version: '0.0.0', baseUrl: 'http://localhost' });
  // As a client reads it, and closed: a field that is not documented is a mistake of the service.
  return closed(JSON.parse(JSON.stringify(described))) as Part;
});

/** Forbids fields beyond those named. Alternatives that complete each other (`allOf`) stay open. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, part]) => [key, key === 'allOf' ? part : closed(part)] as const);
  const isObject = 'type' in schema && schema.type === 'object' && 'properties' in schema;
  return { ...(isObject ? { additionalProperties: false } : {}), ...Object.fromEntries(parts) };
};

const operations = once((): readonly Operation[] =>
  Object.entries(document()['paths'] as Record<string, Record<string, Part>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        responses: operation['responses'] as Operation['responses'],
      })),
    )
    // A path in full comes before one with parameters.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length),
);

const ajv = once(() =>
  new Ajv2020({ strict: false, allErrors: true, validateSchema: false, validateFormats: false }).addSchema(
    document(),
    'api',
  ),
);

const validators = new Map<string, ValidateFunction>();
const validatorAt = (place: readonly string[]): ValidateFunction => {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const known = validators.get(pointer);
  if (known !== undefined) return known;
  const compiled = ajv().compile({ $ref: `api#/${pointer}` });
  validators.set(pointer, compiled);
  return compiled;
};
