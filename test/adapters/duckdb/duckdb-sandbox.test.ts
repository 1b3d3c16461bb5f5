import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { finish } from '../../contracts/query-engine/query-engine-contract';
import { localDestination } from '../../support/local-destination';
import { openWarehouseFixture, type WarehouseFixture } from './warehouse-fixture';

let fixture: WarehouseFixture;

beforeAll(async () => {
  fixture = await openWarehouseFixture();
  await writeFile(join(fixture.folder, 'secret.csv'), 'a,b\n1,2\n');
  await mkdir(join(fixture.folder, 'out'));
});
afterAll(() => fixture.close());

const attack = async (sql: string): Promise<boolean> => {
  const text = sql
    .replaceAll('$SECRET', join(fixture.folder, 'secret.csv'))
    .replaceAll('$EVIL', join(fixture.folder, 'evil'));
  const described = await fixture.engine.describe(text, 'bank');
  const exported = await finish(fixture.engine, {
    sql: text,
    columns: isRight(described) ? described.right.map((column) => column.name) : ['a'],
    catalog: 'bank',
    destination: localDestination(fixture.folder),
    scratchDirectory: join(fixture.folder, 'out'),
  });
  return isLeft(exported);
};

describe('the engine itself refuses SQL that reaches outside the warehouse', () => {
  it.each([
    // reading files
    "SELECT * FROM '$SECRET'",
    'SELECT * FROM "$SECRET"',
    "SELECT * FROM read_csv('$SECRET')",
    "SELECT * FROM read_csv_auto('$SECRET')",
    "SELECT * FROM read_text('$SECRET')",
    "SELECT * FROM read_blob('$SECRET')",
    "SELECT * FROM read_json('$SECRET')",
    "SELECT * FROM read_json_objects('$SECRET')",
    "SELECT * FROM read_parquet('$SECRET')",
    "SELECT * FROM parquet_metadata('$SECRET')",
    "SELECT * FROM parquet_schema('$SECRET')",
    "SELECT * FROM sniff_csv('$SECRET')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM query('SELECT * FROM read_text(''$SECRET'')')",
    "SELECT * FROM query_table('$SECRET')",
    "SELECT (SELECT content FROM read_text('$SECRET')) AS a",
    "WITH x AS (SELECT * FROM read_text('$SECRET')) SELECT * FROM x",
    "FROM '$SECRET'",
    "SELECT * FROM 'https://example.com/x.parquet'",
    "SELECT getenv('HOME') AS a",
    // writing
    "COPY (SELECT 1) TO '$EVIL'",
    "COPY customer FROM '$SECRET'",
    "EXPORT DATABASE '$EVIL'",
    "IMPORT DATABASE '$EVIL'",
    'CREATE TABLE t AS SELECT 1',
    'CREATE TEMP TABLE t AS SELECT 1',
    'CREATE VIEW v AS SELECT 1',
    'CREATE MACRO m() AS 1',
    'INSERT INTO customer VALUES (1, 2)',
    'UPDATE customer SET name = 1',
    'DELETE FROM customer',
    'DROP TABLE customer',
    'ALTER TABLE customer ADD COLUMN x int',
    'TRUNCATE customer',
    'WITH x AS (DELETE FROM customer RETURNING *) SELECT * FROM x',
    // reaching out
    "ATTACH '$EVIL.duckdb' AS evil",
    "ATTACH ':memory:' AS evil",
    'DETACH bank',
    'INSTALL httpfs',
    'LOAD httpfs',
    "LOAD '$EVIL'",
    "CREATE SECRET (TYPE s3, KEY_ID 'x')",
    // settings and commands
    'SET threads = 64',
    'SET enable_external_access = true',
    "SET allowed_directories = ['/']",
    'SET VARIABLE x = 1',
    'RESET memory_limit',
    'PRAGMA threads = 64',
    'PRAGMA version',
    'PRAGMA show_tables',
    'PRAGMA enable_profiling',
    'CALL pragma_version()',
    'CALL enable_logging()',
    'USE memory',
    'CHECKPOINT',
    'VACUUM',
    'ANALYZE',
    'BEGIN',
    'EXPLAIN SELECT 1',
    'EXPLAIN ANALYZE SELECT 1',
    'PREPARE p AS SELECT 1',
    'EXECUTE p',
    // more than one statement, or out of the parentheses
    'SELECT 1 AS a; SELECT 2 AS a',
    'SELECT 1 AS a; DROP TABLE customer',
    "SELECT 1 AS a) AS q) TO '$EVIL'; --",
    "SELECT 1 AS a) AS q) TO '$EVIL' (FORMAT csv); COPY (SELECT * FROM (SELECT 1 AS a",
    'SELECT 1 AS a /* open',
    '',
    '-- nothing',
    // parameters
    'SELECT $1 AS a',
    'SELECT ? AS a',
  ])('%s', async (sql) => {
    expect(await attack(sql)).toBe(true);
    expect(existsSync(join(fixture.folder, 'evil'))).toBe(false);
  });

  it('the engine reads the warehouse', async () => {
    expect(await attack('SELECT name AS a FROM customer LIMIT 1')).toBe(false);
  });
});
