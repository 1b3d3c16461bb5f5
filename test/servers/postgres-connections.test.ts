import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { Client } from 'pg';
import { connectionTo, sharesConnections, withPasswordFile } from '../../adapters/postgres/connection';
import { nextStepAfter } from '../../adapters/postgres/database-error';
import { migrate } from '../../adapters/postgres/migrate';
import { createPool } from '../../adapters/postgres/pool';
import { launchProcess } from '../../adapters/system/launch-process';
import { isDatabaseAway } from '../../queries/kit/database';
import { expectRight } from '../support/given-when-then';
import { createInstance, createMapping, untilRunning } from '../support/instances';
import { START_PROGRAM, startRunningSystem } from '../support/running-system';
import { crowdMapping, fillWarehouse } from '../support/sample-mappings';
import {
  describeWithPgBouncer,
  describeWithPostgres,
  giveToPostgres,
  type PostgresServerOnPort,
  startPgBouncer,
  startPrimary,
  urlAt,
} from './support/postgres-servers';
import { createServerCertificates, type ServerCertificates } from './support/server-certificates';

jest.setTimeout(180_000);

let folder: string;
let server: PostgresServerOnPort;
let certificates: ServerCertificates;
const start = async (): Promise<void> => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-connections-'));
  certificates = await createServerCertificates(folder);
  await giveToPostgres(certificates.keyFile);
  const tls = ['ssl=on', `ssl_cert_file=${certificates.certificateFile}`, `ssl_key_file=${certificates.keyFile}`];
  server = await startPrimary(folder, tls);
};
const end = async (): Promise<void> => {
  await server.end('SIGQUIT');
  await rm(folder, { recursive: true, force: true });
};

describeWithPostgres('a connection to PostgreSQL', () => {
  beforeAll(start);
  afterAll(end);

  const usesTls = async (url: string): Promise<boolean> => {
    const client = new Client(connectionTo(url));
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      return rows[0]!.ssl;
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  it('verifies the certificate of the server and its name', async () => {
    const verified = (host: string, authority: string): Promise<boolean> =>
      usesTls(`${urlAt(server.port, undefined, host)}?sslmode=verify-full${authority}`);
    const ours = `&sslrootcert=${encodeURIComponent(certificates.authorityFile)}`;
    expect(await verified('127.0.0.1', ours)).toBe(true);
    await expect(verified('127.0.0.1', '')).rejects.toThrow(/certificate/);
    await expect(verified('127.0.0.2', ours)).rejects.toThrow(/127\.0\.0\.2/);
    expect(await usesTls(server.url)).toBe(false);
  });

  it('uses the current password of the file', async () => {
    const file = join(folder, 'password of rowgraph');
    const rotate = async (password: string): Promise<void> => {
      await server.query(`ALTER ROLE rowgraph PASSWORD '${password}'`);
      await writeFile(file, `${password}\n`);
    };
    await server.query("CREATE ROLE rowgraph LOGIN PASSWORD 'none'");
    await rotate('first');
    const url = withPasswordFile(`postgres://rowgraph@127.0.0.1:${server.port}/postgres`, file);
    const pool = createPool({ connectionString: url });
    try {
      const kept = await pool.connect();
      await rotate('second');
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      expect((await kept.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
      kept.release();
      await writeFile(file, 'another\n');
      await expect(usesTls(url)).rejects.toThrow(/password authentication failed/);
    } finally {
      await pool.end();
    }
  });

  it('counts as lost while the password file is empty or absent, and names it', async () => {
    const file = join(folder, 'password being replaced');
    const pool = createPool({
      connectionString: withPasswordFile(`postgres://rowgraph@127.0.0.1:${server.port}/postgres`, file),
    });
    for (const replace of [() => writeFile(file, ''), () => rm(file)]) {
      await replace();
      const error: unknown = await pool.query('SELECT 1').catch((reason: unknown) => reason);
      expect(String(error)).toContain(`the password file ${file} is empty or cannot be read`);
      expect(isDatabaseAway(error)).toBe(true);
    }
    await pool.end();
  });

  it.each([
    ['a wrong password', 'postgres', 'wrong', /password authentication failed.*ROWGRAPH_DATABASE_PASSWORD_FILE/],
    ['an absent database', 'absent', undefined, /"absent" does not exist. Create that database/],
    ['a user without the right to create schemas', 'limited', 'limited', /permission denied.*GRANT CREATE ON DATABASE/],
    ['too few connections', 'capped', 'limited', /too many connections.*max_connections/],
    ['a database that cannot be written', 'fixed', undefined, /read-only transaction.*ROWGRAPH_DATABASE_URL/],
  ])('names setting and next step at the start with %s', async (_, database, password, expected) => {
    await server.query("CREATE ROLE limited LOGIN PASSWORD 'limited'").catch(() => undefined);
    if (database !== 'absent' && database !== 'postgres') await server.query(`CREATE DATABASE ${database}`);
    await server.query('ALTER DATABASE fixed SET default_transaction_read_only = on').catch(() => undefined);
    await server.query('ALTER DATABASE capped CONNECTION LIMIT 0').catch(() => undefined);
    const user = password === 'limited' ? 'limited' : 'postgres';
    const url = urlAt(server.port, password)
      .replace('//postgres:', `//${user}:`)
      .replace(/postgres$/, database);
    const pool = createPool({ connectionString: url });
    const migrated = await migrate(pool);
    await pool.end();
    if (!isLeft(migrated)) throw new Error(`${database} was migrated`);
    const { message, error } = migrated.left;
    expect(`${message}. ${nextStepAfter(error)}`).toMatch(expected);
  });

  it('has time limits', async () => {
    const pool = createPool({ connectionString: server.url, statementTimeoutMs: 200 });
    await expect(pool.query('SELECT pg_sleep(20)')).rejects.toThrow(/statement timeout/);
    expect((await pool.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '10s' }]);
    await pool.end();
  });

  it('a connection without a pooler has a server process of its own', async () => {
    expect(await sharesConnections(server.url)).toBe(false);
  });
});

describeWithPgBouncer('a connection through PgBouncer', () => {
  beforeAll(start);
  afterAll(end);

  it.each(['transaction', 'statement'] as const)('is rejected at the start in %s mode', async (mode) => {
    const bouncer = await startPgBouncer(folder, server, mode);
    const lines: string[] = [];
    const dataDirectory = await mkdtemp(join(folder, 'data-'));
    const program = expectRight(
      launchProcess({
        command: [process.execPath, START_PROGRAM],
        environment: {
          PATH: process.env['PATH'] ?? '',
          ROWGRAPH_DATA_DIR: dataDirectory,
          ROWGRAPH_PORT: '0',
          ROWGRAPH_INTERNAL_PORT: '0',
          ROWGRAPH_DATABASE_URL: bouncer.url,
        },
        onLine: (line) => lines.push(line),
      }),
    );
    expect((await program.exited).code).not.toBe(0);
    expect(lines.join('\n')).toContain('a pooler in transaction or statement mode');
    await bouncer.stop();
  });

  it('works on a server connection that another client has left as it was', async () => {
    const bouncer = await startPgBouncer(folder, server, 'session', 'server_reset_query =\ndefault_pool_size = 1');
    for (let client = 0; client < 2; client++) {
      const pool = createPool({ connectionString: bouncer.url, max: 1 });
      expect((await pool.query({ name: 'one', text: 'SELECT 1 AS one' })).rows).toEqual([{ one: 1 }]);
      expect((await pool.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).rows).toEqual([]);
      await pool.query('SELECT pg_advisory_lock(1)');
      await pool.end();
    }
    await bouncer.stop();
  });

  it('works in session mode, from a mapping to a query', async () => {
    const bouncer = await startPgBouncer(folder, server, 'session');
    const system = await startRunningSystem(fillWarehouse, { ROWGRAPH_DATABASE_URL: bouncer.url });
    const ada = system.as('ada');
    const { instance_url: url } = await untilRunning(
      ada,
      await createInstance(ada, await createMapping(ada, crowdMapping)),
    );
    const body = JSON.stringify({ query: 'MATCH (n) RETURN count(n) > 0 AS some' });
    const headers = { 'Content-Type': 'application/json', 'X-Username': 'ada' };
    const answer = await fetch(`${url}/query`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ rows: [[true]] });
    await system.close();
    await bouncer.stop();
  });
});
