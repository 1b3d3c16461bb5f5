import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { Client, type Pool } from 'pg';
import { type PostgresServer, startPostgres } from '../../adapters/embedded/postgres-server';
import { migrate } from '../../adapters/postgres/migrate';
import { createPool } from '../../adapters/postgres/pool';
import { createPostgresEventStore } from '../../adapters/postgres/postgres-event-store';
import { START, type StoredEvent } from '../../domain/kernel/event';
import { newEvent, succeeded } from '../contracts/event-store/event-samples';
import { waitFor } from '../support/wait-for';

let folder: string;
const running: PostgresServer[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  // A deep path with a blank: path length and quoting must not matter.
  folder = join(await mkdtemp(join(tmpdir(), 'rowgraph pg ')), 'd'.repeat(120));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map((server) => server.stop()));
  await rm(dirname(folder), { recursive: true, force: true });
});

const start = async (durable = true): Promise<PostgresServer> => {
  const server = succeeded(await startPostgres({ dataDirectory: folder, durable, log: () => undefined }));
  running.push(server);
  return server;
};

/** Process id of the server in the folder. */
const serverPid = async (): Promise<number> =>
  Number((await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);

/** A zombie has no command line. */
const isAlive = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';

const answers = async (connectionString: string): Promise<boolean> => {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query('SELECT 1')).rows.length === 1;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

describe('the embedded PostgreSQL', () => {
  it('starts in an empty folder, stops, and starts again at the same address', async () => {
    const first = await start();
    expect(await answers(first.connectionString)).toBe(true);
    await first.stop();
    expect(await answers(first.connectionString)).toBe(false);

    const second = await start();
    expect(second.connectionString).toBe(first.connectionString);
    expect(await answers(second.connectionString)).toBe(true);
  });

  it('starts in a folder that was copied from another installation, whose libraries are missing', async () => {
    await (await start()).stop();
    const libraries = join(folder, 'lib');
    for (const name of await readdir(libraries).catch(() => [])) {
      await rm(join(libraries, name));
      await symlink(join('/gone/node_modules', name), join(libraries, name));
    }
    expect(await answers((await start()).connectionString)).toBe(true);
  });

  it('requires the password, which only the owner of the folder can read', async () => {
    const { connectionString } = await start(false);
    const stranger = new URL(connectionString);
    stranger.password = 'guessed';

    expect(await answers(stranger.href)).toBe(false);
    expect((await stat(join(folder, 'password'))).mode & 0o077).toBe(0);
    expect((await stat(folder)).mode & 0o077).toBe(0);
  });

  it('chooses another port when its own is in use', async () => {
    const first = await start(false);
    await first.stop();
    const taken = spawn(process.execPath, [
      '-e',
      `require('net').createServer().listen(${new URL(first.connectionString).port}, '127.0.0.1', () => console.log('listening'))`,
    ]);
    children.push(taken);
    await once(taken.stdout, 'data');

    const second = await start(false);
    expect(second.connectionString).not.toBe(first.connectionString);
    expect(await answers(second.connectionString)).toBe(true);
  });

  it('rejects a folder that another program uses, and names the program', async () => {
    await start(false);

    const second = await startPostgres({ dataDirectory: folder, log: () => undefined });
    expect(isLeft(second) && second.left.message).toContain(`in use by process ${process.pid}`);
  });

  it('ignores the process id of a dead server that another process has reused', async () => {
    await (await start(false)).stop();
    await writeFile(join(folder, 'cluster', 'postmaster.pid'), `${process.pid}\n/elsewhere\n`);

    expect(await answers((await start(false)).connectionString)).toBe(true);
  });

  it('reports the reason when the folder cannot be created', async () => {
    await writeFile(join(dirname(folder), 'file'), '');

    const failed = await startPostgres({ dataDirectory: join(dirname(folder), 'file', 'data'), log: () => undefined });
    expect(isLeft(failed) && failed.left.message).toContain('could not be started');
  });
});

describe('a killed PostgreSQL', () => {
  let pool: Pool;
  afterEach(() => pool.end());

  it('is reported, and recovers at the next start with every acknowledged event', async () => {
    const server = await start();
    const { connectionString } = server;
    pool = createPool({ connectionString });
    succeeded(await migrate(pool));
    const store = createPostgresEventStore({ pool, connectionString, timeoutMs: 20_000 });
    const stop = new AbortController();
    const seen: StoredEvent[] = [];
    const reading = (async () => {
      for await (const page of store.subscribeAll(START, { signal: stop.signal })) seen.push(...page.events);
    })();
    let restarted: Promise<PostgresServer> | undefined;
    server.onExit(() => {
      restarted = start();
    });

    const acknowledged: string[] = [];
    let enough = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; !enough; i += 1) {
        const event = newEvent();
        succeeded(await store.append(`w_${writer}-${i}`, 'no_stream', [event]));
        acknowledged.push(event.id);
      }
    });
    await waitFor('200 events are acknowledged', () => acknowledged.length > 200);
    process.kill(await serverPid(), 'SIGKILL');
    await waitFor('the restart has begun', () => restarted !== undefined);
    expect((await restarted)?.connectionString).toBe(connectionString);
    const before = acknowledged.length;
    await waitFor('200 more events are acknowledged', () => acknowledged.length > before + 200);
    enough = true;
    await Promise.all(writers);

    // No write was lost or repeated, and the subscription has resumed at its position.
    await waitFor('the reader has received every event', () => seen.length >= acknowledged.length);
    expect(seen.map((event) => event.id).toSorted()).toEqual(acknowledged.toSorted());
    expect(seen.map((event) => Number(event.position))).toEqual(seen.map((_, index) => index + 1));
    stop.abort();
    await reading;
    await store.close();
  });
});

/** A separate program that starts the server of the folder and then keeps running. */
const startOwner = async (): Promise<{ readonly owner: ChildProcess; readonly connectionString: string }> => {
  const program = join(packageRoot(), 'dist/adapters/embedded/postgres-server.js');
  const owner = spawn(
    process.execPath,
    [
      '-e',
      `require(process.argv[1]).startPostgres({ dataDirectory: process.argv[2], durable: false, log: () => {} })
         .then((server) => console.log(server.right.connectionString))`,
      program,
      folder,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.push(owner);
  const [address] = (await once(owner.stdout, 'data')) as [Buffer];
  return { owner, connectionString: String(address).trim() };
};

const packageRoot = (): string => {
  let directory = __dirname;
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory);
  return directory;
};

describe('the PostgreSQL of a killed program', () => {
  it('exits by itself', async () => {
    const { owner, connectionString } = await startOwner();
    expect(await answers(connectionString)).toBe(true);
    const pid = await serverPid();

    owner.kill('SIGKILL');

    await waitFor('the server has ended', async () => !(await isAlive(pid)));
  });

  it('does not block the next start', async () => {
    const { owner, connectionString } = await startOwner();
    const pid = await serverPid();
    // A stopped process cannot end by itself, like a server that hangs.
    process.kill(pid, 'SIGSTOP');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const starting = start(false);
    process.kill(pid, 'SIGCONT');

    expect((await starting).connectionString).toBe(connectionString);
    expect(await isAlive(pid)).toBe(false);
  });
});
