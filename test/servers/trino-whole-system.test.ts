import { randomUUID } from 'node:crypto';
import { S3ObjectStore } from '../../adapters/s3/s3-object-store';
import { supplyCounts, supplyMapping } from '../../bench/trino/supply-mapping';
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
import { type RunningSystem, startRunningSystem } from '../support/running-system';
import { waitFor } from '../support/wait-for';
import { s3OfTest } from './support/s3';
import { createSlowTable, describeWithTrino, openTrino, SLOW_TABLE, type TrinoUnderTest } from './support/trino-server';

jest.setTimeout(600_000);

const PLACE = 'tpch.tiny';
/** Twelve writing statements and their preparation, on a small and busy machine. */
const EXPORTED_MS = 240_000;
const KINDS = ['graphdb_a', 'graphdb_b'] as const;

const oneNode = (sql: string, properties: readonly (readonly [string, string])[] = []) => ({
  name: 'One',
  node_definitions: [
    {
      ...{ label: 'N', sql, primary_key: { name: 'id', type: 'INT64' } },
      properties: properties.map(([name, type]) => ({ name, type })),
    },
  ],
});

describeWithTrino('the whole system on Trino and S3', () => {
  const server = s3OfTest();
  if (server === null) return;
  const unique = randomUUID().replaceAll('-', '');
  const prefix = `trino/${unique}`;
  const store = new S3ObjectStore(server.settings(prefix));
  let trino: TrinoUnderTest;
  let system: RunningSystem;
  let ada: ApiClient;

  beforeAll(async () => {
    trino = await openTrino({ schema: `whole_${unique}`, defaultCatalog: 'tpch', defaultSchema: 'tiny' });
    await createSlowTable(trino);
    system = await startRunningSystem(undefined, {
      ROWGRAPH_QUERY_ENGINE: 'trino',
      ROWGRAPH_TRINO_URL: trino.settings.url,
      ROWGRAPH_TRINO_CATALOG: 'tpch',
      ROWGRAPH_TRINO_SCHEMA: 'tiny',
      ROWGRAPH_TRINO_EXPORT_SCHEMA: `hive.${trino.settings.schema}`,
      ROWGRAPH_ALLOWED_CATALOGS: 'tpch.tiny,blackhole',
      ROWGRAPH_OBJECT_STORE: 's3',
      ROWGRAPH_S3_BUCKET: server.bucket,
      ROWGRAPH_S3_PREFIX: prefix,
      ROWGRAPH_S3_ENDPOINT: server.endpoint,
      ROWGRAPH_S3_PATH_STYLE: 'on',
      ROWGRAPH_E2E_TEST_USERS: 'ada',
      ...server.credentials,
    });
    ada = system.as('ada');
  });
  afterAll(async () => {
    await system.close();
    await trino.sql(`DROP SCHEMA hive.${trino.settings.schema}`);
  });

  const keys = async () => expectRight(await store.list('')).map(({ key }) => key);
  const tables = () => trino.sql(`SHOW TABLES FROM hive.${trino.settings.schema}`);
  /** Queries of the system with these texts that Trino has not ended. */
  const queriesWith = (text: string) =>
    trino.sql(`SELECT query_id, state FROM system.runtime.queries
      WHERE state NOT IN ('FINISHED', 'FAILED') AND source = 'rowgraph' AND query LIKE '%${text}%' AND query NOT LIKE '%runtime.queries%'`);

  it.each(KINDS)('loads an instance of %s with as many nodes and edges as SQL counts', async (kind) => {
    const id = await createInstance(ada, await createMapping(ada, supplyMapping(PLACE)), 'Supply', kind);
    const { instance_url } = await untilRunning(ada, id, EXPORTED_MS);
    for (const { what, sql, cypher } of supplyCounts(PLACE)) {
      const [[counted] = []] = await trino.sql(sql);
      expect([what, await ask(ada, instance_url, cypher)]).toEqual([what, [[Number(counted)]]]);
    }
    expect(await tables()).toEqual([]);
    await deleteInstance(ada, id);
  });

  it('lists allowed catalogs, tables and columns only', async () => {
    await waitFor('the schema cache is filled', async () =>
      (await ada.call('browseCatalogs')).data.catalogs.includes('tpch'),
    );
    const { data } = await ada.call('browseCatalogs');
    expect(data.catalogs).toEqual(['blackhole', 'tpch']);
    const columns = await ada.call('browseColumns', { query: { catalog: 'tpch', schema: 'tiny', table: 'nation' } });
    expect(columns.data.columns.map(({ name, type }) => [name, type])).toEqual([
      ['nationkey', 'bigint'],
      ['name', 'varchar(25)'],
      ['regionkey', 'bigint'],
      ['comment', 'varchar(152)'],
    ]);
  });

  it('checks queries and suggests definitions without running them', async () => {
    const validate = async (sql: string) => (await ada.call('validateSql', { body: { sql } })).data;
    expect(await validate('SELECT nationkey, name FROM nation')).toMatchObject({ valid: true, columns: [{}, {}] });
    expect(await validate('SELECT nationkey,\n  nam FROM nation')).toMatchObject({
      valid: false,
      position: { line: 2, column: 3 },
    });
    expect(await validate('SELECT nationkey FROM nation;')).toMatchObject({ valid: true });
    for (const sql of ['SELECT * FROM tpch.sf1.nation', 'SELECT 1 FROM tpch.sf1.nation WHERE false']) {
      expect(await ada.refused('POST', '/api/queryengine/validate', { body: { sql } })).toMatchObject({
        code: 'PERMISSION_DENIED',
      });
    }
    const suggested = await ada.call('parseSql', { body: { node_queries: ['SELECT custkey, name FROM customer'] } });
    expect(suggested.data.node_definitions).toMatchObject([{ primary_key: { name: 'custkey', type: 'INT64' } }]);
  });

  it('has no sample, and suggests an alternative', async () => {
    expect(await system.as('olivia').refused('POST', '/api/schema/sample')).toMatchObject({ code: 'INVALID_STATE' });
  });

  it('loads a mapping without rows', async () => {
    for (const kind of KINDS) {
      const none = await createMapping(ada, oneNode('SELECT nationkey AS id FROM nation WHERE nationkey < 0'));
      const id = await createInstance(ada, none, 'Empty', kind);
      expect(
        await ask(ada, (await untilRunning(ada, id, EXPORTED_MS)).instance_url, 'MATCH (n:N) RETURN count(n)'),
      ).toEqual([[0]]);
      await deleteInstance(ada, id);
    }
  });

  it('reports the definition, the reason and the position when a query fails', async () => {
    const wrong = await createMapping(ada, oneNode('SELECT nationkey AS id,\n  nam FROM nation'));
    const id = await createInstance(ada, wrong, 'Wrong');
    const { status, error_message } = await untilSettled(ada, id, EXPORTED_MS);
    expect([status, error_message]).toEqual(['failed', expect.stringMatching(/N.*nam.*line 2, column 3/s)]);
    await deleteInstance(ada, id);

    const failing = await createMapping(ada, oneNode('SELECT 1 / (nationkey - 7) AS id FROM nation'));
    const other = await createInstance(ada, failing, 'Failing');
    const failed = await untilSettled(ada, other, EXPORTED_MS);
    expect([failed.status, failed.error_message]).toEqual(['failed', expect.stringMatching(/N.*DIVISION_BY_ZERO/s)]);
    await deleteInstance(ada, other);
  });

  it.each([
    ['before its query runs', () => Promise.resolve()],
    ['while its query runs', () => waitFor('the query runs', async () => (await queriesWith(SLOW_TABLE)).length > 0)],
  ])('ends an export whose instance is deleted %s', async (_state, until) => {
    const slow = await createMapping(ada, oneNode(`SELECT n AS id FROM ${SLOW_TABLE}`));
    const id = await createInstance(ada, slow, 'Slow');
    await until();
    await deleteInstance(ada, id);
    await waitFor('the instance is deleted', async () => (await findInstance(ada, id).catch(() => null)) === null);
    await waitFor('the query has ended', async () => (await queriesWith(SLOW_TABLE)).length === 0);
    expect(await tables()).toEqual([]);
  });

  it('keeps no objects of deleted resources', async () => {
    const { status, body } = await system.as('olivia').send('DELETE', '/api/admin/e2e-cleanup');
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('could not be deleted')]);
    await waitFor('the files are deleted', async () => (await keys()).every((key) => key.startsWith('.health/')));
    expect(await tables()).toEqual([]);
  });
});
