import { type AnyEndpoint, jsonSchemaOf } from '../../adapters/http/kit';
import { publicEndpoints } from '../../adapters/http/public/public-endpoints';
import { type CallInput } from '../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../support/in-process-api';
import { createInstance, createMapping } from '../support/instances';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';

jest.setTimeout(120_000);

const endpoints: Readonly<Record<string, AnyEndpoint>> = publicEndpoints;
const lists = Object.entries(endpoints).filter(([, { success }]) => success.shape === 'list');
const parametersOf = ({ query }: AnyEndpoint): readonly string[] =>
  query === undefined ? [] : Object.keys(jsonSchemaOf(query, 'query')['properties'] as object);

const DATES = ['created_after', 'created_before'];
const ALL = ['offset', 'limit', 'search', ...DATES, 'sort_by', 'sort_order'];
/** Fields that the cache of the schema does not have: creation times. Searches are ordered by name. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  listSchemaCatalogs: DATES,
  listCatalogSchemas: DATES,
  listSchemaTables: DATES,
  listTableColumns: DATES,
  searchSchemaTables: [...DATES, 'search', 'sort_by', 'sort_order'],
  searchSchemaColumns: [...DATES, 'search', 'sort_by', 'sort_order'],
};

test.each(lists)('%s accepts the common list parameters', (name, endpoint) => {
  const expected = ALL.filter((parameter) => WITHOUT[name]?.includes(parameter) !== true);
  expect(parametersOf(endpoint)).toEqual(expect.arrayContaining(expected));
});

let api: InProcessApi;
beforeAll(async () => {
  api = await startInhabitedApi(fillWarehouse);
  const ada = api.as('ada');
  const olivia = api.as('olivia');
  for (const name of ['zebra', 'alpha']) await olivia.call('createApiKey', { id: 'olivia', body: { name } });
  await olivia.call('updateUser', { id: 'bob', body: { display_name: 'Robert', email: 'rob@example.com' } });
  const ids = [await createMapping(ada, { ...townMapping, name: 'Zoo' }), await createMapping(ada, townMapping)];
  for (const resource_id of ids) await ada.call('addFavorite', { body: { resource_type: 'mapping', resource_id } });
  for (const name of ['zebra', 'alpha']) {
    await ada.send('PUT', `/api/mappings/1/queries/${name}`, { body: { query: 'RETURN 1' } });
  }
  for (const change_description of ['the first change', 'the second']) {
    const { node_definitions } = townMapping;
    await ada.call('updateMapping', { id: 1, body: { change_description, node_definitions } });
  }
  for (const name of ['zebra', 'alpha']) await createInstance(ada, 2, name);
  await waitFor('four export jobs are planned', async () => (await ada.call('listExportJobs')).meta.total === 4);
  const catalogs = async () => (await ada.call('listSchemaCatalogs')).data.length;
  await waitFor('the catalog is cached', async () => (await catalogs()) === 1);
});
afterAll(() => api.close());

interface Case {
  readonly name: keyof typeof publicEndpoints;
  readonly path: string;
  /** The field that identifies an item. */
  readonly shown: string;
  readonly search: readonly [string, readonly unknown[]];
  readonly sorted: readonly [sortBy: string, readonly unknown[]];
}

const cases: readonly Case[] = [
  {
    name: 'listUsers',
    path: '/users',
    shown: 'username',
    search: ['ROB@', ['bob']],
    sorted: ['username', ['ada', 'bob', 'olivia']],
  },
  {
    name: 'listApiKeys',
    path: '/users/olivia/api-keys',
    shown: 'name',
    search: ['ALPH', ['alpha']],
    sorted: ['name', ['alpha', 'zebra']],
  },
  {
    name: 'listFavorites',
    path: '/favorites',
    shown: 'resource_name',
    search: ['zo', ['Zoo']],
    sorted: ['resource_name', ['Town', 'Zoo']],
  },
  {
    name: 'listSavedQueries',
    path: '/mappings/1/queries',
    shown: 'name',
    search: ['ALPH', ['alpha']],
    sorted: ['name', ['alpha', 'zebra']],
  },
  {
    name: 'listMappingVersions',
    path: '/mappings/1/versions',
    shown: 'version',
    search: ['SECOND', [3]],
    sorted: ['version', [1, 2, 3]],
  },
  {
    name: 'listMappingInstances',
    path: '/mappings/2/instances',
    shown: 'name',
    search: ['ALPH', ['alpha']],
    sorted: ['name', ['alpha', 'zebra']],
  },
  {
    name: 'listMappingSnapshots',
    path: '/mappings/2/snapshots',
    shown: 'id',
    search: ['of town', [2, 1]],
    sorted: ['created_at', [1, 2]],
  },
  {
    name: 'listExportJobs',
    path: '/export-jobs',
    shown: 'entity_name',
    search: ['know', ['KNOWS', 'KNOWS']],
    sorted: ['entity_name', ['KNOWS', 'KNOWS', 'Person', 'Person']],
  },
  {
    name: 'listSchemaTables',
    path: '/schema/catalogs/town/schemas/main/tables',
    shown: 'table_name',
    search: ['PEOP', ['people']],
    sorted: ['table_name', ['contacts', 'crowd', 'friends', 'people']],
  },
];

describe.each(cases)('$name', ({ name, path, shown, search, sorted }) => {
  const caller = name === 'listUsers' || name === 'listApiKeys' ? 'olivia' : 'ada';
  const listed = async (query: CallInput['query']) => {
    const parameters = new URLSearchParams();
    for (const [key, value] of Object.entries(query ?? {})) parameters.set(key, String(value));
    const { status, body } = await api.as(caller).send('GET', `/api${path}?${parameters.toString()}`);
    const { data, meta } = body as { data: readonly Record<string, unknown>[]; meta: { total: number } };
    expect(status).toBe(200);
    return { shown: data.map((item) => item[shown]), total: meta.total };
  };

  it('can be searched and sorted', async () => {
    const [text, found] = search;
    expect(await listed({ search: text })).toEqual({ shown: found, total: found.length });
    expect((await listed({ search: '%' })).total).toBe(0);
    const [sort_by, inOrder] = sorted;
    expect((await listed({ sort_by, sort_order: 'asc' })).shown).toEqual(inOrder);
    expect((await listed({ sort_by })).shown).toEqual([...inOrder].reverse());
    const page = await listed({ sort_by, sort_order: 'asc', offset: 1, limit: 1 });
    expect(page).toEqual({ shown: inOrder.slice(1, 2), total: inOrder.length });
  });

  it('can be limited by times, and rejects unsupported parameters by name', async () => {
    if (WITHOUT[name] === undefined) {
      expect((await listed({ created_after: '2126-01-01T00:00:00Z' })).total).toBe(0);
      expect((await listed({ created_before: '2126-01-01T00:00:00Z' })).total).toBe(sorted[1].length);
    }
    for (const [field, value] of [
      ['colour', 'red'],
      ['sort_by', 'colour'],
    ] as const) {
      expect(await api.as(caller).refused('GET', `/api${path}?${field}=${value}`)).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        details: { field },
      });
    }
  });
});
