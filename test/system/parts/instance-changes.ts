import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient } from '../../support/api-client';
import {
  createInstance,
  createMapping,
  deleteInstance,
  findInstance,
  findProgress,
  untilRunning,
} from '../../support/instances';
import { type RunningSystem, TIMEOUT_MS } from '../../support/running-system';
import { endlessMapping, knows } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** A part of one-system.test.ts. */
export const instanceChanges = (shared: () => RunningSystem): void => {
  /** Large enough for an algorithm that does not end by itself. */
  const largeMapping = {
    name: 'Large',
    node_definitions: [
      {
        label: 'Person',
        sql: 'SELECT id, name FROM crowd',
        primary_key: { name: 'id', type: 'INT64' },
        properties: [{ name: 'name', type: 'STRING' }],
      },
    ],
    edge_definitions: [{ ...knows, sql: 'SELECT a, b FROM contacts', properties: [] }],
  };

  let system: RunningSystem;
  let ada: ApiClient;
  let bob: ApiClient;
  let waiting: number;
  let running: number;
  let url: string;
  beforeAll(async () => {
    system = shared();
    ada = system.as('ada');
    bob = system.as('bob');
    running = await createInstance(ada, await createMapping(ada, largeMapping), 'Runs');
    ({ instance_url: url } = await untilRunning(ada, running));
    waiting = await createInstance(ada, await createMapping(ada, endlessMapping), 'Waits');
  });

  const put = (path: string, body: unknown, client = ada) => client.refused('PUT', `/api/instances/${path}`, { body });

  describe('changing an instance', () => {
    it('sets its name and description to what was sent, and changes nothing else', async () => {
      const body = { name: 'Renamed', description: 'Mine', owner_username: 'bob', status: 'running', id: 99 };
      const { data } = await ada.call('updateInstance', { id: waiting, body });
      expect(data).toMatchObject({ id: waiting, name: 'Renamed', description: 'Mine' });
      const detail = await findInstance(bob, waiting);
      expect(detail).toMatchObject({ ...data, owner_username: 'ada', status: 'waiting_for_snapshot' });
      await ada.call('updateInstance', { id: waiting, body: { name: 'Waits' } });
      expect(await findInstance(ada, waiting)).toMatchObject({ name: 'Waits', description: 'Mine' });
    });

    it('moves its end with its lifetime', async () => {
      const body = { ttl: 'P2D', inactivity_timeout: 'P1D' };
      const { data } = await ada.call('updateInstanceLifecycle', { id: waiting, body });
      expect(data).toMatchObject({ id: waiting, ...body });
      const detail = await findInstance(ada, waiting);
      expect(detail).toMatchObject(data);
      expect(Date.parse(detail.expires_at ?? '') - Date.parse(detail.created_at)).toBe(2 * 86_400_000);
      const cleared = await ada.call('updateInstanceLifecycle', { id: waiting, body: { ttl: null } });
      expect(cleared.data).toMatchObject({ ttl: 'PT24H', inactivity_timeout: 'P1D' });
    });

    it('shows the cores and memory of a running one in its detail and its events', async () => {
      const before = await findInstance(ada, running);
      const { data: cpu } = await ada.call('updateInstanceCpu', { id: running, body: { cpu_cores: 4 } });
      expect(cpu).toMatchObject({ id: running, cpu_cores: 4, takes_effect: 'now' });
      const { data: memory } = await ada.call('updateInstanceMemory', { id: running, body: { memory_gb: 8 } });
      expect(memory).toMatchObject({ id: running, memory_gb: 8, takes_effect: 'now' });
      expect(await findInstance(ada, running)).toMatchObject({
        cpu_cores: 4,
        memory_gb: 8,
        updated_at: memory.updated_at,
      });
      const GiB = 1024 ** 3;
      const { data, meta } = await bob.call('listInstanceEvents', { id: running });
      expect(meta).toMatchObject({ total: 2, offset: 0, limit: 50 });
      const oldMemory = (before.memory_gb ?? 0) * GiB;
      expect(data).toMatchObject([
        {
          event_type: 'memory_upgraded',
          details: { old_memory_bytes: oldMemory, new_memory_bytes: 8 * GiB, reason: 'user_request' },
          created_at: memory.updated_at,
        },
        { event_type: 'cpu_updated', details: { old_cpu_cores: 2, new_cpu_cores: 4 }, created_at: cpu.updated_at },
      ]);
      const older = await bob.call('listInstanceEvents', { id: running, query: { offset: 1, limit: 1 } });
      expect(older).toMatchObject({ data: [data[1]], meta: { total: 2, offset: 1, limit: 1 } });
    });

    it('rejects less memory, and accepts the same values without an event', async () => {
      expect(await put(`${running}/memory`, { memory_gb: 7 })).toMatchObject({
        status: 409,
        code: 'INVALID_STATE',
        details: { current_status: 'running' },
      });
      await ada.call('updateInstanceMemory', { id: running, body: { memory_gb: 8 } });
      expect((await ada.call('listInstanceEvents', { id: running })).meta.total).toBe(2);
    });

    it.each([
      ['cpu', { cpu_cores: 4 }],
      ['memory', { memory_gb: 16 }],
    ])('rejects a new %s while it is not running', async (what, body) => {
      expect(await put(`${waiting}/${what}`, body)).toMatchObject({
        status: 409,
        code: 'INVALID_STATE',
        details: { current_status: 'waiting_for_snapshot' },
      });
    });

    it.each([
      ['', 'body', {}],
      ['', 'name', { name: ' ' }],
      ['', 'description', { description: 'x'.repeat(4001) }],
      ['/lifecycle', 'ttl', { ttl: 'P1Y' }],
      ['/lifecycle', 'ttl', { ttl: 'P8D' }],
      ['/lifecycle', 'inactivity_timeout', { ttl: 'PT1H', inactivity_timeout: 'PT2H' }],
      ['/cpu', 'cpu_cores', {}],
      ['/cpu', 'cpu_cores', { cpu_cores: 9 }],
      ['/cpu', 'cpu_cores', { cpu_cores: '2' }],
      ['/memory', 'memory_gb', { memory_gb: 1 }],
      ['/memory', 'memory_gb', { memory_gb: 2.5 }],
      ['/memory', 'memory_gb', { memory_gb: 33 }],
    ])(
      'rejects PUT %s with an invalid %s, from any caller and for a missing instance too',
      async (path, field, body) => {
        for (const id of [running, 999]) {
          expect(await put(`${id}${path}`, body, bob)).toMatchObject({
            status: 400,
            code: 'VALIDATION_FAILED',
            details: { field },
          });
        }
      },
    );

    it('applies its size to its next pod, and keeps its events over a restart', async () => {
      const before = await ada.call('listInstanceEvents', { id: running });
      await system.stop();
      await system.start();
      const { memory_gb } = await untilRunning(ada, running);
      const [pod] = system.processes('pod');
      const environment = await readFile(`/proc/${pod?.pid}/environ`, 'utf8');
      expect(environment.split('\0')).toContain(`ROWGRAPH_POD_MEMORY_BYTES=${(memory_gb ?? 0) * 1024 ** 3}`);
      expect((await ada.call('listInstanceEvents', { id: running })).data).toEqual(before.data);
    });

    it('rejects a new size while an algorithm runs, but not a deletion', async () => {
      const body = { node_label: 'Person', property_name: 'rank', max_iterations: 100_000, tolerance: 0 };
      const started = await ada.send('POST', `${url}/algo/pagerank`, { body });
      expect(started.status).toBe(202);
      for (const [what, size] of [
        ['cpu', { cpu_cores: 8 }],
        ['memory', { memory_gb: 32 }],
      ] as const) {
        expect(await put(`${running}/${what}`, size)).toMatchObject({
          status: 409,
          code: 'RESOURCE_LOCKED',
          details: { instance_id: running, holder_username: 'ada', algorithm_name: 'pagerank' },
        });
      }
      await deleteInstance(ada, running);
      expect(await ada.refused('GET', `/api/instances/${running}/events`)).toMatchObject({
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
        details: { instance_id: running },
      });
    });
  });

  describe('the resource usage of a user', () => {
    it('counts the same instances as the limit', async () => {
      const { created_at } = await findInstance(ada, waiting);
      expect((await ada.call('getUserInstanceStatus')).data).toEqual({
        username: 'ada',
        active_instances: 1,
        instance_limit: 5,
        instances_available: 4,
        instances: [{ id: waiting, name: 'Waits', status: 'waiting_for_snapshot', created_at }],
      });
      expect((await bob.call('getUserInstanceStatus')).data).toMatchObject({ username: 'bob', active_instances: 0 });
    });
  });

  describe('an instance whose pod temporarily cannot be started', () => {
    it('shows the reason in its progress, and runs when the obstacle is removed', async () => {
      const mapping = await createMapping(ada, { ...largeMapping, name: 'Delayed' });
      const [pods, away] = [join(system.folder, 'pods'), join(system.folder, 'pods-away')];
      await rename(pods, away);
      await writeFile(pods, 'where the folder of pods belongs');
      const id = await createInstance(ada, mapping, 'Delayed');
      await waitFor(
        'the progress contains the reason',
        async () => (await findProgress(ada, id)).detail !== undefined,
        TIMEOUT_MS,
      );
      expect(await findProgress(ada, id)).toMatchObject({
        status: 'starting',
        detail: expect.stringContaining('folder') as string,
      });
      await rm(pods);
      await rename(away, pods);

      await untilRunning(ada, id);
      expect(await findProgress(ada, id)).not.toHaveProperty('detail');
      await deleteInstance(ada, id);
    });
  });
};
