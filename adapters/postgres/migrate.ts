import { type Either, left, right } from 'fp-ts/Either';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { retry } from '../system/retry';
import { LOCK_NOT_AVAILABLE } from './database-error';
import { watchLockHolder } from './lock-holder';
import { type Migration, migrations } from './migrations';

/** Lock held while migrating, so that one of several starting processes migrates and the others wait. */
const MIGRATION_LOCK = 7020170611;

interface MigrationFailure {
  readonly message: string;
  /** The error of the driver. */
  readonly error: unknown;
}

interface MigrationOptions {
  /** Called with the reason when another process holds a lock that a step needs; the steps are then tried again. */
  readonly onBlocked?: (reason: string) => void;
  readonly timing?: typeof TIMING;
}

/**
 * A step that waits for a lock lets nothing else through to the table. It therefore gives up before the leases of a
 * running control plane expire, and lets the others through between two tries.
 */
const TIMING = { lockTimeoutMs: 2_000, pausesMs: [1_000, 5_000] as [number, number], tryForMs: 600_000 };

/**
 * Migrates the schemas `es` and `telemetry` in one transaction, and returns the names of the applied steps. An up-to-date
 * database is only read. Accepts a database that a newer version has migrated, unless one of its steps requires a newer
 * program.
 */
export const migrate = (
  pool: Pool,
  { onBlocked, timing = TIMING }: MigrationOptions = {},
): Promise<Either<MigrationFailure, readonly string[]>> =>
  retry(() => tryToMigrate(pool, timing.lockTimeoutMs), {
    ...timing,
    until: Date.now() + timing.tryForMs,
    onFailure: ({ message, error }) => {
      const isBlocked = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (isBlocked) onBlocked?.(message);
      return isBlocked;
    },
  });

const tryToMigrate = async (
  pool: Pool,
  lockTimeoutMs: number,
): Promise<Either<MigrationFailure, readonly string[]>> => {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return left({ message: `The database could not be opened: ${String(error)}`, error });
  }
  const waits = new AbortController();
  let holder: Promise<string | null> | undefined;
  try {
    if ((await pendingSteps(client)).length > 0) {
      await client.query('BEGIN');
      await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      holder = watchLockHolder(pool, await processOf(client), waits.signal);
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    }
    const applied = await applyPendingSteps(client);
    if (holder !== undefined) await client.query('COMMIT');
    client.release();
    return right(applied);
  } catch (error) {
    client.release(true);
    waits.abort();
    const reason = (await holder) ?? String(error);
    return left({ message: `The database could not be migrated and is as it was before: ${reason}`, error });
  } finally {
    waits.abort();
  }
};

const processOf = async (client: PoolClient): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;

const pendingSteps = async (client: PoolClient): Promise<readonly Migration[]> => {
  // Not to_regclass: it remembers what it did not find, also after a wait for another process that creates it.
  const { rowCount } = await client.query(
    "SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'es' AND tablename = 'migrations'",
  );
  if (rowCount === 0) return migrations;
  const done = await client.query<{ newest: number; required: number }>(
    // Databases older than the first step do not have the column.
    `SELECT coalesce(max(id), 0) AS newest, coalesce(max((to_jsonb(m) ->> 'requires')::integer), 0) AS required
     FROM es.migrations AS m`,
  );
  const { newest, required: needed } = done.rows[0] ?? { newest: 0, required: 0 };
  return pendingAfter(newest, needed);
};

const applyPendingSteps = async (client: PoolClient): Promise<readonly string[]> => {
  const pending = await pendingSteps(client);
  if (pending.length === 0) return [];
  await client.query('CREATE SCHEMA IF NOT EXISTS es');
  await client.query(
    `CREATE TABLE IF NOT EXISTS es.migrations (id integer PRIMARY KEY, name text NOT NULL,
       applied_at timestamptz NOT NULL DEFAULT now(), requires integer NOT NULL DEFAULT 0)`,
  );
  if (pending[0]?.id === migrations[0].id) await checkEncoding(client);
  for (const migration of pending) {
    await client.query(migration.sql);
    await client.query('INSERT INTO es.migrations (id, name, requires) VALUES ($1, $2, $3)', [
      migration.id,
      migration.name,
      migration.requires ?? 0,
    ]);
  }
  return pending.map((migration) => migration.name);
};

/** Other encodings cannot store every text, or count bytes as characters. */
const checkEncoding = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding ?? 'unknown';
  if (encoding === 'UTF8') return;
  throw new Error(
    `its encoding is ${encoding}, expected UTF8. Create it with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
  );
};

const pendingAfter = (newest: number, required: number): readonly Migration[] => {
  const [baseline, ...later] = migrations;
  if (newest === 0) return migrations;
  if (newest < baseline.id) {
    throw new Error(`it is at step ${newest}, which is older than version 0.2.0. Create another database`);
  }
  const known = later.at(-1)?.id ?? baseline.id;
  if (required > known) {
    throw new Error(
      `it needs a version that knows step ${required}, and this one knows ${known}. Run the version that migrated it, or a newer one`,
    );
  }
  return later.filter(({ id }) => id > newest);
};
