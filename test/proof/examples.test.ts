import { type AnyEndpoint, type OperationExample } from '../../adapters/http/kit';
import { publicExamples } from '../../adapters/http/public/examples/public-examples';
import { publicEndpoints } from '../../adapters/http/public/public-endpoints';
import { type InProcessApi } from '../support/in-process-api';
import { furnishExampleWorld, startExampleApi } from './example-world';
import { pathOf } from './path-of';

jest.setTimeout(60_000);

const endpoints: Readonly<Record<string, AnyEndpoint>> = publicEndpoints;
/** Reading comes first, and what takes something away last. */
const ORDER = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];
const cases = Object.entries(publicExamples)
  .flatMap(([name, examples]) => examples.map((example) => ({ name, endpoint: endpoints[name], example })))
  .flatMap(({ endpoint, ...rest }) => (endpoint === undefined ? [] : [{ ...rest, endpoint }]))
  .sort((a, b) => ORDER.indexOf(a.endpoint.method) - ORDER.indexOf(b.endpoint.method));
const founding = cases.filter(({ name }) => name === 'bootstrap');

let api: InProcessApi;
beforeAll(async () => {
  api = await startExampleApi();
});
afterAll(() => api.close());

const replay = async (endpoint: AnyEndpoint, example: OperationExample): Promise<void> => {
  const { as, body, status, answer } = example;
  const given = await api.as(as).send(endpoint.method, `/api${pathOf(endpoint, example)}`, { body });
  expect({ status: given.status, body: given.body }).toMatchObject({ status });
  if (status === 204) return;
  const envelope = given.body as { readonly data?: unknown; readonly error?: unknown };
  const shown = status >= 400 ? envelope.error : endpoint.success.shape === 'flat' ? given.body : envelope.data;
  expect(shapeOf(shown)).toEqual(shapeOf(answer));
};

/** Names and kinds of everything in a value; of a list those of its first item. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
};

describe('an example of the API description is what really happens', () => {
  it.each(founding)('$name: $example.summary', ({ endpoint, example }) => replay(endpoint, example));

  describe('in the world it presumes', () => {
    beforeAll(() => furnishExampleWorld(api));

    it.each(cases.filter(({ name }) => name !== 'bootstrap'))('$name: $example.summary', ({ endpoint, example }) =>
      replay(endpoint, example),
    );

    it('no bug comes to light', () => {
      expect(api.errors()).toEqual([]);
    });
  });
});
