import { type IncomingHttpHeaders } from 'node:http';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { type OpenApiDocument } from '../../adapters/http/kit';

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

export interface ApiCheck {
  /**
   * What is wrong with an answer: a status that the description does not name, another content type, a missing header,
   * a body in another shape or with an undocumented field. `path` is below the base path.
   */
  readonly undocumentedIn: (method: string, path: string, answer: ReceivedAnswer) => string | null;
  /** What is wrong with the example of an operation, named by method and template: its body, status or answer. */
  readonly wrongExample: (
    operation: { readonly method: string; readonly path: string },
    example: { readonly status: number; readonly body?: unknown; readonly answer?: unknown },
  ) => string | null;
}

/**
 * Checks answers against an API's description. `closedPart`: rejected as a whole except for its documented operations.
 */
export const apiCheck = (described: OpenApiDocument, closedPart?: string): ApiCheck => {
  // The description as a client reads it, and closed: an undocumented field is an error of the service.
  const document = closed(JSON.parse(JSON.stringify(described))) as Part;
  const operations = operationsOf(document);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, validateFormats: false });
  ajv.addSchema(document, 'api');
  const validators = new Map<string, ValidateFunction>();

  const mismatch = (place: readonly string[], value: unknown): string | null => {
    const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
    validators.set(pointer, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };

  const wrongBody = ({ headers, text }: ReceivedAnswer, place: readonly string[]): string | null => {
    if (headers['content-type']?.startsWith('application/json') !== true) {
      return `the content type is ${headers['content-type']} instead of application/json`;
    }
    const trouble = text === '' ? null : mismatch(place, JSON.parse(text));
    return trouble === null ? null : `the body has another shape: ${trouble}`;
  };

  /** Checks answers to paths and methods without an operation, which are rejected in the same envelope. */
  const wrongBesideOperations = (answer: ReceivedAnswer, status: number): string | null =>
    [400, 401, 429, status].includes(answer.status)
      ? wrongBody(answer, ['components', 'schemas', 'Error'])
      : `the status ${answer.status} is not what an unknown path or method gets (${status}, 401 or 429)`;

  const isRequired = (header: Part): boolean => {
    const name = String(header['$ref']).split('/').at(-1) ?? '';
    const headers = (document['components'] as { readonly headers: Readonly<Record<string, Part>> }).headers;
    return headers[name]?.['required'] === true;
  };

  return {
    undocumentedIn: (method, path, answer) => {
      const known = operations.filter(({ pattern }) => pattern.test(path));
      const wanted = method === 'HEAD' ? 'GET' : method;
      const operation = known.find((candidate) => candidate.method === wanted);
      if (operation === undefined) {
        const isUnknown = known.length === 0 || (closedPart !== undefined && path.startsWith(closedPart));
        return wrongBesideOperations(answer, isUnknown ? 404 : 405);
      }
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
      if (documented['content'] === undefined) {
        return answer.text === '' ? null : 'a body came where none is documented';
      }
      if (method === 'HEAD') return null;
      const place = ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(answer.status)];
      return wrongBody(answer, [...place, ...JSON_SCHEMA]);
    },
    wrongExample: ({ method, path }, { status, body, answer }) => {
      const place = ['paths', path, method.toLowerCase()];
      const wrong = answer === undefined ? null : mismatch([...place, 'responses', String(status), ...JSON_SCHEMA], answer); // prettier-ignore
      if (wrong !== null) return `the answer: ${wrong}`;
      const trouble = body === undefined || status >= 400 ? null : mismatch([...place, 'requestBody', ...JSON_SCHEMA], body); // prettier-ignore
      return trouble === null ? null : `the body: ${trouble}`;
    },
  };
};

const JSON_SCHEMA = ['content', 'application/json', 'schema'];

/** Forbids fields beyond those named. Alternatives that complete each other (`allOf`) stay open. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, part]) => [key, key === 'allOf' ? part : closed(part)] as const);
  const isObject = 'type' in schema && schema.type === 'object' && 'properties' in schema;
  return { ...(isObject ? { additionalProperties: false } : {}), ...Object.fromEntries(parts) };
};

const operationsOf = (document: Part): readonly Operation[] =>
  Object.entries(document['paths'] as Record<string, Record<string, Part>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        responses: operation['responses'] as Operation['responses'],
      })),
    )
    // Literal paths come before paths with parameters.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
