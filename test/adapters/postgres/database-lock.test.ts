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

const lock = async (mode: LockMode) => {
  const shutdownSteps = new ShutdownSteps();
  opened.push(shutdownSteps);
  const failures: string[] = [];
  const log = pino({ level: 'silent' });
  const locked = await lockDatabase(database.connectionString, mode, {
    ...{ shutdownSteps, log },
    fail: (reason) => void failures.push(reason),
  });
  return { holder: isLeft(locked) ? locked.left : null, failures, shutdownSteps };
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
