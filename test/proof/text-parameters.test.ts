import { internalEndpoints } from '../../adapters/http/internal/describe-internal-api';
import { signServiceToken } from '../../adapters/http/internal/service-token';
import { type AnyEndpoint, type OperationExample } from '../../adapters/http/kit';
import { publicEndpoints } from '../../adapters/http/public/public-endpoints';
import { publicExamples } from '../../adapters/http/public/public-examples';
import { type InProcessApi } from '../support/in-process-api';
import { startExampleApi } from './example-world';
import { pathOf } from './path-of';

let api: InProcessApi;
beforeAll(async () => {
  api = await startExampleApi();
  await api.as(null).call('bootstrap', { body: { username: 'olivia' } });
});
afterAll(() => api.close());

/** PostgreSQL rejects U+0000; the words resemble those of a lost connection. */
const UNSTORABLE = ['a\0b', 'connection terminated\0'];
const WORDS_OF_POSTGRES = /invalid byte|encoding|sqlstate|syntax|postgres|\bpg_|select .* from|read\./i;

interface Tried {
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  readonly place: string;
  readonly status: 'not found' | 'refused' | 'no failure';
  readonly example: Partial<OperationExample>;
}

/** The example with each text of its path, query and body in turn replaced. */
const triesOf = ([name, endpoint]: readonly [string, AnyEndpoint]): readonly Tried[] => {
  const good = publicExamples[name]?.find(({ status }) => status < 400);
  const params = { ...good?.params };
  for (const [, field = ''] of endpoint.path.matchAll(/\{(\w+)\}/g)) params[field] ??= 1;
  const example = { ...good, params };
  return UNSTORABLE.flatMap((text): Tried[] => [
    ...Object.keys(params).map((key): Tried => {
      return {
        name,
        endpoint,
        place: key,
        status: 'not found',
        example: { ...example, params: { ...params, [key]: text } },
      };
    }),
    ...queryNames(endpoint).map((key): Tried => {
      return {
        name,
        endpoint,
        place: `?${key}`,
        status: 'refused',
        example: { ...example, query: { ...good?.query, [key]: text } },
      };
    }),
    ...damagedBodies(good?.body, text).map(({ place, body }): Tried => {
      return { name, endpoint, place, status: 'no failure', example: { ...example, body } };
    }),
  ]);
};

const queryNames = ({ query }: AnyEndpoint): readonly string[] =>
  query !== undefined && 'props' in query ? Object.keys(query.props as object) : [];

const damagedBodies = (body: unknown, text: string): readonly { readonly place: string; readonly body: unknown }[] => {
  if (typeof body === 'string') return [{ place: '', body: text }];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) =>
    damagedBodies(value, text).map(({ place, body: damaged }) => ({
      place: `${key}${place === '' ? '' : `.${place}`}`,
      body: Array.isArray(body) ? body.with(Number(key), damaged) : { ...body, [key]: damaged },
    })),
  );
};

const expectRefused = ({ status }: Tried, answer: { readonly status: number; readonly text: string }): void => {
  if (status === 'not found') expect(answer.status).toBe(404);
  if (status === 'refused') expect(answer.status).toBe(400);
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).not.toMatch(WORDS_OF_POSTGRES);
};

const all = (table: Readonly<Record<string, AnyEndpoint>>): readonly Tried[] => Object.entries(table).flatMap(triesOf);

describe('text that no database can store', () => {
  it.each(all(publicEndpoints))('is rejected by $name in $place ($status)', async (tried) => {
    const { endpoint, example } = tried;
    const options = { body: example.body };
    const { status, body } = await api.as('olivia').send(endpoint.method, `/api${pathOf(endpoint, example)}`, options);
    expectRefused(tried, { status, text: JSON.stringify(body) });
  });

  it.each(all(internalEndpoints))('is rejected by $name in $place ($status) of the internal API', async (tried) => {
    const { endpoint, example } = tried;
    const kind = endpoint.access === 'wrapper' ? 'wrapper' : 'worker';
    const token = signServiceToken(
      api.internalSecret,
      kind === 'worker' ? { kind } : { kind, instanceId: 1, life: null },
      60,
    );
    const response = await fetch(`${api.internalUrl}/api/internal${pathOf(endpoint, example)}`, {
      method: endpoint.method,
      headers: { Authorization: `Bearer ${token}`, 'X-Component': kind, 'Content-Type': 'application/json' },
    });
    const needsMore = endpoint.body !== undefined || endpoint.query !== undefined;
    // Examples have no body or query; a request without a required one is refused before its path is checked.
    expectRefused(needsMore ? { ...tried, status: 'no failure' } : tried, {
      status: response.status,
      text: await response.text(),
    });
  });

  it('causes no failure in the log', () => expect(api.errors()).toEqual([]));
});
