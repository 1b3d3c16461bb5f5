import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { isLeft } from 'fp-ts/Either';
import { Client } from 'pg';
import { pino } from 'pino';
import { lockDatabase, type LockMode } from '../../../adapters/postgres/database-lock';
import { ShutdownSteps } from '../../../adapters/system/shutdown-steps';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';
import { waitFor } from '../../support/wait-for';

let database: TestDatabase;
const opened: ShutdownSteps[] = [];
beforeEach(async () => (database = await createTestDatabase()));
afterEach(async () => {
  for (const shutdownSteps of opened.splice(0)) await close(shutdownSteps);
  await database.drop();
});

const close = (shutdownSteps: ShutdownSteps): Promise<void> =>
  shutdownSteps.closeAll((name, error) => {
    throw new Error(`${name} did not close: ${String(error)}`);
  });

const lock = async (mode: LockMode, { connectionString }: { readonly connectionString: string } = database) => {
  const shutdownSteps = new ShutdownSteps();
  opened.push(shutdownSteps);
  const failures: string[] = [];
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const locked = await lockDatabase(connectionString, mode, {
    ...{ shutdownSteps, log },
    fail: (reason) => void failures.push(reason),
  });
  return { holder: isLeft(locked) ? locked.left : null, failures, lines, shutdownSteps };
};

const LOCKS = `locktype = 'advisory' AND objid = 2725203317`;
const queryLocks = async (sql: string): Promise<readonly object[]> => {
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  const { rows } = await client.query<object>(sql);
  await client.end();
  return rows;
};

test.each([
  ['exclusive', 'exclusive', true],
  ['exclusive', 'shared', true],
  ['shared', 'exclusive', true],
  ['shared', 'shared', false],
] as const)('a lock that is %s excludes one that is %s: %s', async (first, second, isExcluded) => {
  expect((await lock(first)).holder).toBeNull();
  const { holder } = await lock(second);
  expect(holder === null).toBe(!isExcluded);
  if (isExcluded) {
    expect(holder).toEqual({
      name: expect.stringMatching(`^process ${process.pid} on .`) as string,
      since: expect.any(Date) as Date,
    });
  }
});

test('a lock is free as soon as its process has closed it', async () => {
  const { shutdownSteps } = await lock('exclusive');
  await close(shutdownSteps);
  expect((await lock('exclusive')).holder).toBeNull();
});

test('a lock whose connection was lost is acquired again', async () => {
  const { failures } = await lock('exclusive');
  const held = `SELECT pid FROM pg_locks WHERE ${LOCKS}`;
  const [before] = await queryLocks(held);
  await queryLocks(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE ${LOCKS}`);
  await waitFor('the lock is acquired again', async () => {
    const [now] = await queryLocks(held);
    return now !== undefined && JSON.stringify(now) !== JSON.stringify(before);
  });
  expect((await lock('shared')).holder).not.toBeNull();
  expect(failures).toEqual([]);
});

test('a process that has lost the lock to another one is stopped', async () => {
  const { failures } = await lock('exclusive');
  const other = new Client({ connectionString: database.connectionString, application_name: 'process 7 on vm' });
  await other.connect();
  const locked = other.query('SELECT pg_advisory_lock(7020170613)');
  await waitFor(
    'another process waits for the lock',
    async () => (await queryLocks(`SELECT 1 FROM pg_locks WHERE ${LOCKS} AND NOT granted`)).length > 0,
  );
  await queryLocks(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE ${LOCKS} AND granted`);
  await locked;
  await waitFor('the loss of the lock is reported', () => failures.length > 0);
  expect(failures).toEqual(['The database lock was lost, and process 7 on vm has it now.']);
  await other.end();
});

/** A relay to the database, which can cut its connections or stop to answer. */
const openRelay = async () => {
  const { hostname, port } = new URL(database.connectionString);
  const sockets: Socket[] = [];
  const relay = { isCut: false, rejected: 0 };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (relay.isCut) {
      relay.rejected++;
      client.destroy();
      return;
    }
    const behind = connect(Number(port), hostname);
    for (const socket of [client, behind]) sockets.push(socket.on('error', () => undefined));
    client.pipe(behind).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.connectionString);
  url.port = String((server.address() as AddressInfo).port);
  const destroy = (): void => sockets.splice(0).forEach((socket) => socket.destroy());
  return Object.assign(relay, {
    connectionString: url.href,
    destroy,
    freeze: () => sockets.forEach((socket) => socket.unpipe().pause()),
    close: () => {
      destroy();
      server.close();
    },
  });
};

test('a lost connection is reported once, however long the database is unavailable', async () => {
  const relay = await openRelay();
  const { lines, failures } = await lock('exclusive', relay);
  relay.isCut = true;
  relay.destroy();
  await waitFor('several connections have failed', () => relay.rejected > 3);
  relay.isCut = false;
  await waitFor(
    'the lock is acquired again',
    async () => (await queryLocks(`SELECT 1 FROM pg_locks WHERE ${LOCKS}`)).length > 0,
  );
  expect(lines).toHaveLength(1);
  expect(failures).toEqual([]);
  relay.close();
});

test('a server that no longer answers does not keep a process from its end', async () => {
  const relay = await openRelay();
  const { shutdownSteps } = await lock('exclusive', relay);
  relay.freeze();
  await close(shutdownSteps);
  expect((await lock('shared')).holder).not.toBeNull();
  relay.close();
});
