import fc, { type Arbitrary } from 'fast-check';
import { describePublicApi } from '../../adapters/http/public/describe-public-api';
import { publicExamples } from '../../adapters/http/public/public-examples';
import { type SendOptions } from '../support/api-client';
import { wrongExample } from '../support/documented-answers';
import { type Schema, valuesOf } from './schema-values';

export interface RandomRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly options: SendOptions;
  /** What was damaged. */
  readonly damage: string;
  /** The required status; null: any status but a failure of the service. */
  readonly status: number | null;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly takesLargeBody: boolean;
}

const ONE_MIB = 'x'.repeat(1024 * 1024);

const operations = (): readonly Operation[] => {
  const document = JSON.parse(JSON.stringify(describePublicApi({ version: '0', baseUrl: '' }))) as {
    readonly paths: Record<string, Record<string, Schema>>;
  };
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const requestBody = operation['requestBody'] as
        { readonly description?: string; readonly content: Record<string, { readonly schema: Schema }> } | undefined;
      return {
        name: String(operation['operationId']),
        method: method.toUpperCase(),
        template,
        parameters: (operation['parameters'] as readonly Parameter[]).filter((parameter) => 'name' in parameter),
        body: requestBody?.content['application/json']?.schema ?? null,
        takesLargeBody: requestBody?.description !== undefined,
      };
    }),
  );
};

/** For each operation, requests with the status they must get, most of them damaged in one way. */
export const randomRequests = (): readonly Arbitrary<RandomRequest>[] => operations().map(requestsOf);

const requestsOf = (operation: Operation): Arbitrary<RandomRequest> =>
  soundRequest(operation).chain((sound) => fc.oneof(...damagesOf(operation).map((damage) => damage(sound))));

interface SoundRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

type Damage = (sound: SoundRequest) => Arbitrary<RandomRequest>;

const soundRequest = ({ name, parameters, body }: Operation): Arbitrary<SoundRequest> => {
  const params = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const shown = (publicExamples[name] ?? []).filter(({ status }) => status < 300).map((example) => example.body);
  return fc.record({
    params: fc.record(Object.fromEntries(params.map((parameter) => [parameter.name, pathValues(parameter)]))),
    query: fc.record(Object.fromEntries(query.map(({ name: key, schema }) => [key, valuesOf(schema)])), {
      requiredKeys: query.filter(({ required }) => required).map((parameter) => parameter.name),
    }),
    body:
      body === null ? fc.constant(undefined) : fc.oneof(...shown.map((value) => fc.constant(value)), valuesOf(body)),
  });
};

const pathValues = ({ name, schema }: Parameter): Arbitrary<unknown> => {
  if (name === 'username') return fc.constantFrom('ada', 'bob', 'nobody', 'ünknown', 'a/b', '%');
  if (schema['type'] === 'integer') return fc.constantFrom(1, 2, 3, 404_404);
  return valuesOf(schema);
};

const requestOf = (
  { name, method, template }: Operation,
  { params, query, body }: SoundRequest,
  damage: string,
  status: number | null,
  headers: SendOptions['headers'] = {},
): RandomRequest => {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])));
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
  const options = { ...(body === undefined ? {} : { body: harmless(name, body) }), headers };
  return { name, method, path: `/api${filled}${search === '' ? '' : `?${search}`}`, options, damage, status };
};

/** A request must not lock out the others, so maintenance never starts. */
const harmless = (name: string, body: unknown): unknown =>
  name === 'setMaintenanceConfig' && isObject(body) && body['enabled'] === true ? { ...body, enabled: false } : body;

const damagesOf = (operation: Operation): readonly Damage[] => {
  const { method, parameters, body, takesLargeBody } = operation;
  const hasIds = parameters.some((parameter) => parameter.in === 'path' && parameter.name === 'id');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const isRead = method === 'GET';
  const plain = (damage: string, status: number | null, headers: Arbitrary<SendOptions['headers']>): Damage => {
    return (sound) => headers.map((given) => requestOf(operation, sound, damage, status, given));
  };
  return [
    (sound) => fc.constant(requestOf(operation, sound, 'nothing', null)),
    plain('odd headers', null, oddHeaders),
    ...(isRead ? [] : [plain('bad idempotency key', body === null ? null : 400, badKeys)]),
    ...(hasIds ? [badId(operation)] : []),
    ...inQuery.map((parameter) => badParameter(operation, parameter)),
    (sound) =>
      fc
        .constantFrom('colour', 'Limit', '__proto__', 'limit[]', '')
        .map((name) =>
          requestOf(operation, { ...sound, query: { ...sound.query, [name]: 'x' } }, `a parameter ${name}`, 400),
        ),
    ...(body === null
      ? []
      : [
          damagedBody(operation),
          damagedBody(operation),
          oddFields(operation),
          plain(
            'wrong content type',
            400,
            fc.constantFrom('text/plain', 'application/xml', 'multipart/form-data').map(typed),
          ),
          ((sound) =>
            brokenJson.map((text) => requestOf(operation, { ...sound, body: text }, 'broken JSON', 400))) as Damage,
          ...(takesLargeBody
            ? []
            : [
                ((sound) =>
                  fc.constant(requestOf(operation, { ...sound, body: { name: ONE_MIB } }, 'huge body', 413))) as Damage,
              ]),
        ]),
  ];
};

const typed = (type: string) => ({ 'Content-Type': type });
const brokenJson = fc.constantFrom(
  '{"name": ',
  '{',
  '[1,',
  '{"a":1}}',
  "{'a':1}",
  '\u0000',
  'null',
  '7',
  '"text"',
  '{"a":NaN}',
);
const badKeys = fc.constantFrom('with space', 'k'.repeat(256), 'schlüssel').map((key) => ({ 'Idempotency-Key': key }));
const oddHeaders = fc.constantFrom<SendOptions['headers']>(
  { 'X-Request-ID': 'a b' },
  { 'X-Request-ID': 'x'.repeat(500) },
  { 'X-User-Role': 'admin', 'X-Forwarded-For': '\u00ff' },
  { Accept: 'text/html', 'Accept-Encoding': 'br;q=x' },
  { Cookie: '='.repeat(2000), Range: 'bytes=0-' },
  { 'X-Constructor': '__proto__', 'If-None-Match': '*' },
);

const badId =
  (operation: Operation): Damage =>
  (sound) =>
    fc
      .constantFrom('0', '01', '-1', '+1', '1.0', '1e3', 'x', '９', 'null', '9007199254740993', '1 ', "1'", '\u0000')
      .map((id) => {
        const params = Object.fromEntries(Object.keys(sound.params).map((name) => [name, name === 'id' ? id : 1]));
        const example = (publicExamples[operation.name] ?? []).find(({ status }) => status < 300);
        return requestOf(operation, { ...sound, params, body: example?.body }, `the id ${id}`, 404);
      });

const badParameter =
  (operation: Operation, { name, schema, required }: Parameter): Damage =>
  (sound) => {
    const isText = schema['type'] === 'string' && !('enum' in schema) && !('format' in schema);
    const values = isText
      ? fc.constantFrom('x'.repeat(1001), '\u0000')
      : fc.constantFrom('', 'zzz', '1.5', '-1', '0x1', '１', '99999999999999999999', '2026-02-30T00:00:00Z');
    const query = values.map((value): Record<string, unknown> => ({ ...sound.query, [name]: value }));
    const missing = fc.constant(Object.fromEntries(Object.entries(sound.query).filter(([key]) => key !== name)));
    return (required ? fc.oneof(query, missing) : query).map((damaged) =>
      requestOf(operation, { ...sound, query: damaged }, `the parameter ${name}`, 400),
    );
  };

/** Replaces or removes one field, so that the body no longer matches the API description. */
const damagedBody =
  (operation: Operation): Damage =>
  ({ body, ...sound }) => {
    const places = isObject(body) ? placesIn(body) : [];
    if (places.length === 0) return fc.constant(requestOf(operation, { ...sound, body: [] }, 'a list as body', 400));
    return fc
      .tuple(
        fc.constantFrom(...places),
        fc.constantFrom<unknown>(
          undefined,
          null,
          1.5,
          -1,
          true,
          'zzz',
          '',
          [],
          [[]],
          {},
          'x'.repeat(100_001),
          'a\u0000b',
        ),
      )
      .map(([place, value]) => {
        const damaged = replaced(body, place, value);
        const status = operation.name === 'deleteInBulk' ? null : 400;
        const target = { method: operation.method, path: operation.template };
        const isWrong = wrongExample(target, { status: 200, body: damaged ?? {} }) !== null;
        const what = `the field ${place.join('.')} as ${value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 40)}`;
        return requestOf(operation, { ...sound, body: damaged }, what, isWrong ? status : null);
      });
  };

/** Unknown fields, some with names that have a meaning in JavaScript. */
const oddFields =
  (operation: Operation): Damage =>
  ({ body, ...sound }) =>
    fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'owner_username', '').map((field) => {
      const more = `${JSON.stringify(field)}:{"polluted":true}`;
      const rest = JSON.stringify(isObject(body) ? harmless(operation.name, body) : {}).slice(1);
      const text = `{${more}${rest === '}' ? '' : ','}${rest}`;
      return requestOf(operation, { ...sound, body: text }, `the odd field ${field}`, null);
    });

type Place = readonly string[];
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const placesIn = (value: unknown, depth = 3): readonly Place[] =>
  depth === 0 || typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, part]) => [
        [key],
        ...placesIn(part, depth - 1).map((rest) => [key, ...rest]),
      ]);

const replaced = (whole: unknown, [key, ...rest]: Place, value: unknown): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(whole))
    return whole.map((part: unknown, index) => (String(index) === key ? (replaced(part, rest, value) ?? null) : part));
  if (!isObject(whole)) return whole;
  const part = replaced(whole[key], rest, value);
  return part === undefined
    ? Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key))
    : { ...whole, [key]: part };
};
