import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient } from '../../support/api-client';
import { untilAtRest } from '../../support/at-rest';
import {
  ask,
  createInstance,
  createMapping,
  deleteInstance,
  findInstance,
  findProgress,
  untilRunning,
} from '../../support/instances';
import { type RunningSystem, TIMEOUT_MS } from '../../support/running-system';
import { crowdMapping, knows, person, townMapping } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** A part of one-system.test.ts. */
export const mainJob = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let ada: ApiClient;
  beforeAll(() => {
    system = shared();
    ada = system.as('ada');
  });

  describe('from rows to a graph', () => {
    let id: number;
    let url: string;

    it('rows become a running graph that answers Cypher', async () => {
      id = await createInstance(ada, await createMapping(ada, townMapping), 'Our town');
      ({ instance_url: url } = await untilRunning(ada, id));
      expect(await ask(ada, url, 'MATCH (p:Person) WHERE p.id < 2 RETURN p.id, p.name, p.age ORDER BY p.id')).toEqual([
        [0, 'name 0', 20],
        [1, 'name 1', 21],
      ]);
      expect(await ask(ada, url, 'MATCH (p:Person {id: 3})-[k:KNOWS]->(q:Person) RETURN q.id, k.since')).toEqual([
        [22, '2020-01-04'],
      ]);
    });

    it('all users may query it, and only its owner may change it', async () => {
      expect(await ask(system.as(null), url, 'MATCH ()-[k:KNOWS]->() RETURN count(k)')).toEqual([[100]]);
      const refused = await ada.send('POST', `${url}/query`, { body: { query: 'CREATE (:Person {id: 1000})' } });
      expect(refused.status).toBe(400);
      expect(await ask(ada, url, 'MATCH (p:Person) RETURN count(*)')).toEqual([[100]]);
    });

    it('detail and list return it with the fields of the contract', async () => {
      const detail = await findInstance(ada, id);
      expect(detail).toMatchObject({
        id,
        snapshot_name: 'Snapshot of Town v1',
        mapping_name: 'Town',
        mapping_version: 1,
        owner_username: 'ada',
        wrapper_type: 'graphdb_a',
        name: 'Our town',
        description: '',
        instance_url: url,
        status: 'running',
        progress: { phase: 'ready' },
        graph_stats: { node_count: 100, edge_count: 100 },
        error_code: null,
        error_message: null,
        stack_trace: null,
        ttl: 'PT24H',
        inactivity_timeout: 'PT4H',
      });
      expect(detail.pod_name).toBe(`graph-${url.split('/').at(-1)}-1`);
      const lifeMs = Date.parse(detail.expires_at ?? '') - Date.parse(detail.created_at);
      expect(lifeMs).toBe(24 * 3600 * 1000);

      const { data, meta } = await ada.call('listInstances');
      expect(meta).toMatchObject({ total: 1, offset: 0, limit: 50 });
      expect(data).toEqual([expect.objectContaining({ id, snapshot_id: detail.snapshot_id, status: 'running' })]);
      expect(data[0]).not.toHaveProperty('stack_trace');
    });

    it('pagerank stores its values, and queries return them', async () => {
      const started = await ada.send('POST', `${url}/algo/pagerank`, {
        body: { node_label: 'Person', property_name: 'rank' },
      });
      expect(started).toMatchObject({ status: 202, body: { data: { algorithm: 'pagerank', status: 'running' } } });
      const { execution_id } = (started.body as { data: { execution_id: string } }).data;
      await waitFor('pagerank has ended', async () => {
        const { body } = await ada.send('GET', `${url}/algo/status/${execution_id}`);
        return (body as { data: { status: string } }).data.status !== 'running';
      });
      const [[sum, ranked]] = (await ask(ada, url, 'MATCH (p:Person) RETURN sum(p.rank), count(p.rank)')) as [
        [number, number],
      ];
      expect(sum).toBeCloseTo(1, 3);
      expect(ranked).toBe(100);
    });

    it('deleting it ends its process and removes its folder, its record and its slot', async () => {
      await deleteInstance(ada, id);
      expect(system.processes('pod')).toEqual([]);
      expect(system.processes('engine')).toEqual([]);
      expect(await readdir(join(system.folder, 'pods'))).toEqual([]);
      expect(await ada.refused('GET', `/api/instances/${id}`)).toMatchObject({
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
      });
      expect((await ada.call('listInstances')).meta.total).toBe(0);
      expect(await ada.refused('GET', `${url}/status`)).toMatchObject({ status: 404 });
      await untilAtRest(system);
    });
  });

  describe('an instance on FalkorDB', () => {
    it('rows become a graph on FalkorDB that answers Cypher and rejects changes', async () => {
      const id = await createInstance(ada, await createMapping(ada, townMapping), 'Our town, again', 'graphdb_b');
      const { instance_url: url } = await untilRunning(ada, id);
      expect(await ask(ada, url, 'MATCH (p:Person {id: 3})-[k:KNOWS]->(q:Person) RETURN q.id, k.since')).toEqual([
        [22, '2020-01-04'],
      ]);
      expect(await ada.refused('POST', `${url}/query`, { body: { query: 'MATCH (p) DELETE p' } })).toMatchObject({
        status: 400,
        code: 'GRAPHDB_B_ERROR',
      });
      await deleteInstance(ada, id);
      await untilAtRest(system);
      expect(await readdir(join(system.folder, 'pods'))).toEqual([]);
    });
  });

  describe('an instance of an older version of its mapping', () => {
    it('is loaded from the definitions of that version', async () => {
      const mapping = await createMapping(ada, townMapping);
      const body = {
        change_description: 'people are called citizens',
        node_definitions: [{ ...person, label: 'Citizen' }],
        edge_definitions: [{ ...knows, from_node: 'Citizen', to_node: 'Citizen' }],
      };
      await ada.call('updateMapping', { id: mapping, body });
      const older = await createInstance(ada, mapping, 'as it was', 'graphdb_a', 1);
      const latest = await createInstance(ada, mapping, 'as it is');
      for (const [id, version, label] of [
        [older, 1, 'Person'],
        [latest, 2, 'Citizen'],
      ] as const) {
        const { instance_url: url, mapping_version, snapshot_name } = await untilRunning(ada, id);
        expect({ mapping_version, snapshot_name }).toEqual({
          mapping_version: version,
          snapshot_name: `Snapshot of Town v${version}`,
        });
        expect(await ask(ada, url, 'MATCH (n) RETURN DISTINCT labels(n)[0], count(*)')).toEqual([[label, 100]]);
        await deleteInstance(ada, id);
      }
      await untilAtRest(system);
    });
  });

  describe('the progress of an instance', () => {
    it('shows the steps from the export to the loaded graph, and never goes backwards', async () => {
      const id = await createInstance(ada, await createMapping(ada, crowdMapping));
      const seen: Awaited<ReturnType<typeof findProgress>>[] = [];
      await waitFor(
        'the instance is running',
        async () => {
          const progress = await findProgress(ada, id);
          seen.push(progress);
          if (progress.status === 'failed') throw new Error(progress.error_message ?? 'no reason');
          return progress.status === 'running';
        },
        TIMEOUT_MS,
      );
      const under = seen.filter(({ status }) => status !== 'running');
      expect(under[0]?.steps?.map(({ name }) => name)).toEqual([
        'exporting',
        'fetching_mapping',
        'downloading',
        'checking',
        'creating_schema',
        'loading_nodes',
        'loading_edges',
      ]);
      expect(under[0]).toMatchObject({ status: 'waiting_for_snapshot', phase: 'exporting', total_steps: 7 });
      const completed = under.map(({ completed_steps }) => completed_steps ?? 0);
      expect(completed).toEqual([...completed].sort((a, b) => a - b));
      const tables = under.map(({ steps }) => steps?.[0]?.tables ?? []);
      expect(tables.some((list) => list.some(({ status }) => status === 'in_progress'))).toBe(true);
      expect(tables.at(-1)).toEqual([
        expect.objectContaining({ name: 'Person', type: 'node', status: 'completed', row_count: 100_000 }),
        expect.objectContaining({ name: 'KNOWS', type: 'edge', status: 'completed', row_count: 100_000 }),
      ]);
      expect(seen.at(-1)).toEqual({
        id,
        status: 'running',
        phase: 'ready',
        started_at: expect.any(String) as string,
        ready_at: expect.any(String) as string,
        startup_duration_seconds: expect.any(Number) as number,
      });
      await deleteInstance(ada, id);
      await untilAtRest(system);
    });
  });
};
