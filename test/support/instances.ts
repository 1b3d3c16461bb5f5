import { type ApiClient } from './api-client';
import { TIMEOUT_MS } from './running-system';
import { waitFor } from './wait-for';

export type InstanceDetail = Awaited<ReturnType<typeof findInstance>>;
export type Progress = Awaited<ReturnType<typeof findProgress>>;

export const createMapping = async (client: ApiClient, body: object): Promise<number> =>
  (await client.call('createMapping', { body })).data.id;

export const createInstance = async (
  client: ApiClient,
  mappingId: number,
  name = 'instance',
  kind: 'graphdb_a' | 'graphdb_b' = 'graphdb_a',
  version?: number,
): Promise<number> => {
  const body = { mapping_id: mappingId, mapping_version: version, name, wrapper_type: kind };
  return (await client.call('createInstance', { body })).data.id;
};

export const findInstance = async (client: ApiClient, id: number) => (await client.call('getInstance', { id })).data;

export const findProgress = async (client: ApiClient, id: number) =>
  (await client.call('getInstanceProgress', { id })).data;

/** Waits until the instance is `running` or `failed`, and returns it. Failed requests in between count as "not yet". */
export const untilSettled = async (client: ApiClient, id: number, withinMs = TIMEOUT_MS): Promise<InstanceDetail> => {
  let last: InstanceDetail | undefined;
  await waitFor(
    `instance ${id} is running or failed`,
    async () => {
      last = await findInstance(client, id).catch(() => undefined);
      return last?.status === 'running' || last?.status === 'failed';
    },
    withinMs,
  );
  if (last === undefined) throw new Error(`Instance ${id} has no detail.`);
  return last;
};

/** Waits until the instance is running, and returns it; fails the test with the reason if the instance fails. */
export const untilRunning = async (
  client: ApiClient,
  id: number,
  withinMs?: number,
): Promise<InstanceDetail & { instance_url: string }> => {
  const instance = await untilSettled(client, id, withinMs);
  const { status, instance_url, error_message } = instance;
  if (status !== 'running' || instance_url === null) throw new Error(`Instance ${id} is ${status}: ${error_message}`);
  return { ...instance, instance_url };
};

/** The rows of a Cypher query. */
export const ask = async (client: ApiClient, instanceUrl: string, query: string): Promise<unknown> => {
  const { status, body } = await client.send('POST', `${instanceUrl}/query`, { body: { query } });
  if (status !== 200) throw new Error(`${query} was answered ${status}: ${JSON.stringify(body)}`);
  return (body as { readonly rows: unknown }).rows;
};

export const deleteInstance = (client: ApiClient, id: number): Promise<unknown> =>
  client.call('deleteInstance', { id });
