import { knex, type Knex } from 'knex';

/** The read side's view of PostgreSQL. */
export type ReadDatabase = Knex;

/** Opens the read side's own connections. End them with `destroy()`. */
export const openReadDatabase = (connectionString: string): ReadDatabase =>
  knex({ client: 'pg', connection: connectionString, pool: { min: 0, max: 10 }, acquireConnectionTimeout: 5000 });

/** `bigint` columns arrive as text, because they may exceed what a number holds exactly; ids and sizes here do not. */
export const toNumber = (value: string | number): number => Number(value);
export const toNumberOrNull = (value: string | number | null): number | null => (value === null ? null : Number(value));
export const toTimestamp = (value: Date): string => value.toISOString();
export const toTimestampOrNull = (value: Date | null): string | null => value?.toISOString() ?? null;
