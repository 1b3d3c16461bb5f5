import { type Pool, type PoolClient } from 'pg';
import { type Position, START } from '../domain/kernel/event';
import { type Checkpoint } from '../domain/ports/feed-consumer';
import { type Projection } from './projection';

export const schemaOf = ({ name, version }: Projection, epoch: number): string => `rm_${name}_v${version}_${epoch}`;

/**
 * The schema of the views through which queries read a projection. Each version has its own, so two versions can run at
 * once.
 */
export const readSchemaOf = ({ name, version }: Pick<Projection, 'name' | 'version'>): string =>
  `read_${name}_v${version}`;

/**
 * Runs `work` in one transaction, which is rolled back when the work rejects or its result must not be kept. BEGIN and
 * `searchPath` are sent in the pipeline with the first statement of the work.
 */
export const inTransaction = async <T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  isKept: (result: T) => boolean = () => true,
  searchPath = '',
): Promise<T> => {
  const client = await pool.connect();
  try {
    const begun = client.query(searchPath === '' ? 'BEGIN' : `BEGIN; ${searchPath}`);
    // If this fails, the work fails, too.
    begun.catch(() => undefined);
    const result = await work(client);
    await begun;
    await client.query(isKept(result) ? 'COMMIT' : 'ROLLBACK');
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot roll back is discarded.
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
};

/**
 * The statement that puts the tables of a projection first on the search path of a transaction; empty for a projection
 * without tables.
 */
export const searchPathOf = (projection: Projection, epoch: number): string =>
  projection.tables === '' ? '' : `SET LOCAL search_path TO ${schemaOf(projection, epoch)}`;

export const useSchema = async (client: PoolClient, projection: Projection, epoch: number): Promise<void> => {
  if (projection.tables !== '') await client.query(searchPathOf(projection, epoch));
};

/** Creates the tables of an epoch, with the indexes by which handlers find their rows. */
export const createTables = async (client: PoolClient, projection: Projection, epoch: number): Promise<void> => {
  if (projection.tables === '') return;
  const schema = schemaOf(projection, epoch);
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await client.query(`CREATE SCHEMA ${schema}`);
  await client.query(`SET LOCAL search_path TO ${schema}`);
  await client.query(projection.tables);
};

/** Points the views that queries read at the tables of this epoch. */
export const exposeTables = async (client: PoolClient, projection: Projection, epoch: number): Promise<void> => {
  const views = readSchemaOf(projection);
  if (projection.exposes.length > 0) await client.query(`CREATE SCHEMA IF NOT EXISTS ${views}`);
  for (const table of projection.exposes) {
    await client.query(`DROP VIEW IF EXISTS ${views}.${table}`);
    await client.query(`CREATE VIEW ${views}.${table} AS SELECT * FROM ${schemaOf(projection, epoch)}.${table}`);
  }
};

export const loadCheckpoint = async (
  client: Pool | PoolClient,
  { name, version }: Projection,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Checkpoint | null> => {
  const { rows } = await client.query<{ position: Position; epoch: string }>(
    `SELECT position::text, epoch::text FROM es.subscriptions WHERE name = $1 AND version = $2 ${lock}`,
    [name, version],
  );
  const [row] = rows;
  return row === undefined ? null : { position: row.position, epoch: Number(row.epoch) };
};

/**
 * Creates the tables and views of a projection of this version if missing. Safe to call from several processes at once.
 */
export const prepareProjection = async (pool: Pool, projection: Projection): Promise<Checkpoint> =>
  (await loadCheckpoint(pool, projection)) ??
  inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(7020170612)');
    const known = await loadCheckpoint(client, projection);
    if (known !== null) return known;
    await createTables(client, projection, 0);
    await client.query(projection.indexes ?? '');
    await exposeTables(client, projection, 0);
    await client.query('INSERT INTO es.subscriptions (name, version) VALUES ($1, $2)', [
      projection.name,
      projection.version,
    ]);
    return { position: START, epoch: 0 };
  });

/** Creates the tables of all projections in a new database; the first step of a start. */
export const prepareProjections = async (pool: Pool, projections: readonly Projection[]): Promise<void> => {
  for (const projection of projections) await prepareProjection(pool, projection);
};
