import { type ApiClient } from '../support/api-client';
import { createInstance, createMapping, deleteInstance, untilSettled } from '../support/instances';
import { PATIENCE_MS, type RunningSystem, startRunningSystem } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';

jest.setTimeout(2 * PATIENCE_MS);

let system: RunningSystem;
let olivia: ApiClient;
let ada: ApiClient;
beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse);
  olivia = system.as('olivia');
  ada = system.as('ada');
});
afterAll(() => system.close());

const freeze = (signal: 'SIGSTOP' | 'SIGCONT'): void =>
  system.processes().forEach(({ pid, command }) => {
    if (/postgres/.test(command)) process.kill(pid, signal);
  });

describe('the cluster', () => {
  it('is nothing for analysts', async () => {
    for (const path of ['/api/cluster/health', '/api/cluster/instances']) {
      expect(await ada.refused('GET', path)).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        details: { required_role: 'ops', your_role: 'analyst' },
      });
    }
  });

  it('is healthy when every component answers', async () => {
    const { data } = await olivia.call('getClusterHealth');
    const healthy = { status: 'healthy', latency_ms: expect.any(Number) as number };
    expect(data).toMatchObject({
      status: 'healthy',
      components: { database: healthy, kubernetes: healthy, queryengine: healthy },
    });
    expect(Math.abs(Date.now() - Date.parse(data.checked_at))).toBeLessThan(60_000);
  });

  it('counts its instances by state and owner', async () => {
    const mapping = await createMapping(ada, townMapping);
    const before = (await olivia.call('getClusterInstances')).data;
    expect(before).toMatchObject({ total: 0, by_owner: [], limits: { cluster_used: 0, cluster_available: 50 } });
    const id = await createInstance(ada, mapping);
    await untilSettled(ada, id);
    expect((await olivia.call('getClusterInstances')).data).toEqual({
      total: 1,
      by_status: { waiting_for_snapshot: 0, starting: 0, running: 1, stopping: 0, failed: 0 },
      by_owner: [{ owner_username: 'ada', count: 1 }],
      limits: { per_analyst: 5, cluster_total: 50, cluster_used: 1, cluster_available: 49 },
    });
    await deleteInstance(ada, id);
  });

  it('is degraded, and says so in time, while its database hangs', async () => {
    freeze('SIGSTOP');
    try {
      const askedAt = performance.now();
      const { status, body } = await olivia.send('GET', '/api/cluster/health');
      expect(performance.now() - askedAt).toBeLessThan(8000);
      expect(status).toBe(503);
      expect(body).toMatchObject({
        data: {
          status: 'degraded',
          components: { database: { status: 'unreachable', latency_ms: null }, queryengine: { status: 'healthy' } },
        },
      });
      expect(await ada.send('GET', '/api/openapi.json')).toMatchObject({ status: 200 });
    } finally {
      freeze('SIGCONT');
    }
    await waitFor('it is healthy again', async () => (await olivia.send('GET', '/api/cluster/health')).status === 200);
  });
});
