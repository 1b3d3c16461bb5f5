import { type ErrorCode } from '../../../domain/kernel/errors';
import { type AnyEndpoint } from './endpoint';
import { ERROR_CATALOGUE } from './error-catalogue';
import { ERROR_EXAMPLES } from './error-examples';
import { type JsonSchema } from './json-schema';
import { type ApiKind, reference } from './openapi-components';
import { errorCodesByStatus } from './openapi-errors';
import { type OperationExample } from './operation-example';

const META = { request_id: '0192f7c4-6d1e-7a35-9c1b-2f0e9d3b7a54' };

/** The bodies of the examples, as an addition to the media type of a request; nothing when there are none. */
export const requestExamples = (examples: readonly OperationExample[]): JsonSchema =>
  named(examples.filter(({ body }) => body !== undefined).map(({ summary, body }) => [summary, body]));

/** Values of a parameter: those of the first example that has it. */
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

/** The answers with examples: those of the endpoint, and for errors it has none of, what such an error looks like. */
export const withAnswerExamples = (
  responses: JsonSchema,
  endpoint: AnyEndpoint,
  kind: ApiKind,
  examples: readonly OperationExample[],
): JsonSchema => {
  const codes = errorCodesByStatus(endpoint, kind);
  return Object.fromEntries(
    Object.entries(responses).map(([status, answer]) => {
      const own = examples.filter((example) => String(example.status) === status);
      const shown = named(own.map((example) => [example.summary, answerBody(endpoint, example)]));
      return [status, withExamples(answer, own.length > 0 ? shown : usual(endpoint, codes.get(Number(status)) ?? []))];
    }),
  );
};

/** The body of an answer as it goes over the wire. */
export const answerBody = ({ success }: AnyEndpoint, { status, answer, page }: OperationExample): unknown => {
  if (status >= 400) return { error: answer, meta: META };
  return success.shape === 'data' || success.shape === 'list' ? { data: answer, meta: { ...META, ...page } } : answer;
};

/** How errors of each code look, to refer to. */
export const errorExampleComponents: JsonSchema = Object.fromEntries(
  [...ERROR_EXAMPLES].map(([code, { message, details = {} }]) => {
    const { title, wireCode = code } = ERROR_CATALOGUE[code];
    return [code, { summary: title, value: { error: { code: wireCode, message, details }, meta: META } }];
  }),
);

/** What errors of these codes look like when the endpoint shows none of its own. */
const usual = ({ detailErrors = [] }: AnyEndpoint, codes: readonly ErrorCode[]): JsonSchema => {
  const known = codes.filter((code) => ERROR_EXAMPLES.has(code) && !detailErrors.includes(code));
  if (known.length === 0) return {};
  return { examples: Object.fromEntries(known.map((code) => [code, reference('examples', code)])) };
};

const withExamples = (answer: unknown, examples: JsonSchema): unknown => {
  if (!isRecord(answer) || !isRecord(answer['content'])) return answer;
  const { content } = answer;
  const media = Object.entries(content).map(([type, part]) => [type, isRecord(part) ? { ...part, ...examples } : part]);
  return { ...answer, content: Object.fromEntries(media) as JsonSchema };
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const named = (values: readonly (readonly [summary: string, value: unknown])[]): JsonSchema => {
  if (values.length === 0) return {};
  const examples = values.map(([summary, value]) => [
    summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    { summary, value },
  ]);
  return { examples: Object.fromEntries(examples) as JsonSchema };
};
