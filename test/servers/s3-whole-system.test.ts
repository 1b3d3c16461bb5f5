import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3ObjectStore } from '../../adapters/s3/s3-object-store';
import { type ApiClient } from '../support/api-client';
import { expectRight } from '../support/given-when-then';
import {
  ask,
  createInstance,
  createMapping,
  deleteInstance,
  findInstance,
  untilRunning,
  untilSettled,
} from '../support/instances';
import { bySize } from '../support/proof-size';
import { type RunningSystem, startRunningSystem } from '../support/running-system';
import { crowdOf, fillWarehouse } from '../support/sample-mappings';
import { SEED } from '../support/seed';
import { waitFor } from '../support/wait-for';
import { type Proxy, startProxy } from './support/proxy';
import { s3OfTest } from './support/s3';

jest.setTimeout(1_200_000);

const PEOPLE = 5_000;
/** The contacts among them: 7 a + 1 < 5,000. */
const CONTACTS = 715;
const COUNT = 'MATCH (p:Person) RETURN count(*)';
const server = s3OfTest();

(server === null ? describe.skip : describe)('the whole system on S3', () => {
  if (server === null) return;
  const prefix = `system/${randomUUID()}`;
  const store = new S3ObjectStore(server.settings(prefix));
  let proxy: Proxy;
  let system: RunningSystem;
  let ada: ApiClient;
  let mapping: number;
  beforeAll(async () => {
    proxy = await startProxy(server.endpoint);
    system = await startRunningSystem(fillWarehouse, {
      ROWGRAPH_OBJECT_STORE: 's3',
      ROWGRAPH_S3_BUCKET: server.bucket,
      ROWGRAPH_S3_PREFIX: prefix,
      ROWGRAPH_S3_ENDPOINT: proxy.url,
      ROWGRAPH_S3_PATH_STYLE: 'on',
      ROWGRAPH_E2E_TEST_USERS: 'ada',
      ...server.credentials,
    });
    ada = system.as('ada');
    mapping = await createMapping(ada, crowdOf(PEOPLE));
  });
  afterAll(async () => {
    await system.close();
    await proxy.close();
  });

  const keys = async () => expectRight(await store.list('')).map(({ key }) => key);
  /** One attempt of each definition, with its manifest. */
  const onlyComplete = async (): Promise<boolean> => {
    const attempts = (await keys()).flatMap((key) => /^(.*\/(?:node|edge)s\/[^/]+)\/(attempt-\d+)\//.exec(key) ?? []);
    const folders = new Map<string, Set<string>>();
    for (let i = 0; i < attempts.length; i += 3) {
      const found = folders.get(attempts[i + 1] ?? '') ?? new Set();
      folders.set(attempts[i + 1] ?? '', found.add(attempts[i + 2] ?? ''));
    }
    const manifests = (await keys()).filter((key) => key.endsWith('/manifest.json'));
    return [...folders.values()].every(({ size }) => size === 1) && manifests.length === folders.size;
  };
  const settled = (id: number): Promise<void> => {
    const hasEnded = async () => ['running', 'failed'].includes((await findInstance(ada, id)).status);
    return waitFor(`instance ${id} is running or failed`, hasEnded, 300_000);
  };
  const expectWhole = async (id: number): Promise<void> => {
    const { instance_url } = await untilRunning(ada, id);
    expect(await ask(ada, instance_url, COUNT)).toEqual([[PEOPLE]]);
    expect(await ask(ada, instance_url, 'MATCH ()-[k:KNOWS]->() RETURN count(*)')).toEqual([[CONTACTS]]);
  };

  it.each(['graphdb_a', 'graphdb_b'] as const)(
    'starts an instance of %s, whose pod has no credentials',
    async (kind) => {
      const id = await createInstance(ada, mapping, 'on S3', kind);
      await expectWhole(id);
      const { storage_path } = (await ada.call('getSnapshot', { id: (await ada.call('getInstance', { id })).data.snapshot_id ?? 0 })).data; // prettier-ignore
      expect(storage_path.startsWith(`s3://${server.bucket}/${prefix}/ada/`)).toBe(true);
      for (const { pid } of system.processes('pod')) {
        expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/AWS_|ROWGRAPH_S3_/);
      }
      await deleteInstance(ada, id);
    },
  );

  it.each([
    ['stores a file', /PUT \S+part-0\.parquet/],
    ['stores a manifest', /PUT \S+manifest\.json/],
    ['loads', /GET \S+part-0\.parquet/],
  ])(
    'completes, or fails with a message, when S3 is unavailable for a while as an instance %s',
    async (_what, request) => {
      const awayMs = bySize({ sample: 5_000, full: 60_000 });
      const moment = proxy.until((sent) => request.test(sent));
      const id = await createInstance(ada, mapping, 'S3 away');
      await moment;
      proxy.cut();
      await sleep(awayMs);
      proxy.restore();
      await settled(id);
      const { status, error_message } = await untilSettled(ada, id);
      if (status === 'running') await expectWhole(id);
      else expect(error_message).toMatch(/S3|the store|object store/);
      await deleteInstance(ada, id);
      await waitFor('each definition has one complete attempt', onlyComplete, 60_000);
    },
  );

  it('keeps no object and no upload of killed workers', async () => {
    const kills = bySize({ sample: 3, full: 40 });
    let bytes = 0;
    void proxy.until((_sent, all) => (bytes = all) < 0);
    await createInstance(ada, mapping, 'undisturbed').then(expectWhole);
    const bytesOfExport = bytes;
    let state = SEED;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let kill = 0; kill < kills; kill += 1) {
      await waitFor('an export worker runs', () => system.processes('export worker').length > 0, 60_000);
      const moment = random() * bytesOfExport;
      const reached = proxy.until((_sent, all) => all >= moment);
      const id = await createInstance(ada, mapping, `kill ${kill}`);
      await Promise.race([reached, settled(id)]);
      await system.kill('export worker');
      await settled(id);
      await expectWhole(id);
      await deleteInstance(ada, id);
    }
    await waitFor('each definition has one complete attempt', onlyComplete, 60_000);
    expectRight(await store.removeUnfinished(new Date(Date.now() + 60_000)));
    expect(expectRight(await store.removeUnfinished(new Date(Date.now() + 60_000)))).toBe(0);
  });

  it('keeps no objects of deleted resources', async () => {
    const { status, body } = await system.as('olivia').send('DELETE', '/api/admin/e2e-cleanup');
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('could not be deleted')]);
    await waitFor(
      'the files are deleted',
      async () => (await keys()).every((key) => key.startsWith('.health/')),
      60_000,
    );
  });
});
