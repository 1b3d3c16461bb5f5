import { type AnyEndpoint } from '../../adapters/http/kit';
import { publicEndpoints } from '../../adapters/http/public/public-endpoints';
import { publicExamples } from '../../adapters/http/public/public-examples';
import { type InProcessApi } from '../support/in-process-api';
import { createInstance, createMapping } from '../support/instances';
import { townMapping } from '../support/sample-mappings';
import { CALLERS, CAPABILITIES } from './capabilities';
import { startExampleApi } from './example-world';
import { pathOf } from './path-of';

const USERNAMES = {
  anonymous: null,
  unknown: 'eve',
  disabled: 'dora',
  owner: 'ada',
  other: 'bob',
  admin: 'anna',
  ops: 'olivia',
} as const;
const endpoints: Readonly<Record<string, AnyEndpoint>> = publicEndpoints;

let api: InProcessApi;
let instance: number;
beforeAll(async () => {
  api = await startExampleApi();
  await api.as(null).call('bootstrap', { body: { username: 'olivia' } });
  const olivia = api.as('olivia');
  for (const username of ['ada', 'bob', 'carl', 'dora']) await olivia.call('createUser', { body: { username } });
  await olivia.call('createUser', { body: { username: 'anna', role: 'admin' } });
  await olivia.call('deactivateUser', { id: 'dora' });
  await allowMany();
  instance = await createInstance(api.as('ada'), await createMapping(api.as('ada'), townMapping));
});
afterAll(() => api.close());

const allowMany = () =>
  api.as('olivia').call('setConcurrencyConfig', { body: { per_analyst: 100, cluster_total: 1000 } });

/**
 * The resource on which the operation is tried: a resource of ada's, created for this try if the operation removes it.
 */
const targetOf = async (
  name: string,
  { resource, method, access }: AnyEndpoint,
  mode: 'everyone' | 'owner',
): Promise<Record<string, string | number>> => {
  const ada = api.as('ada');
  if (resource === 'user') return { username: access === 'user' ? 'ada' : await newUser() };
  if (resource === 'mapping') return { id: method === 'GET' ? 1 : await createMapping(ada, townMapping) };
  if (resource !== 'instance') return {};
  const id = name === 'deleteInstance' ? await createInstance(ada, 1) : instance;
  await ada.call('updateInstanceAccess', { id, body: { mode } });
  if (name !== 'revokeAccessToken') return { id };
  const { data } = await ada.call('issueAccessToken', { id, body: { expires_in: 'PT1H' } });
  return { id, token_id: data.id };
};

let users = 0;
const newUser = async (): Promise<string> => {
  const username = `user-${++users}`;
  await api.as('olivia').call('createUser', { body: { username } });
  return username;
};

const isYes = (status: number): boolean => ![400, 401, 403].includes(status) && (status < 500 || status === 503);

const outcome = async (
  name: string,
  endpoint: AnyEndpoint,
  username: string | null,
  mode: 'everyone' | 'owner' = 'everyone',
): Promise<unknown> => {
  const example = publicExamples[name]?.find(({ status }) => status < 400);
  if (example === undefined) throw new Error(`${name} has no example to try; see adapters/http/public/examples.`);
  const params = { ...example.params, ...(await targetOf(name, endpoint, mode)) };
  const path = `/api${pathOf(endpoint, { ...example, params })}`;
  const { status, body } = await api.as(username).send(endpoint.method, path, { body: example.body });
  if (isYes(status) && (status !== 404 || mode === 'everyone')) return 'yes';
  return (body as { readonly error?: { readonly code?: string } } | null)?.error?.code ?? status;
};

describe('the permission matrix', () => {
  it('has every endpoint under one capability', () => {
    const assigned = Object.values(CAPABILITIES).flatMap((capability) => capability.endpoints);
    expect([...assigned].sort()).toEqual(Object.keys(endpoints).sort());
  });

  const rows = Object.entries(CAPABILITIES).flatMap(([capability, { cells, endpoints: names }]) =>
    names.map((name) => ({ capability, name, cells })),
  );
  it.each(rows)('$capability: $name', async ({ name, cells }) => {
    const endpoint = endpoints[name];
    if (endpoint === undefined) throw new Error(`There is no endpoint ${name}.`);
    const found: Record<string, unknown> = {};
    for (const caller of CALLERS) found[caller] = await outcome(name, endpoint, USERNAMES[caller]);
    expect(found).toEqual(cells);
  });

  describe('an instance that only its owner may access', () => {
    beforeAll(allowMany);

    const ofInstances = rows.filter(({ name }) => endpoints[name]?.resource === 'instance');
    it.each(ofInstances)('$capability: $name', async ({ name, cells }) => {
      const endpoint = endpoints[name];
      if (endpoint === undefined) throw new Error(`There is no endpoint ${name}.`);
      const found: Record<string, unknown> = {};
      for (const caller of CALLERS) found[caller] = await outcome(name, endpoint, USERNAMES[caller], 'owner');
      expect(found).toEqual({ ...cells, other: 'RESOURCE_NOT_FOUND' });
    });
  });
});
