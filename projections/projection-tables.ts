import { type Pool, type PoolClient } from 'pg';
import { type Position, START } from '../domain/kernel/event';
import { type Projection, type Sql } from './projection';

/** Where a projection stands. The epoch names the schema it writes to, so a rebuilt one is noticed by every runner. */
export interface ProjectionCheckpoint {
  readonly position: Position;
  readonly epoch: number;
}

export const schemaOf = ({ name, version }: Projection, epoch: number): string => `rm_${name}_v${version}_${epoch}`;

/** Runs `work` in one transaction. */
export const inTransaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even roll back is thrown away.
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
};

export const sqlOf =
  (client: PoolClient): Sql =>
  async (text, values) => {
    await client.query(text, values === undefined ? [] : [...values]);
  };

export const useSchema = async (client: PoolClient, projection: Projection, epoch: number): Promise<void> => {
  if (projection.tables !== '') await client.query(`SET LOCAL search_path TO ${schemaOf(projection, epoch)}`);
};

export const createTables = async (client: PoolClient, projection: Projection, epoch: number): Promise<void> => {
  if (projection.tables === '') return;
  const schema = schemaOf(projection, epoch);
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await client.query(`CREATE SCHEMA ${schema}`);
  await client.query(`SET LOCAL search_path TO ${schema}`);
  await client.query(projection.tables);
};

/** Lets queries read this epoch's tables from now on. */
export const exposeTables = async (client: PoolClient, projection: Projection, epoch: number): Promise<void> => {
  for (const table of projection.exposes) {
    await client.query(`DROP VIEW IF EXISTS read.${table}`);
    await client.query(`CREATE VIEW read.${table} AS SELECT * FROM ${schemaOf(projection, epoch)}.${table}`);
  }
  if (projection.onExposed === undefined) return;
  await useSchema(client, projection, epoch);
  await client.query(projection.onExposed);
};

export const loadCheckpoint = async (
  client: Pool | PoolClient,
  { name, version }: Projection,
  lock: '' | 'FOR UPDATE' = '',
): Promise<ProjectionCheckpoint | null> => {
  const { rows } = await client.query<{ position: Position; epoch: string }>(
    `SELECT position::text, epoch::text FROM es.subscriptions WHERE name = $1 AND version = $2 ${lock}`,
    [name, version],
  );
  const [row] = rows;
  return row === undefined ? null : { position: row.position, epoch: Number(row.epoch) };
};

/** Creates what a projection of this version needs, unless it is there. Safe to call from several processes at once. */
export const prepareProjection = (pool: Pool, projection: Projection): Promise<ProjectionCheckpoint> =>
  inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(7020170612)');
    await client.query('CREATE SCHEMA IF NOT EXISTS read');
    const known = await loadCheckpoint(client, projection);
    if (known !== null) return known;
    await createTables(client, projection, 0);
    const { rows } = await client.query('SELECT 1 FROM es.subscriptions WHERE name = $1 AND version < $2 LIMIT 1', [
      projection.name,
      projection.version,
    ]);
    // An older version goes on serving until this one has caught up.
    if (rows.length === 0) await exposeTables(client, projection, 0);
    await client.query('INSERT INTO es.subscriptions (name, version) VALUES ($1, $2)', [
      projection.name,
      projection.version,
    ]);
    return { position: START, epoch: 0 };
  });
