import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { signServiceToken } from '../../adapters/http/internal/service-token';
import { publicExamples } from '../../adapters/http/public/public-examples';
import { createPostgresIdGenerator } from '../../adapters/postgres/postgres-id-generator';
import { systemClock } from '../../adapters/system/system-clock';
import { requestContext } from '../../commands/kit/command-context';
import { changeApiKeys } from '../../commands/user/change-user';
import { type ApiClient, apiClient } from '../support/api-client';
import { expectRight } from '../support/given-when-then';
import { type InProcessApi, startInProcessApi } from '../support/in-process-api';
import { createInstance, createMapping, findInstance } from '../support/instances';
import { withLogOf } from '../support/log-of';
import { parkEvents } from '../support/park-events';
import { fillWarehouse, knows, person, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';

/** An API whose warehouse has the tables of the sample mappings; it has no users. */
export const startExampleApi = (): Promise<InProcessApi> =>
  startInProcessApi(
    async (folder) => {
      const warehouse = join(folder, 'warehouse');
      await mkdir(warehouse, { recursive: true });
      await fillWarehouse(warehouse);
    },
    // Each operation is tried without identity, too.
    { ROWGRAPH_REFUSED_CALLS_PER_MINUTE: '999999' },
  );

/** The random values in place of the parameters that the examples name. */
export type StandIns = Readonly<Record<string, string>>;

/**
 * Creates what the examples of the API description require, after `olivia` exists: users of each role; mapping 1 in two
 * versions, mapping 2; instance 1 running, 2 waiting, 3 to 7 up to carl's limit; favorites and saved queries of ada.
 */
export const furnishExampleWorld = async (api: InProcessApi): Promise<StandIns> => {
  const [olivia, ada, carl] = [api.as('olivia'), api.as('ada'), api.as('carl')];
  const people = { anna: 'admin', ada: 'analyst', bob: 'analyst', carl: 'analyst', dora: 'analyst' };
  for (const [username, role] of Object.entries(people)) {
    await olivia.call('createUser', { body: { username, role, display_name: `${username} of the town` } });
  }
  await giveKnownKey(api);
  const body = { ...townMapping, description: 'Who knows whom in town' };
  const mapping = await createMapping(ada, { ...body, edge_definitions: [] });
  const update = { change_description: 'Adds who knows whom', edge_definitions: [knows] };
  await ada.call('updateMapping', { id: mapping, body: update });
  await createMapping(ada, { name: 'Village', node_definitions: [person] });

  const running = await createInstance(ada, mapping, 'Town graph');
  await exportAndStart(api, running);
  await ada.call('updateInstanceCpu', { id: running, body: { cpu_cores: 4 } });
  await createInstance(ada, mapping, 'Second graph');
  for (let count = 1; count <= 5; count++) await createInstance(carl, mapping, `Graph ${count} of carl`);
  const favorites = [
    { resource_type: 'mapping', resource_id: mapping },
    { resource_type: 'instance', resource_id: running },
  ];
  await olivia.call('refreshSchemaCache');
  await waitFor('the catalogs are cached', async () => (await ada.call('listSchemaCatalogs')).data.length > 0);
  for (const favorite of favorites) await ada.call('addFavorite', { body: favorite });
  for (const name of ['Who%20knows%20whom', 'Oldest']) {
    const body = { query: 'MATCH (p:Person) RETURN p ORDER BY p.age DESC LIMIT 5' };
    await ada.send('PUT', `/api/mappings/${mapping}/queries/${name}`, { body });
  }
  await carl.call('addFavorite', { body: favorites[0]! });
  const position = await parkFavorite(api);
  const token = await api.as('bob').call('issueAccessToken', { id: running, body: { expires_in: 'PT1H' } });
  return {
    position,
    token_id: token.data.id,
    key_id: (await ada.call('createApiKey', { id: 'ada', body: { name: 'old report' } })).data.id,
  };
};

/** Parks carl's favorite, which is already applied and cannot be applied again; returns its position. */
const parkFavorite = (api: InProcessApi): Promise<string> =>
  withLogOf(api, async (store, pool) => {
    const added = expectRight(await store.readStream('favorites-carl'));
    await parkEvents(pool, 'favorites', added, 'duplicate key value violates unique constraint "favorites_pkey"');
    return added[0]?.position ?? '';
  });

/** Ada's key in the examples, with the id it has there: ids are random otherwise. */
const giveKnownKey = (api: InProcessApi): Promise<void> =>
  withLogOf(api, async (store, pool) => {
    const ports = { store, clock: systemClock, ids: createPostgresIdGenerator(pool) };
    const keyId = String(publicExamples['revokeApiKey']?.[0]?.params?.['key_id']);
    const key = { username: 'ada', keyId, name: 'notebook', hash: '0'.repeat(64), expiresAt: null };
    const context = requestContext(ports.ids, { username: 'ada', role: 'analyst' }, 'example');
    expectRight(await changeApiKeys(ports, key.username, (user) => ({ type: 'CreateApiKey', user, ...key }), context));
  });

/** Does the work of an export worker and a pod until the instance is running. */
const exportAndStart = async (api: InProcessApi, instance: number): Promise<void> => {
  const worker = componentOf(api, 'worker');
  const pod = componentOf(api, 'wrapper', instance);
  const finished = async (): Promise<boolean> => {
    const claimed = await worker('POST', '/export-jobs/claim', { worker_id: 'worker-1', limit: 10 });
    const { jobs } = (claimed as { readonly data: { readonly jobs: readonly { id: number; attempt: number }[] } }).data;
    for (const { id, attempt } of jobs) {
      await worker('PATCH', `/export-jobs/${id}`, { status: 'completed', attempt, row_count: 100, size_bytes: 2048 });
    }
    return (await findInstance(api.as('ada'), instance)).status === 'starting';
  };
  await waitFor('the snapshot is exported', finished);
  await pod('PUT', `/instances/${instance}/status`, {
    status: 'running',
    pod_ip: '10.0.0.7',
    instance_url: 'https://graphs.example.org/0192f7c4-6d1e-4a35-9c1b-2f0e9d3b7a54',
    graph_stats: { node_count: 100, edge_count: 100 },
  });
  const use = {
    memory_usage_bytes: 268_435_456,
    cpu_usage_cores: 0.25,
    disk_usage_bytes: 4_194_304,
    query_count_since_last: 1,
  };
  await pod('PUT', `/instances/${instance}/metrics`, { ...use, last_activity_at: new Date().toISOString() });
};

const componentOf = (api: InProcessApi, kind: 'worker' | 'wrapper', instanceId = 0) => {
  const token = signServiceToken(
    api.internalSecret,
    kind === 'worker' ? { kind } : { kind, instanceId, life: null },
    3600,
  );
  const client: ApiClient = apiClient(api.internalUrl, null);
  return async (method: string, path: string, body: object): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Component': kind };
    const answer = await client.send(method, `/api/internal${path}`, { body, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
};
