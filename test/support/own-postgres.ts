import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { changeFolderOwner, choosePostgresAccount } from '../../adapters/embedded/postgres-cluster';
import { launchProcess } from '../../adapters/system/launch-process';
import { freePort } from './free-port';
import { expectRight } from './given-when-then';
import { waitFor } from './wait-for';

export interface OwnPostgres {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** Starts the PostgreSQL that is installed with this machine's `pg_dump`; null if there is none. */
export const startOwnPostgres = async (): Promise<OwnPostgres | null> => {
  const programs = await findPrograms();
  if (programs === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-postgres-'));
  const account = await choosePostgresAccount();
  const passwordFile = join(folder, 'password');
  const [data, password, port] = [join(folder, 'data'), randomBytes(12).toString('hex'), await freePort()];
  await writeFile(passwordFile, password);
  await changeFolderOwner(folder, account);
  const initdb = [
    join(programs, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--no-sync',
    `--pwfile=${passwordFile}`,
    '--locale=C',
  ];
  const [program = '', ...args] = [...account.prefix, ...initdb];
  await run(program, args, { ...account.identity, cwd: folder });
  const options = [
    '-c',
    `port=${port}`,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'fsync=off',
  ];
  const server = expectRight(
    launchProcess({
      command: [...account.prefix, join(programs, 'postgres'), '-D', data, ...options],
      account: account.identity,
      environment: {},
      signalAtOwnerEnd: 'INT',
      onLine: () => undefined,
    }),
  );
  const urlOf = (database: string): string => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const ask = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: urlOf('postgres') });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(sql);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  await waitFor('PostgreSQL answers', () =>
    ask('SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  return {
    createDatabase: async () => {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await ask(`CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    stop: async () => {
      server.signal('SIGINT');
      await server.terminated;
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** The folder of the server's programs; Debian installs them in one that is not on the PATH. */
const findPrograms = async (): Promise<string | null> => {
  try {
    const { stdout } = await run('pg_dump', ['--version']);
    const [major = ''] = /\d+/.exec(stdout) ?? [];
    const { stdout: path } = await run('sh', ['-c', 'command -v pg_dump']);
    const folders = [dirname(realpathSync(path.trim())), `/usr/lib/postgresql/${major}/bin`];
    return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
  } catch {
    return null;
  }
};
