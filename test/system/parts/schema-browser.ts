import { join } from 'node:path';
import { runInDatabase, writeParquet } from '../../adapters/duckdb/warehouse-fixture';
import { type ApiClient } from '../../support/api-client';
import { type RunningSystem, TIMEOUT_MS } from '../../support/running-system';
import { waitFor } from '../../support/wait-for';

/** Two catalogs that are allowed, and what is not. */
export const fillCatalogs = async (warehouse: string): Promise<void> => {
  await runInDatabase(
    join(warehouse, 'bank.duckdb'),
    'CREATE TABLE customer (id BIGINT NOT NULL, name VARCHAR DEFAULT \'nobody\', "a_b%" DECIMAL(10,2))',
    'CREATE SCHEMA archive',
    'CREATE TABLE archive.customer AS SELECT 1 AS id',
    'CREATE VIEW archive.names AS SELECT name FROM main.customer',
  );
  await writeParquet(join(warehouse, 'lake', 'raw', 'event.parquet'), 'SELECT 5 AS id');
  await writeParquet(join(warehouse, 'lake', 'hidden', 'secret.parquet'), 'SELECT 5 AS id');
  await runInDatabase(join(warehouse, 'vault.duckdb'), 'CREATE TABLE gold AS SELECT 1 AS id');
};
export const ALLOWED_CATALOGS = 'bank, LAKE.raw';

/** A part of restarted-system.test.ts. */
export const schemaBrowser = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let ada: ApiClient;
  let admin: ApiClient;

  const dataOf = async (path: string, client = ada): Promise<unknown> => {
    const { status, body } = await client.send('GET', `/api${path}`);
    expect({ path, status }).toEqual({ path, status: 200 });
    return (body as { data: unknown }).data;
  };
  const catalogs = async () => (await ada.call('browseCatalogs')).data.catalogs;
  const untilCached = (...names: readonly string[]) =>
    waitFor(`the cache holds ${names.join(', ')}`, async () => (await catalogs()).join() === names.join(), TIMEOUT_MS);

  beforeAll(async () => {
    system = shared();
    ada = system.as('ada');
    admin = system.as('olivia');
    await untilCached('bank', 'lake');
  });

  describe('the schema cache', () => {
    it('returns the allowed catalogs, schemas, tables and columns', async () => {
      const cached_at = expect.stringMatching(/^\d{4}-.*Z$/) as string;
      expect(await dataOf('/schema/catalogs')).toEqual([
        { catalog_name: 'bank', schema_count: 2, cached_at, problem: null },
        { catalog_name: 'lake', schema_count: 1, cached_at, problem: null },
      ]);
      expect(await dataOf('/schema/catalogs/bank/schemas')).toEqual([
        { catalog_name: 'bank', schema_name: 'archive', table_count: 2, cached_at },
        { catalog_name: 'bank', schema_name: 'main', table_count: 1, cached_at },
      ]);
      expect(await dataOf('/schema/catalogs/bank/schemas/archive/tables')).toMatchObject([
        { table_name: 'customer', table_type: 'TABLE', column_count: 1, cached_at },
        { table_name: 'names', table_type: 'VIEW', column_count: 1 },
      ]);
      const column = { catalog_name: 'bank', schema_name: 'main', table_name: 'customer', cached_at };
      expect(await dataOf('/schema/catalogs/bank/schemas/main/tables/customer/columns')).toEqual([
        {
          ...column,
          column_name: 'id',
          data_type: 'bigint',
          is_nullable: false,
          ordinal_position: 1,
          column_default: null,
        },
        {
          ...column,
          column_name: 'name',
          data_type: 'varchar',
          is_nullable: true,
          ordinal_position: 2,
          column_default: "'nobody'",
        },
        {
          ...column,
          column_name: 'a_b%',
          data_type: 'decimal(10,2)',
          is_nullable: true,
          ordinal_position: 3,
          column_default: null,
        },
      ]);
    });

    it.each([
      '/nowhere/schemas',
      '/vault/schemas',
      '/BANK/schemas',
      '/lake/schemas/hidden/tables',
      '/bank/schemas/none/tables',
      '/bank/schemas/main/tables/none/columns',
      '/bank/schemas/main/tables/%00/columns',
      '/vault/schemas/main/tables/gold/columns',
    ])('returns nothing at %s', async (path) => {
      expect(await ada.refused('GET', `/api/schema/catalogs${path}`)).toMatchObject({
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
      });
    });

    it('finds tables and columns by the beginning of their names', async () => {
      expect(await dataOf('/schema/search/tables?q=CUST')).toMatchObject([
        { catalog_name: 'bank', schema_name: 'archive', table_name: 'customer' },
        { catalog_name: 'bank', schema_name: 'main', table_name: 'customer' },
      ]);
      expect(await dataOf('/schema/search/columns?q=a_b%25')).toMatchObject([{ column_name: 'a_b%' }]);
      expect(await dataOf('/schema/search/columns?q=i&limit=1')).toHaveLength(1);
      expect(await dataOf('/schema/search/tables?q=gold')).toEqual([]);
    });

    it.each(['', 'q=', 'q=a&limit=0', 'q=a&limit=1001', 'q=a&limit=x', `q=${'a'.repeat(256)}`, 'q=%00'])(
      'does not search by "%s"',
      async (query) => {
        for (const kind of ['tables', 'columns']) {
          expect(await ada.refused('GET', `/api/schema/search/${kind}?${query}`)).toMatchObject({
            status: 400,
            code: 'VALIDATION_FAILED',
          });
        }
      },
    );

    it('can be measured and refreshed by admins only', async () => {
      expect(await dataOf('/schema/stats', admin)).toMatchObject({
        total_catalogs: 2,
        total_schemas: 3,
        total_tables: 4,
        total_columns: 6,
      });
      const { data } = await admin.call('getSchemaStats');
      expect(data.index_size_bytes).toBeGreaterThan(8192);
      for (const [method, path] of [
        ['GET', '/api/schema/stats'],
        ['POST', '/api/schema/admin/refresh'],
      ] as const) {
        expect(await ada.refused(method, path)).toMatchObject({
          status: 403,
          code: 'FORBIDDEN',
          details: { required_role: 'admin', your_role: 'analyst' },
        });
      }
    });
  });

  describe('the browser of the query engine', () => {
    it('returns names from the cache', async () => {
      const cached_at = expect.stringMatching(/Z$/) as string;
      expect(await dataOf('/queryengine/catalogs')).toEqual({ catalogs: ['bank', 'lake'], cached_at });
      expect(await dataOf('/queryengine/schemas?catalog=lake')).toEqual({
        catalog: 'lake',
        schemas: ['raw'],
        cached_at,
      });
      expect(await dataOf('/queryengine/tables?catalog=lake&schema=raw')).toEqual({
        catalog: 'lake',
        schema: 'raw',
        tables: ['event'],
        cached_at,
      });
      expect(await dataOf('/queryengine/columns?catalog=lake&schema=raw&table=event')).toEqual({
        catalog: 'lake',
        schema: 'raw',
        table: 'event',
        columns: [{ name: 'id', type: 'integer', nullable: true }],
        cached_at,
      });
    });

    it.each([
      [403, 'PERMISSION_DENIED', 'schemas?catalog=vault'],
      [403, 'PERMISSION_DENIED', 'schemas?catalog=nowhere'],
      [403, 'PERMISSION_DENIED', 'tables?catalog=lake&schema=hidden'],
      [403, 'PERMISSION_DENIED', 'columns?catalog=vault&schema=main&table=gold'],
      [404, 'RESOURCE_NOT_FOUND', 'tables?catalog=bank&schema=none'],
      [404, 'RESOURCE_NOT_FOUND', 'columns?catalog=bank&schema=main&table=none'],
      [400, 'VALIDATION_FAILED', 'schemas'],
      [400, 'VALIDATION_FAILED', 'tables?catalog=bank'],
      [400, 'VALIDATION_FAILED', 'columns?catalog=bank&schema=main&table='],
    ])('answers %d %s at %s', async (status, code, path) => {
      expect(await ada.refused('GET', `/api/queryengine/${path}`)).toMatchObject({ status, code });
    });

    it('finds a new table after a refresh, and keeps its contents over restarts and changes of the allow-list', async () => {
      await writeParquet(join(system.folder, 'warehouse', 'lake', 'raw', 'visit.parquet'), 'SELECT 5 AS id');
      // One of them arrives while a refresh runs, which another follows then.
      const requests = await Promise.all([admin.call('refreshSchemaCache'), admin.call('refreshSchemaCache')]);
      expect(requests.map(({ data }) => data.status)).toContain('already_running');
      const tables = async () => dataOf('/queryengine/tables?catalog=lake&schema=raw');
      await waitFor(
        'the new table is listed',
        async () => JSON.stringify(await tables()).includes('visit'),
        TIMEOUT_MS,
      );

      await system.stop();
      await system.start();
      expect(await catalogs()).toEqual(['bank', 'lake']);

      await system.stop();
      await system.start({ ROWGRAPH_ALLOWED_CATALOGS: 'bank.archive,vault' });
      expect(await catalogs()).not.toContain('lake');
      expect(await dataOf('/schema/search/tables?q=visit')).toEqual([]);
      expect(await ada.refused('GET', '/api/queryengine/schemas?catalog=lake')).toMatchObject({ status: 403 });
      await untilCached('bank', 'vault');
      expect(await dataOf('/queryengine/schemas?catalog=bank')).toMatchObject({ schemas: ['archive'] });
    });
  });
};
