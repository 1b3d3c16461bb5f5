import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExportRequest, type ExportState } from '../../domain/ports/query-engine';
import { ok } from '../contracts/query-engine/query-engine-contract';
import { waitFor } from '../support/wait-for';
import {
  createSlowTable,
  describeWithTrino,
  openTrino,
  type S3Destination,
  s3Destination,
  SLOW_TABLE,
  type TrinoUnderTest,
} from './support/trino-server';

jest.setTimeout(600_000);

const MANY_ROWS = 'SELECT orderkey, comment FROM tpch.sf1.lineitem';
const FEW_ROWS = 'SELECT nationkey AS orderkey, comment FROM tpch.tiny.nation';

describeWithTrino.each(['hive', 'iceberg'])('failing exports through %s', (catalog) => {
  let trino: TrinoUnderTest;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowgraph-leftovers-'));
    trino = await openTrino({ catalog, schema: 'leftovers' });
    for (const [name] of await tables()) await trino.sql(`DROP TABLE ${catalog}.leftovers.${String(name)}`);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await trino.sql(`DROP SCHEMA ${catalog}.leftovers CASCADE`);
  });

  const tables = () => trino.sql(`SHOW TABLES FROM ${catalog}.leftovers`);
  const begin = async (sql: string) => {
    const destination: S3Destination = s3Destination(folder);
    const request: ExportRequest = {
      ...{ sql, columns: ['orderkey', 'comment'], catalog: null, destination, scratchDirectory: folder },
    };
    const begun = ok(await trino.engine.submitExport(request));
    if (begun.state !== 'running') throw new Error('The export has ended already.');
    return { destination, request, begun };
  };
  type Begun = Awaited<ReturnType<typeof begin>>;
  /** Polls it until Trino writes. */
  const untilItWrites = async ({ request, begun }: Begun): Promise<string> => {
    let state: ExportState = begun;
    await waitFor('the query of Trino runs', async () => {
      if (state.state === 'running') state = ok(await trino.engine.pollExport(state.nextUri, request));
      const [[found] = []] = await trino.sql(
        `SELECT state FROM system.runtime.queries WHERE query_id = '${state.queryId}'`,
      );
      return found === 'RUNNING';
    });
    const last = state as ExportState;
    if (last.state !== 'running') throw new Error('The export ended before it could be cancelled.');
    return last.nextUri;
  };
  const expectNothingIn = async ({ destination }: Begun): Promise<void> => {
    await waitFor('all objects are deleted', async () => (await destination.keys()).length === 0);
    expect(await tables()).toEqual([]);
  };

  it('leave no table and no object when they are cancelled', async () => {
    const before = await begin(MANY_ROWS);
    ok(await trino.engine.cancelExport(before.begun.nextUri));
    expect(await trino.engine.pollExport(before.begun.nextUri, before.request)).toMatchObject({ _tag: 'Left' });
    await expectNothingIn(before);

    const during = await begin(MANY_ROWS);
    const nextUri = await untilItWrites(during);
    ok(await trino.engine.cancelExport(nextUri));
    expect(await trino.engine.pollExport(nextUri, during.request)).toMatchObject({ _tag: 'Left' });
    await expectNothingIn(during);
  });

  it('leave none when another worker takes over: it ends the query, whose pages are gone', async () => {
    const begun = await begin(MANY_ROWS);
    const addresses = [await untilItWrites(begun)];
    // The latest address can be requested again, and so can those of a query that has just left the queue.
    for (let page = 0; page < 3; page += 1) {
      const state = ok(await trino.engine.pollExport(addresses.at(-1) ?? '', begun.request));
      if (state.state === 'running') addresses.push(state.nextUri);
    }
    const { engine } = await openTrino({ catalog, schema: 'leftovers' });
    expect(await engine.pollExport(addresses[1] ?? '', begun.request)).toMatchObject({
      left: { kind: 'unknown_query' },
    });
    await waitFor('the query has ended', async () => {
      const found = await trino.sql(
        `SELECT state FROM system.runtime.queries WHERE query_id = '${begun.begun.queryId}'`,
      );
      return found[0]?.[0] === 'FAILED';
    });
    await expectNothingIn(begun);
  });

  it('leave none when their pages are not requested any more: Trino abandons the query', async () => {
    await createSlowTable(trino);
    const begun = await begin(`SELECT n AS orderkey, 'slow' AS comment FROM ${SLOW_TABLE}`);
    const nextUri = await untilItWrites(begun);
    const failed = `SELECT error_code FROM system.runtime.queries WHERE state = 'FAILED' AND query_id = '${begun.begun.queryId}'`;
    await waitFor('Trino abandons the query', async () => (await trino.sql(failed)).length > 0, 480_000);
    expect(await trino.sql(failed)).toEqual([['ABANDONED_QUERY']]);
    await expectNothingIn(begun);
    expect(await trino.engine.pollExport(nextUri, begun.request)).toMatchObject({
      left: { kind: 'query_failed', canRetry: true },
    });
  });

  it('leave a table until the next cleanup when a worker dies after the end of its query', async () => {
    const { destination, begun } = await begin(FEW_ROWS);
    for (let next: string | null = begun.nextUri; next !== null;) next = ok(await trino.client.next(next)).nextUri;
    await trino.sql(`CREATE TABLE ${catalog}.leftovers.rowgraph_of_a_user AS SELECT 1 AS n`);
    expect(await tables()).toHaveLength(2);

    expect(ok(await trino.engine.removeLeftovers(new Date(Date.now() - 3600_000)))).toBe(0);
    expect(ok(await trino.engine.removeLeftovers(new Date(Date.now() + 1000)))).toBe(1);
    expect(await tables()).toEqual([['rowgraph_of_a_user']]);
    // The files may belong to a completed export.
    expect(ok(await destination.storedFiles()).reduce((sum, { rows }) => sum + rows, 0)).toBe(25);
    await trino.sql(`DROP TABLE ${catalog}.leftovers.rowgraph_of_a_user`);
  });
});
