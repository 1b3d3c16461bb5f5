import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient } from '../../support/api-client';
import { createInstance, createMapping, deleteInstance, untilSettled } from '../../support/instances';
import { type RunningSystem } from '../../support/running-system';
import { person, townMapping } from '../../support/sample-mappings';
import { isEventStoreDbWanted } from '../../support/system-event-store';
import { waitFor } from '../../support/wait-for';
import { whileFrozen } from '../../support/while-frozen';

/** A part of one-system.test.ts. */
export const administration = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let olivia: ApiClient;
  let ada: ApiClient;
  beforeAll(() => {
    system = shared();
    olivia = system.as('olivia');
    ada = system.as('ada');
  });

  /** The first ping of the query engine starts its process, which takes too long on a slow machine. */
  const untilHealthy = async () => {
    const healthy = () =>
      olivia.call('getClusterHealth').then(
        ({ data }) => data,
        () => null,
      );
    let health = await healthy();
    await waitFor('the system is healthy', async () => (health ??= await healthy()) !== null);
    return health!;
  };

  describe('the cluster', () => {
    it('is healthy when every component answers', async () => {
      const data = await untilHealthy();
      const healthy = { status: 'healthy', latency_ms: expect.any(Number) as number };
      expect(data).toMatchObject({
        status: 'healthy',
        components: {
          database: healthy,
          disk: healthy,
          ...(isEventStoreDbWanted() ? { event_store: healthy } : {}),
          kubernetes: healthy,
          queryengine: healthy,
          object_store: healthy,
        },
        failed_instances: 0,
      });
      expect('event_store' in data.components).toBe(isEventStoreDbWanted());
      expect(Math.abs(Date.now() - Date.parse(data.checked_at))).toBeLessThan(60_000);
    });

    it('counts failed instances, and stays healthy with them', async () => {
      const broken = {
        ...townMapping,
        node_definitions: [{ ...person, sql: 'SELECT nothing FROM people' }],
        edge_definitions: [],
      };
      const id = await createInstance(ada, await createMapping(ada, broken));
      expect((await untilSettled(ada, id)).status).toBe('failed');
      expect(await untilHealthy()).toMatchObject({ status: 'healthy', failed_instances: 1 });
      await deleteInstance(ada, id);
    });

    it('is degraded while the object store cannot be written', async () => {
      const [objects, aside] = [join(system.folder, 'objects'), join(system.folder, 'objects.aside')];
      await mkdir(objects, { recursive: true });
      await rename(objects, aside);
      await writeFile(objects, 'a file where the folder should be');
      const error = expect.stringContaining(objects) as string;
      const object_store = { status: 'unreachable', latency_ms: null, error };
      await waitFor('the health is degraded', async () => {
        const { status, body } = await olivia.send('GET', '/api/cluster/health');
        if (!JSON.stringify(body).includes(objects)) return false;
        expect({ status, body }).toMatchObject({
          status: 503,
          body: { data: { status: 'degraded', components: { object_store } } },
        });
        return true;
      });
      await rm(objects);
      await rename(aside, objects);
      await untilHealthy();
    });

    it('is reported as degraded while its database does not answer', async () => {
      await untilHealthy();
      const database = system.processes().filter(({ command }) => command.includes('postgres'));
      await whileFrozen(
        database.map(({ pid }) => pid),
        async () => {
          const { status, body } = await olivia.send('GET', '/api/cluster/health');
          expect(status).toBe(503);
          expect(body).toMatchObject({
            data: {
              status: 'degraded',
              components: { database: { status: 'unreachable', latency_ms: null }, queryengine: { status: 'healthy' } },
            },
          });
          expect(await ada.send('GET', '/api/openapi.json')).toMatchObject({ status: 200 });
        },
      );
      await untilHealthy();
    });
  });
};
