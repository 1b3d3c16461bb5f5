import SwaggerParser from '@apidevtools/swagger-parser';
import * as t from 'io-ts';
import { type AnyEndpoint, type EndpointTable } from '../../../../adapters/http/kit/endpoint';
import { type ApiDescription, openApiDocument } from '../../../../adapters/http/kit/openapi-document';
import { fields, text } from '../../../../domain/kernel/codecs';
import { compileSchema } from './compile-schema';
import { Planet, SAMPLE_ENDPOINTS } from './sample-endpoints';

const documentOf = (endpoints: EndpointTable, more: Partial<ApiDescription> = {}): unknown => {
  const api = { title: 'Planets', version: '1.2.3', serverUrl: 'http://planets.example/', basePath: '/api' };
  const about = { description: 'Where they are', tags: {}, parameters: {} };
  return JSON.parse(JSON.stringify(openApiDocument({ ...api, envelope: 'public', endpoints, about, ...more })));
};

/** The document as a client sees it: checked against OpenAPI 3.1, every reference replaced by its target. */
const readByClient = async (endpoints: EndpointTable, more: Partial<ApiDescription> = {}): Promise<unknown> =>
  SwaggerParser.validate(documentOf(endpoints, more) as never);

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value);

const operation = (document: unknown, method: string, path: string, ...keys: readonly string[]): unknown =>
  at(document, 'paths', path, method, ...keys);

const answerSchema = (document: unknown, method: string, path: string, status: string) =>
  compileSchema(
    operation(document, method, path, 'responses', status, 'content', 'application/json', 'schema') as object,
  );

const EARTH = {
  id: 3,
  name: 'Earth',
  kind: 'rocky',
  moon_count: 1,
  orbit: 'inner',
  masses: { total: 5.97 },
  moons: [{ name: 'Moon' }],
};
const META = { request_id: 'r-1' };

const planet = (declaration: Partial<AnyEndpoint>): EndpointTable => ({
  planet: { ...SAMPLE_ENDPOINTS.getPlanet, ...declaration },
});

describe('the description of an API', () => {
  let document: unknown;
  beforeAll(async () => {
    document = await readByClient(SAMPLE_ENDPOINTS);
  });

  test.each(['public', 'internal', 'flat'] as const)('is valid OpenAPI 3.1 for a %s API', async (envelope) => {
    const valid = await readByClient(SAMPLE_ENDPOINTS, { envelope, schemas: { Planet } });
    expect(at(valid, 'info')).toEqual({ title: 'Planets', version: '1.2.3', description: 'Where they are' });
    expect(at(valid, 'servers')).toEqual([{ url: 'http://planets.example/api' }]);
  });

  test('names every operation after its declaration and groups it by the first part of its path', () => {
    expect(operation(document, 'get', '/planets/{id}')).toMatchObject({
      operationId: 'getPlanet',
      summary: 'Read a planet',
      tags: ['planets'],
    });
  });

  test('states which roles may call', () => {
    expect(operation(document, 'get', '/planets/{id}', 'security')).toEqual([]);
    expect(operation(document, 'get', '/planets', 'security')).toEqual([{ apiKey: [] }, { edgeIdentity: [] }]);
    expect(operation(document, 'delete', '/planets/{id}', 'security')).toEqual([
      { apiKey: ['ops'] },
      { edgeIdentity: ['ops'] },
    ]);
    expect(operation(document, 'patch', '/planets/{id}/moons/{moon}', 'security')).toEqual([
      { serviceToken: [], component: ['worker'] },
    ]);
  });

  test('lists only the security schemes that its operations use', async () => {
    const open = await readByClient(planet({}));
    const forUsers = await readByClient(planet({ access: 'admin' }));
    expect(at(open, 'components', 'securitySchemes')).toEqual({});
    expect(Object.keys(at(forUsers, 'components', 'securitySchemes') as object)).toEqual(['apiKey', 'edgeIdentity']);
  });

  test('derives path and query parameters from their codecs', () => {
    expect(operation(document, 'get', '/planets', 'parameters')).toMatchObject([
      { name: 'offset', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } },
      { name: 'star', in: 'query', required: true, schema: { type: 'string', minLength: 1, maxLength: 64 } },
      { name: 'seen_after', in: 'query', required: false, schema: { type: 'string', format: 'date-time' } },
      { name: 'X-Request-ID', in: 'header' },
      { name: 'X-Min-Position', in: 'header' },
    ]);
    expect(operation(document, 'patch', '/planets/{id}/moons/{moon}', 'parameters')).toMatchObject([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
      { name: 'moon', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'X-Request-ID', in: 'header' },
    ]);
  });

  test('describes the body and its size limit', () => {
    const body = operation(document, 'post', '/planets', 'requestBody');
    expect(body).toMatchObject({ required: true, description: 'At most 4096 bytes' });
    const accepts = compileSchema(at(body, 'content', 'application/json', 'schema') as object);
    expect(accepts({ name: 'Earth', year: 'P365D' })).toBe(true);
    expect(accepts({ name: 'Earth', year: null })).toBe(true);
    expect(accepts({ year: 'P365D' })).toBe(false);
    expect(accepts({ name: '  ' })).toBe(false);
  });

  test('describes each success in the shape in which it is sent', () => {
    const list = answerSchema(document, 'get', '/planets', '200');
    expect(list({ data: [EARTH], meta: { ...META, total: 1, offset: 0, limit: 50 } })).toBe(true);
    expect(list({ data: [EARTH], meta: META })).toBe(false);
    const created = answerSchema(document, 'post', '/planets', '201');
    expect(created({ data: EARTH, meta: META })).toBe(true);
    expect(created(EARTH)).toBe(false);
    const flat = answerSchema(document, 'get', '/planets/{id}', '200');
    expect(flat(EARTH)).toBe(true);
    expect(flat({ ...EARTH, kind: 'icy' })).toBe(false);
    expect(operation(document, 'delete', '/planets/{id}', 'responses', '204')).not.toHaveProperty('content');
    const text = answerSchema(document, 'patch', '/planets/{id}/moons/{moon}', '202');
    expect(text({ anything: true })).toBe(true);
    expect(text('{}')).toBe(false);
  });

  test('adds the errors that follow from a declaration to those it names', () => {
    const codesOf = (method: string, path: string): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(operation(document, method, path, 'responses') as object)
          .filter(([status]) => Number(status) >= 400)
          .map(([status, answer]) => [status, at(answer, 'description')]),
      );
    expect(codesOf('get', '/planets/{id}')).toEqual({
      '400': '`VALIDATION_FAILED`: The request is not valid',
      '404': '`RESOURCE_NOT_FOUND`: The resource does not exist',
      '500': '`INTERNAL_ERROR`: Unexpected failure',
      '503': '`SERVICE_UNAVAILABLE`: Temporarily unavailable',
    });
    expect(Object.keys(codesOf('post', '/planets'))).toEqual(['400', '401', '409', '413', '429', '500', '503']);
    expect(codesOf('delete', '/planets/{id}')).toMatchObject({
      '403': '`FORBIDDEN`: The role is insufficient; `PERMISSION_DENIED`: Only the owner, an admin or ops may do this',
    });
    expect(codesOf('patch', '/planets/{id}/moons/{moon}')).toMatchObject({
      '401': '`UNAUTHORIZED`: Missing or invalid identity; `INVALID_COMPONENT`: Unknown component identity',
    });
  });

  test('describes an error as the envelope with the codes of its status', () => {
    const conflict = answerSchema(document, 'post', '/planets', '409');
    const error = { code: 'ALREADY_EXISTS', message: 'There is an Earth.', details: {} };
    expect(conflict({ error, meta: META })).toBe(true);
    expect(conflict({ error: { ...error, code: 'INVALID_STATE' }, meta: META })).toBe(false);
    expect(conflict({ error })).toBe(false);
  });

  test('uses the external code where it differs from the internal one', () => {
    const tooLarge = answerSchema(document, 'post', '/planets', '413');
    expect(tooLarge({ error: { code: 'VALIDATION_FAILED', message: 'Too large.', details: {} }, meta: META })).toBe(
      true,
    );
  });

  test('describes the errors of an endpoint that returns details alone', () => {
    const missing = answerSchema(document, 'patch', '/planets/{id}/moons/{moon}', '404');
    expect(missing({ detail: 'There is no planet 9.' })).toBe(true);
    expect(missing({ error: {} })).toBe(false);
  });

  test('declares event positions and idempotency keys for the control plane only', async () => {
    const pod = await readByClient(SAMPLE_ENDPOINTS, { envelope: 'flat' });
    const headersOf = (api: unknown) =>
      Object.keys(operation(api, 'post', '/planets', 'responses', '201', 'headers') as object);
    expect(headersOf(document)).toEqual(['X-Request-ID', 'X-Event-Position', 'X-Warnings', 'X-Consistency']);
    expect(headersOf(pod)).toEqual(['X-Request-ID', 'X-Warnings']);
    expect(operation(document, 'post', '/planets', 'parameters')).toMatchObject([
      { name: 'X-Request-ID' },
      { name: 'Idempotency-Key' },
    ]);
    expect(operation(pod, 'post', '/planets', 'parameters')).toMatchObject([{ name: 'X-Request-ID' }]);
  });

  test('shows examples, and a generated error body where an example is missing', async () => {
    const examples = [
      { summary: 'The third', as: 'ada', params: { id: 3 }, status: 200, answer: EARTH },
      { summary: 'Too far', as: 'ada', params: { id: 9 }, status: 404, answer: { code: 'RESOURCE_NOT_FOUND' } },
    ];
    const shown = await readByClient(SAMPLE_ENDPOINTS, { examples: { getPlanet: examples } });
    const exampleOf = (status: string) =>
      operation(shown, 'get', '/planets/{id}', 'responses', status, 'content', 'application/json', 'examples');
    expect(exampleOf('200')).toEqual({ 'the-third': { summary: 'The third', value: EARTH } });
    expect(exampleOf('404')).toMatchObject({ 'too-far': { value: { error: { code: 'RESOURCE_NOT_FOUND' } } } });
    expect(exampleOf('500')).toMatchObject({ INTERNAL_ERROR: { value: { error: { code: 'INTERNAL_ERROR' } } } });
    expect(operation(shown, 'get', '/planets/{id}', 'parameters')).toMatchObject([{ name: 'id', example: 3 }, {}, {}]);
  });

  test('describes a named codec once and refers to it', () => {
    const named = documentOf(SAMPLE_ENDPOINTS, { schemas: { Planet } });
    expect(operation(named, 'get', '/planets/{id}', 'responses', '200', 'content', 'application/json')).toEqual({
      schema: { $ref: '#/components/schemas/Planet' },
    });
    expect(at(named, 'components', 'schemas', 'Planet', 'properties', 'name')).toEqual({ type: 'string' });
  });
});

describe('an invalid declaration', () => {
  test('is rejected with the endpoint and the field of a codec without a schema', () => {
    const body = fields({ planets: t.array(t.type({ discovered: t.bigint })) });
    expect(() => documentOf(planet({ body }))).toThrow(/^planet\.body\.planets\[\]\.discovered: the codec bigint/);
  });

  test('is rejected with the endpoint whose path and params disagree', () => {
    expect(() => documentOf(planet({ path: '/planets/{name}' }))).toThrow(/^planet: \/planets\/\{name\}.*"id"/);
  });

  test('is rejected with the endpoint that is declared twice under different names', () => {
    const { getPlanet } = SAMPLE_ENDPOINTS;
    expect(() => documentOf({ getPlanet, readPlanet: getPlanet })).toThrow(/^readPlanet: .*GET \/planets\/\{id\}/);
  });

  test('is rejected with the endpoint whose query is not a codec of fields', () => {
    const query = text({ min: 0, max: 9 });
    expect(() => documentOf(planet({ query }))).toThrow(/^planet\.query: .*not by text/);
  });

  test('is rejected with the endpoint that sends undescribed JSON text', () => {
    const success = { status: 200, shape: 'json_text', body: t.string } as const;
    expect(() => documentOf(planet({ success }))).toThrow(/^planet\.success: .*described/);
  });
});
