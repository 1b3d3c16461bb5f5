import { type AnyEndpoint, type OperationExample } from '../../adapters/http/kit';
import { publicExamples } from '../../adapters/http/public/public-examples';
import { publicEndpoints } from '../../adapters/http/public/public-endpoints';
import { type InProcessApi } from '../support/in-process-api';
import { furnishExampleWorld, type StandIns, startExampleApi } from './example-world';
import { pathOf } from './path-of';

const endpoints: Readonly<Record<string, AnyEndpoint>> = publicEndpoints;
/** Reading comes first, and what takes something away last. */
const ORDER = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];
const cases = Object.entries(publicExamples)
  .flatMap(([name, examples]) => examples.map((example) => ({ name, endpoint: endpoints[name], example })))
  .flatMap(({ endpoint, ...rest }) => (endpoint === undefined ? [] : [{ ...rest, endpoint }]))
  .sort((a, b) => ORDER.indexOf(a.endpoint.method) - ORDER.indexOf(b.endpoint.method));
const founding = cases.filter(({ name }) => name === 'bootstrap');

let api: InProcessApi;
let standIns: StandIns = {};
beforeAll(async () => {
  api = await startExampleApi();
});
afterAll(() => api.close());

const replay = async (endpoint: AnyEndpoint, example: OperationExample): Promise<void> => {
  const { as, body, status, answer } = example;
  const params = Object.entries(example.params ?? {}).map(([name, value]) => [name, standIns[name] ?? value] as const);
  const path = `/api${pathOf(endpoint, { ...example, params: Object.fromEntries(params) })}`;
  const position = standIns['position'];
  const sent = isObject(body) && 'position' in body && status === 200 ? { ...body, position } : body;
  const given = await api.as(as).send(endpoint.method, path, { body: sent });
  expect({ status: given.status, body: given.body }).toMatchObject({ status });
  if (status === 204) return;
  const envelope = given.body as { readonly data?: unknown; readonly error?: unknown };
  const shown = status >= 400 ? envelope.error : endpoint.success.shape === 'flat' ? given.body : envelope.data;
  expect(difference(shown, answer)).toBeNull();
  if (Array.isArray(answer) && answer.length > 0) expect(shown).not.toEqual([]);
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Where two values have other fields, or values of another kind; null and an empty list may stand for anything. */
const difference = (given: unknown, shown: unknown, where = 'it'): string | null => {
  if (given === null || shown === null) return null;
  if (Array.isArray(given) && Array.isArray(shown)) {
    return given.length === 0 || shown.length === 0 ? null : difference(given[0], shown[0], `${where}[]`);
  }
  if (!isObject(given) || !isObject(shown)) {
    return typeof given === typeof shown ? null : `${where} is ${typeof given} instead of ${typeof shown}`;
  }
  const [names, expected] = [Object.keys(given).sort().join(), Object.keys(shown).sort().join()];
  if (names !== expected) return `${where} has ${names} instead of ${expected}`;
  const parts = new Map<string, unknown>(Object.entries(shown));
  const found = Object.entries(given).map(([name, part]) => difference(part, parts.get(name), `${where}.${name}`));
  return found.find((one) => one !== null) ?? null;
};

describe('an example of the API description is what really happens', () => {
  it.each(founding)('$name: $example.summary', ({ endpoint, example }) => replay(endpoint, example));

  describe('in the world it presumes', () => {
    beforeAll(async () => {
      standIns = await furnishExampleWorld(api);
    });

    it.each(cases.filter(({ name }) => name !== 'bootstrap'))('$name: $example.summary', ({ endpoint, example }) =>
      replay(endpoint, example),
    );

    it('no bug comes to light', () => {
      expect(api.errors()).toEqual([]);
    });
  });
});
