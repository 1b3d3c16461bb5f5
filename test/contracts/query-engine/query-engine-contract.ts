import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Either, isLeft, right } from 'fp-ts/Either';
import {
  type ExportDestination,
  type ExportRequest,
  type ExportState,
  type QueryEngine,
} from '../../../domain/ports/query-engine';

/** A query engine with a catalog whose schema `main`, the default, has a table `customer(id bigint, name varchar)` of 1,000 rows. */
export interface EngineUnderTest {
  readonly engine: QueryEngine;
  /** Also the default for unqualified names. */
  readonly catalog: string;
  /** A query that runs for minutes. */
  readonly slowSql: string;
  /** A new folder for the files of one export, given an empty local folder. */
  destination(folder: string): ExportDestination;
  /** Local copies of the Parquet files of a finished export. */
  filesOf(request: ExportRequest, finished: ExportState & { state: 'finished' }): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const ok = <E, A>(result: Either<E, A>): A => {
  if (isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Matches a text that contains `part`. */
export const containing = (part: string): unknown => expect.stringContaining(part);

/** Rows of Parquet files as JSON-like objects, all files together, with DuckDB's names of the column types. */
export const readParquet = async (
  files: readonly string[],
): Promise<{ rows: readonly Record<string, unknown>[]; types: Record<string, string> }> => {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const list = files.map((file) => `'${file}'`).join(', ');
  const result = await connection.runAndReadAll(`FROM read_parquet([${list}])`);
  const types = result.columnTypes().map((type, index) => [result.columnName(index), type.toString()]);
  const read = { rows: result.getRowObjectsJson(), types: Object.fromEntries(types) as Record<string, string> };
  connection.closeSync();
  instance.closeSync();
  return read;
};

/** Runs an export to completion. */
export const finish = async (
  engine: QueryEngine,
  request: ExportRequest,
  submitted = engine.submitExport(request),
): ReturnType<QueryEngine['submitExport']> => {
  let answer = await submitted;
  while (answer._tag === 'Right' && answer.right.state === 'running') {
    answer = await engine.pollExport(answer.right.nextUri, request);
  }
  return answer;
};

/** The contract of query engines. DuckDB and Trino both accept the SQL. */
export const describeQueryEngine = (name: string, open: () => Promise<EngineUnderTest>): void => {
  describe(`the query engine ${name}`, () => {
    let subject: EngineUnderTest;
    let scratch: string;
    let number = 0;

    const request = async (sql: string, columns: readonly string[]): Promise<ExportRequest> => {
      number += 1;
      const scratchDirectory = join(scratch, String(number));
      await mkdir(scratchDirectory);
      return {
        sql,
        columns,
        catalog: subject.catalog,
        destination: subject.destination(scratchDirectory),
        scratchDirectory,
      };
    };
    const runExport = async (sql: string, columns: readonly string[]): ReturnType<typeof readParquet> => {
      const wanted = await request(sql, columns);
      const ended = ok(await finish(subject.engine, wanted));
      if (ended.state !== 'finished') throw new Error('the export is still running');
      const files = await subject.filesOf(wanted, ended);
      const read = await readParquet(files);
      const hashes = await Promise.all(files.map(async (file) => sha256Of(await readFile(file))));
      expect(ended.storedFiles.map(({ sha256 }) => sha256)).toEqual(hashes);
      expect(ended.storedFiles.reduce((sum, file) => sum + file.rows, 0)).toBe(read.rows.length);
      return read;
    };

    beforeAll(async () => {
      subject = await open();
      scratch = await mkdtemp(join(tmpdir(), 'rowgraph-engine-'));
    });
    afterAll(async () => {
      await subject.close();
      await rm(scratch, { recursive: true, force: true });
    });

    it('returns the names and types of a query without running it', async () => {
      expect(
        ok(
          await subject.engine.describe(
            'SELECT id, name, CAST(1 AS decimal(10,2)) AS d FROM customer',
            subject.catalog,
          ),
        ),
      ).toEqual([
        { name: 'id', type: 'bigint' },
        { name: 'name', type: 'varchar' },
        { name: 'd', type: 'decimal(10,2)' },
      ]);
      expect(ok(await subject.engine.describe(subject.slowSql, subject.catalog))).toHaveLength(1);
    });

    it('samples rows of a table as texts', async () => {
      const { catalog } = subject;
      const sampled = ok(await subject.engine.sampleRows([catalog, 'main', 'customer'], 2, 'ada'));
      expect(sampled.map(({ id }) => id)).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
      expect(await subject.engine.sampleRows([catalog, 'main', 'no "such'], 2, 'ada')).toMatchObject({ _tag: 'Left' });
    });

    it('keeps columns with the same name separate when it describes a query', async () => {
      const columns = ok(await subject.engine.describe('SELECT id, id, name AS id FROM customer', subject.catalog));
      expect(columns.map((column) => column.name)).toEqual(['id', 'id', 'id']);
    });

    it('reports the position of an error in a query', async () => {
      expect(await subject.engine.describe("SELECT 'äöü',\n  nothere FROM customer", subject.catalog)).toMatchObject({
        left: { kind: 'invalid_sql', message: containing('nothere'), position: { line: 2, column: 3 } },
      });
      expect(await subject.engine.describe('SELECT id FROM\ncustomer WHERE WHERE', subject.catalog)).toMatchObject({
        left: { kind: 'invalid_sql', position: { line: 2, column: 16 } },
      });
      expect(await subject.engine.describe('SELECT 1 FROM no_such_table', subject.catalog)).toMatchObject({
        left: { kind: 'invalid_sql', message: containing('no_such_table') },
      });
    });

    it('exports the requested columns in the requested order to Parquet', async () => {
      const { rows, types } = await runExport('SELECT 1 AS other, name, id FROM customer WHERE id < 3', ['id', 'name']);

      expect(types).toEqual({ id: 'BIGINT', name: 'VARCHAR' });
      expect([...rows].sort((a, b) => Number(a['id']) - Number(b['id']))).toEqual([
        { id: '0', name: 'n0' },
        { id: '1', name: 'n1' },
        { id: '2', name: 'n2' },
      ]);
    });

    it('exports under the requested spelling of a name when the query differs only in case', async () => {
      const { rows } = await runExport('SELECT id AS customerid FROM customer WHERE id = 7', ['customerId']);
      const [row = {}] = rows;
      // Names in Hive tables are in lower case; files are read without regard to case.
      expect(Object.keys(row).map((name) => name.toLowerCase())).toEqual(['customerid']);
      expect(Object.values(row)).toEqual(['7']);
    });

    it('exports a query that ends with a comment', async () => {
      expect((await runExport('SELECT id FROM customer WHERE id = 1 -- the first', ['id'])).rows).toHaveLength(1);
    });

    it('writes an empty typed file for a query without rows', async () => {
      const { rows, types } = await runExport('SELECT id, name FROM customer WHERE id < 0', ['id', 'name']);

      expect(rows).toEqual([]);
      expect(types).toEqual({ id: 'BIGINT', name: 'VARCHAR' });
    });

    it('reports the missing and the existing columns', async () => {
      expect(
        await subject.engine.submitExport(await request('SELECT id, name FROM customer', ['id', 'foo'])),
      ).toMatchObject({
        left: { kind: 'invalid_sql', message: 'column "foo" is missing; the query returns: id, name' },
      });
    });

    it('rejects two columns with the same requested name', async () => {
      expect(
        await subject.engine.submitExport(await request('SELECT id, name AS id FROM customer', ['id'])),
      ).toMatchObject({
        left: { kind: 'invalid_sql', message: containing('column "id" exists 2 times') },
      });
    });

    it('reports a query that fails while it runs', async () => {
      const failing = await request('SELECT CAST(name AS bigint) AS id FROM customer', ['id']);
      expect(await finish(subject.engine, failing)).toMatchObject({
        left: { kind: 'query_failed', canRetry: false },
      });
    });

    it('runs several exports concurrently', async () => {
      const all = [1, 2, 3, 4, 5, 6].map((count) => runExport(`SELECT id FROM customer WHERE id < ${count}`, ['id']));
      expect((await Promise.all(all)).map((result) => result.rows.length)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it('cancels a running export, and accepts a second or late cancellation', async () => {
      const { engine } = subject;
      const wanted = await request(subject.slowSql, ['n']);
      const slow = ok(await engine.submitExport(wanted));
      if (slow.state !== 'running') throw new Error('the slow query ended at once');
      expect(ok(await engine.pollExport(slow.nextUri, wanted)).state).toBe('running');

      expect(await engine.cancelExport(slow.nextUri)).toEqual(right(undefined));
      expect(await engine.cancelExport(slow.nextUri)).toEqual(right(undefined));
      expect(await engine.pollExport(slow.nextUri, wanted)).toMatchObject({ _tag: 'Left' });
    });

    it('lists catalogs, schemas, tables and columns', async () => {
      const { engine } = subject;
      expect(ok(await engine.listCatalogs())).toContainEqual({ name: subject.catalog, problem: null, skipped: null });
      expect(ok(await engine.listSchemas(subject.catalog))).toContain('main');
      expect(ok(await engine.listTables(subject.catalog, 'main', null))).toContainEqual({
        name: 'customer',
        type: 'TABLE',
        columns: [
          { name: 'id', type: 'bigint', nullable: true, ordinalPosition: 1, defaultValue: null },
          { name: 'name', type: 'varchar', nullable: true, ordinalPosition: 2, defaultValue: null },
        ],
      });
      expect(ok(await engine.listTables(subject.catalog, 'main', 'customer')).map(({ name }) => name)).not.toContain(
        'customer',
      );
      expect(ok(await engine.listTables(subject.catalog, 'main', 'zzz'))).toEqual([]);
      expect(ok(await engine.listSchemas('nowhere'))).toEqual([]);
    });

    it('lists every table that a query could read', async () => {
      const { engine } = subject;
      const customer = { catalog: subject.catalog, schema: 'main' };
      const path = [subject.catalog, 'main', 'customer'];
      const both = `SELECT 1 FROM ${path.join('.')} UNION SELECT 2 FROM MAIN.Customer`;
      expect(ok(await engine.tablesOf(both))).toEqual([
        { ...customer, path },
        { ...customer, path: ['MAIN', 'Customer'] },
      ]);
      // An engine may skip an unneeded read, but the table must still be reported as read.
      const unread = `SELECT 1 FROM ${path.join('.')} WHERE false`;
      expect(ok(await engine.tablesOf(unread))).toEqual([{ ...customer, path }]);
      expect(ok(await engine.tablesOf('SELECT 1 FROM elsewhere.customer'))).toEqual([]);
      expect(ok(await engine.tablesOf('SELECT 1 FROM no.such."table"'))).toEqual([
        { catalog: 'no', schema: 'such', path: ['no', 'such', 'table'] },
      ]);
    });

    it('answers a ping', async () => expect(await subject.engine.ping()).toEqual(right(undefined)));
  });
};
