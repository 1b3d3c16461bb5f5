import { type ErrorCode } from '../../../domain/kernel/errors';
import { type AnyEndpoint, type Reply } from './endpoint';
import { ERROR_CATALOGUE } from './error-catalogue';
import { ERROR_EXAMPLES } from './error-examples';
import { type JsonSchema } from './json-schema-of';
import { reference } from './openapi-components';

/** A request and its recorded response, shown in the API description and replayed by the tests. */
export interface OperationExample extends RecordedAnswer {
  /** Short description of the request and its result. */
  readonly summary: string;
  /** The caller; null: without identity. */
  readonly as: string | null;
  readonly params?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  /** Status of the response. */
  readonly status: number;
}

/** The recorded response to an example. */
export interface RecordedAnswer {
  /** The content of the envelope: `data` of a success, `error` of an error; without an envelope, the body. */
  readonly answer?: unknown;
  /** Only of lists and pages. */
  readonly page?: Reply<unknown>['page'] | undefined;
}

/** By the name of their endpoint. */
export type OperationExamples = Readonly<Record<string, readonly OperationExample[]>>;

const META = { request_id: '0192f7c4-6d1e-7a35-9c1b-2f0e9d3b7a54' };

/** The bodies of the examples for the media type of a request; empty without examples. */
export const requestExamples = (examples: readonly OperationExample[]): JsonSchema =>
  named(examples.filter(({ body }) => body !== undefined).map(({ summary, body }) => [summary, body]));

/** The value of a parameter in the first example that has it. */
export const parameterExample = (
  name: string,
  place: 'path' | 'query',
  examples: readonly OperationExample[],
): JsonSchema => {
  const values = examples
    .filter(({ status }) => status < 400)
    .map(({ params, query }) => (place === 'path' ? params : query)?.[name]);
  const value = values.find((one) => one !== undefined);
  return value === undefined ? {} : { example: value };
};

/** Examples of a response: those of the endpoint, or else generic examples of its error codes. */
export const answerExamples = (
  endpoint: AnyEndpoint,
  status: number,
  examples: readonly OperationExample[],
  codes: readonly ErrorCode[] = [],
): JsonSchema => {
  const own = examples.filter((example) => example.status === status);
  if (own.length > 0) return named(own.map((example) => [example.summary, answerBody(endpoint, example)]));
  const known = codes.filter((code) => ERROR_EXAMPLES.has(code) && endpoint.detailErrors?.includes(code) !== true);
  if (known.length === 0) return {};
  return { examples: Object.fromEntries(known.map((code) => [code, reference('examples', code)])) };
};

/** The body of a response on the wire. */
export const answerBody = ({ success }: AnyEndpoint, { status, answer, page }: OperationExample): unknown => {
  if (status >= 400) return { error: answer, meta: META };
  return ['data', 'list', 'pages'].includes(success.shape) ? { data: answer, meta: { ...META, ...page } } : answer;
};

/** Reusable examples of each error code. */
export const errorExampleComponents: JsonSchema = Object.fromEntries(
  [...ERROR_EXAMPLES].map(([code, { message, details = {} }]) => {
    const { title, wireCode = code } = ERROR_CATALOGUE[code];
    return [code, { summary: title, value: { error: { code: wireCode, message, details }, meta: META } }];
  }),
);

const named = (values: readonly (readonly [summary: string, value: unknown])[]): JsonSchema => {
  if (values.length === 0) return {};
  const examples = values.map(([summary, value]) => [
    summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    { summary, value },
  ]);
  return { examples: Object.fromEntries(examples) as JsonSchema };
};
