import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { freePort } from '../../support/free-port';
import { waitFor } from '../../support/wait-for';

const run = promisify(execFile);
const PROGRAMS = process.env['POSTGRES_PROGRAMS'] ?? '/usr/lib/postgresql/15/bin';
const PGBOUNCER = '/usr/sbin/pgbouncer';
const PASSWORD = 'p@ss:w/o?r#d';
const isRoot = process.getuid?.() === 0;
/** Both servers refuse to run as root. */
const asPostgres = isRoot ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups'] : [];

export const describeWithPostgres = existsSync(join(PROGRAMS, 'initdb')) ? describe : describe.skip;
export const describeWithPgBouncer = existsSync(PGBOUNCER) ? describeWithPostgres : describe.skip;

export interface PostgresServerOnPort {
  readonly port: number;
  readonly url: string;
  query<R extends QueryResultRow>(sql: string): Promise<readonly R[]>;
  start(): Promise<void>;
  /** Stops it; resolves when the process has ended. SIGINT is a clean shutdown, SIGQUIT leaves it as after a crash. */
  end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
}

export const urlAt = (port: number, password = PASSWORD, host = '127.0.0.1'): string =>
  `postgres://postgres:${encodeURIComponent(password)}@${host}:${port}/postgres`;

const launch = async (command: readonly string[], cwd: string): Promise<void> => {
  const [program = '', ...args] = [...asPostgres, ...command];
  await run(program, args, { cwd, env: { PATH: process.env['PATH'] ?? '', PGPASSWORD: PASSWORD } });
};

/** Makes the account of the servers the owner of a file or folder. */
export const giveToPostgres = async (path: string): Promise<void> => {
  if (!isRoot) return;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (what) => Number((await run('id', [what, 'postgres'])).stdout)),
  );
  await chown(path, uid ?? 0, gid ?? 0);
};

const serverIn = (data: string, port: number, options: readonly string[]): PostgresServerOnPort => {
  const fixed = [`port=${port}`, 'listen_addresses=127.0.0.1,127.0.0.2', 'unix_socket_directories=', 'fsync=off'];
  const settings = [...fixed, ...options].flatMap((option) => ['-c', option]);
  const url = urlAt(port);
  let child: ChildProcess | null = null;
  const query = async <R extends QueryResultRow>(sql: string): Promise<readonly R[]> => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<R>(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  return {
    port,
    url,
    query,
    start: async () => {
      const [program = '', ...args] = [...asPostgres, join(PROGRAMS, 'postgres'), '-D', data, ...settings];
      child = spawn(program, args, { cwd: data, stdio: 'ignore' });
      await waitFor('PostgreSQL answers', () =>
        query('SELECT 1').then(
          () => true,
          () => false,
        ),
      );
    },
    end: async (signal) => {
      if (child === null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      child = null;
    },
  };
};

/** Starts a new server in a folder. */
export const startPrimary = async (folder: string, options: readonly string[] = []): Promise<PostgresServerOnPort> => {
  const data = join(folder, 'primary');
  await chmod(folder, 0o755);
  await mkdir(data, { mode: 0o700 });
  await giveToPostgres(data);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, PASSWORD);
  const account = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  await launch([join(PROGRAMS, 'initdb'), '-D', data, ...account, '-E', 'UTF8', '--locale=C', '--no-sync'], folder);
  const server = serverIn(data, await freePort(), options);
  await server.start();
  return server;
};

/** A standby of a primary, which from now on acknowledges only what the standby has. */
export const startStandby = async (folder: string, primary: PostgresServerOnPort): Promise<PostgresServerOnPort> => {
  const data = join(folder, 'standby');
  await mkdir(data, { mode: 0o700 });
  await giveToPostgres(data);
  const connection = `host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD}`;
  await launch(
    [join(PROGRAMS, 'pg_basebackup'), '-d', connection, '-D', data, '-R', '-X', 'stream', '-c', 'fast'],
    folder,
  );
  const standby = serverIn(data, await freePort(), []);
  await standby.start();
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.query('SELECT pg_reload_conf()');
  await waitFor('the standby is synchronous', async () => {
    const rows = await primary.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication');
    return rows[0]?.sync_state === 'sync';
  });
  return standby;
};

export interface Address {
  readonly port: number;
  /** Routes new connections to this port. */
  pointAt(port: number): void;
  /** Cuts all connections. */
  cut(): void;
  close(): void;
}

/** An address that leads to one server at a time, like a virtual address or a proxy. */
export const openAddress = async (port: number): Promise<Address> => {
  let target = port;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (proxy.address() as AddressInfo).port,
    pointAt: (next) => (target = next),
    cut,
    close: () => {
      cut();
      proxy.close();
    },
  };
};

/** PgBouncer in front of a server; resolves with its address and a function that stops it. */
export const startPgBouncer = async (
  folder: string,
  server: PostgresServerOnPort,
  mode: 'session' | 'transaction' | 'statement',
  settings = '',
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const port = await freePort();
  const file = join(folder, `${mode}.ini`);
  const users = join(folder, 'users.txt');
  await writeFile(users, `"postgres" "${PASSWORD}"\n`);
  await writeFile(
    file,
    `[databases]\n* = host=127.0.0.1 port=${server.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${users}\npool_mode = ${mode}\ndefault_pool_size = 60\nmax_client_conn = 500\n${settings}\n`,
  );
  for (const path of [file, users]) await giveToPostgres(path);
  const [program, ...args] = [...asPostgres, PGBOUNCER, file];
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  const url = urlAt(port);
  await waitFor('PgBouncer answers', async () => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  });
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  };
  return { url, stop };
};
