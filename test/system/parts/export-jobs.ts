import { type ApiClient } from '../../support/api-client';
import { createInstance, createMapping, untilRunning } from '../../support/instances';
import { type RunningSystem } from '../../support/running-system';
import { endlessMapping, townMapping } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** A part of one-system.test.ts. */
export const exportJobs = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let ada: ApiClient;
  let bob: ApiClient;
  let olivia: ApiClient;
  let snapshot: number | null;
  beforeAll(async () => {
    system = shared();
    [ada, bob, olivia] = [system.as('ada'), system.as('bob'), system.as('olivia')];
    const id = await createInstance(ada, await createMapping(ada, townMapping));
    snapshot = (await untilRunning(ada, id)).snapshot_id;
    await createInstance(bob, await createMapping(bob, endlessMapping));
    const claimed = { query: { status: 'claimed' } };
    await waitFor('the endless export is claimed', async () => {
      return (await bob.call('listExportJobs', claimed)).meta.total === 1;
    });
    // After five seconds its worker would report it as submitted.
    signalWorker('SIGSTOP');
  });
  afterAll(() => {
    signalWorker('SIGCONT');
  });

  const signalWorker = (signal: 'SIGSTOP' | 'SIGCONT'): void =>
    system.processes('export worker').forEach(({ pid }) => process.kill(pid, signal));

  const entities = async (client: ApiClient, query: Record<string, string | number> = {}) => {
    const { data, meta } = await client.call('listExportJobs', { query });
    return { names: data.map(({ entity_type, entity_name }) => `${entity_type} ${entity_name}`), total: meta.total };
  };

  describe('export jobs', () => {
    it('are listed to analysts for their own snapshots, newest first', async () => {
      expect(await entities(ada)).toEqual({ names: ['edge KNOWS', 'node Person'], total: 2 });
      expect(await entities(bob)).toEqual({ names: ['node Person'], total: 1 });
      const { data } = await ada.call('listExportJobs');
      expect(data).toMatchObject([
        {
          snapshot_id: snapshot,
          status: 'completed',
          attempts: 1,
          row_count: 100,
          error_message: null,
          failed_at: null,
        },
        { snapshot_id: snapshot, status: 'completed', attempts: 1, row_count: 100 },
      ]);
      expect(Date.parse(data[0]?.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(data[0]?.created_at ?? ''));
      expect(data[0]).not.toHaveProperty('sql');
    });

    it('are all listed to ops', async () => {
      expect((await entities(olivia)).total).toBe(3);
      expect(await entities(olivia, { offset: 1, limit: 1 })).toEqual({ names: ['edge KNOWS'], total: 3 });
    });

    it('are filtered by status', async () => {
      expect((await entities(olivia, { status: 'completed' })).total).toBe(2);
      expect((await entities(olivia, { status: 'claimed' })).total).toBe(1);
      for (const status of ['pending', 'running', 'submitted', 'failed']) {
        expect((await entities(olivia, { status })).total).toBe(0);
      }
    });

    it('pending jobs are counted for every user, without an envelope', async () => {
      const { status, body } = await system.as(null).send('GET', '/api/export-jobs/pending-count');
      expect({ status, body }).toEqual({ status: 200, body: { pendingCount: 0 } });
      expect(await system.as(null).refused('GET', '/api/export-jobs')).toMatchObject({ status: 401 });
    });
  });

  describe('operations', () => {
    it('lists every export job, a hundred per page', async () => {
      const { data, meta } = await olivia.call('listOpsExportJobs');
      expect(meta).toMatchObject({ total: 3, offset: 0, limit: 100 });
      expect(data[0]).toMatchObject({ entity_type: 'node', entity_name: 'Person', status: 'claimed', attempts: 1 });
      expect(data[0]).not.toHaveProperty('claimed_by');
      expect((await olivia.call('listOpsExportJobs', { query: { status: 'completed' } })).meta.total).toBe(2);
    });

    it('counts the resources in each state', async () => {
      const { seal: _seal, verification: _verification, ...counts } = (await olivia.call('getOpsState')).data;
      expect(counts).toEqual({
        instances: {
          total: 2,
          by_status: {
            waiting_for_snapshot: 1,
            starting: 0,
            running: 1,
            stopping: 0,
            stopped: 0,
            failed: 0,
            terminated: 0,
          },
          without_pod_name: 1,
        },
        snapshots: { total: 2, by_status: { pending: 0, creating: 1, ready: 1, failed: 0 } },
        export_jobs: { by_status: { pending: 0, claimed: 1, submitted: 0, completed: 2, failed: 0 } },
        retrieved_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
      });
    });
  });
};
