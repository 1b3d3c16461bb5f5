import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { S3ObjectStore } from '../../adapters/s3/s3-object-store';
import { type ApiClient } from '../support/api-client';
import { expectRight } from '../support/given-when-then';
import { ask, createInstance, createMapping, deleteInstance, findInstance, untilRunning } from '../support/instances';
import { type RunningSystem, startRunningSystem } from '../support/running-system';
import { waitFor } from '../support/wait-for';
import { type Proxy, startProxy } from './support/proxy';
import { s3OfTest } from './support/s3';
import { describeWithTrino, openTrino, type TrinoUnderTest } from './support/trino-server';

jest.setTimeout(900_000);

/** Waits for at least five seconds. */
const SLOWLY = 'blackhole.default.slowly';
const ROWS = 100;
/** Takes some seconds; needs no table that is lost with the server. */
const ORDERS = 'SELECT orderkey AS id FROM tpch.sf1.orders WHERE orderkey % 10000 = 0';
const EXPORTED_MS = 300_000;
/** A shell command that ends the server by SIGKILL, starts it again at the same address, and waits until it answers. */
const restart = process.env['TRINO_RESTART_COMMAND'];

describeWithTrino('exports through Trino', () => {
  const server = s3OfTest();
  if (server === null) return;
  const unique = randomUUID().replaceAll('-', '');
  const prefix = `killed/${unique}`;
  const store = new S3ObjectStore(server.settings(prefix));
  let trino: TrinoUnderTest;
  let proxy: Proxy;
  let system: RunningSystem;
  let ada: ApiClient;

  beforeAll(async () => {
    trino = await openTrino({ schema: `killed_${unique}`, timeoutMs: 120_000 });
    proxy = await startProxy(trino.settings.url);
    system = await startRunningSystem(undefined, {
      ROWGRAPH_QUERY_ENGINE: 'trino',
      ROWGRAPH_TRINO_URL: proxy.url,
      ROWGRAPH_TRINO_EXPORT_SCHEMA: `hive.${trino.settings.schema}`,
      ROWGRAPH_OBJECT_STORE: 's3',
      ROWGRAPH_S3_BUCKET: server.bucket,
      ROWGRAPH_S3_PREFIX: prefix,
      ROWGRAPH_S3_ENDPOINT: server.endpoint,
      ROWGRAPH_S3_PATH_STYLE: 'on',
      ROWGRAPH_E2E_TEST_USERS: 'ada',
      ...server.credentials,
    });
    ada = system.as('ada');
    await trino.sql(`CREATE TABLE IF NOT EXISTS ${SLOWLY} (n bigint)
      WITH (split_count = 1, pages_per_split = 10, rows_per_page = 10, page_processing_delay = '500ms')`);
  });
  afterAll(async () => {
    await system.close();
    await proxy.close();
    await trino.sql(`DROP SCHEMA hive.${trino.settings.schema} CASCADE`);
  });

  const tables = () => trino.sql(`SHOW TABLES FROM hive.${trino.settings.schema}`);
  const keys = async () => expectRight(await store.list('')).map(({ key }) => key);
  const writing = (states: string) =>
    trino.sql(`SELECT query_id, state FROM system.runtime.queries
      WHERE query LIKE 'CREATE TABLE%${unique}%' AND state ${states}`);
  const created = () => proxy.until((sent) => sent.includes('CREATE TABLE'));
  const running = () =>
    waitFor('the query of Trino runs', async () => (await writing(`= 'RUNNING'`)).length > 0, EXPORTED_MS);
  const settled = (id: number) =>
    waitFor(
      'the instance is running or failed',
      async () => ['running', 'failed'].includes((await findInstance(ada, id)).status),
      EXPORTED_MS,
    );

  const createFrom = async (sql: string): Promise<number> => {
    const node = { label: 'N', sql, primary_key: { name: 'id', type: 'INT64' }, properties: [] };
    return createInstance(ada, await createMapping(ada, { name: 'Killed', node_definitions: [node] }), 'Killed');
  };

  /**
   * Checks that the graph is complete, that no query is still writing, and that only the files of one attempt exist.
   */
  const expectWhole = async (id: number, rows: number): Promise<void> => {
    await settled(id);
    const { instance_url } = await untilRunning(ada, id);
    expect(await ask(ada, instance_url, 'MATCH (n:N) RETURN count(n)')).toEqual([[rows]]);
    expect(await writing(`NOT IN ('FINISHED', 'FAILED')`)).toEqual([]);
    expect(await tables()).toEqual([]);
    const attempts = (await keys()).flatMap((key) => /\/attempt-\d+\//.exec(key)?.slice(0, 1) ?? []);
    expect(new Set(attempts).size).toBe(1);
  };
  const expectNothingLeftOf = async (id: number): Promise<void> => {
    await deleteInstance(ada, id);
    expect((await system.as('olivia').send('DELETE', '/api/admin/e2e-cleanup')).status).toBe(200);
    await waitFor('the files are deleted', async () => (await keys()).every((key) => key.startsWith('.health/')));
  };

  it.each([
    ['has submitted its query', created],
    ['has begun its query', running],
  ])('are complete, and leave nothing, when the worker is killed as it %s', async (_what, moment) => {
    const come = moment === created ? created() : null;
    const id = await createFrom(`SELECT row_number() OVER () AS id FROM ${SLOWLY}`);
    await (come ?? moment());
    await system.kill('export worker');
    await expectWhole(id, ROWS);
    await expectNothingLeftOf(id);
  });

  (restart === undefined ? it.skip : it)('are whole, or fail with a message, when Trino is killed', async () => {
    const id = await createFrom(ORDERS);
    await running();
    await promisify(execFile)('sh', ['-c', restart ?? '']);
    await settled(id);
    const { status, error_message } = await findInstance(ada, id);
    if (status === 'failed') expect(error_message).toMatch(/Trino|SERVER_STARTING_UP/);
    const other = status === 'running' ? id : await createFrom(ORDERS);
    const [[rows] = []] = await trino.sql(`SELECT count(*) FROM (${ORDERS})`);
    await expectWhole(other, Number(rows));
    await expectNothingLeftOf(other);
  });
});
