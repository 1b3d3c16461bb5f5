import { join } from 'node:path';
import { runInDatabase } from '../adapters/duckdb/warehouse-fixture';

/** A small warehouse: people and who knows whom, and the same with many rows. */
export const fillWarehouse = (warehouse: string): Promise<void> =>
  runInDatabase(
    join(warehouse, 'town.duckdb'),
    `CREATE TABLE people AS SELECT i AS id, 'name ' || i AS name, 20 + i % 50 AS age FROM range(100) t(i)`,
    `CREATE TABLE friends AS SELECT i AS a, (i * 7 + 1) % 100 AS b, DATE '2020-01-01' + i::INTEGER AS since FROM range(100) t(i)`,
    `CREATE TABLE crowd AS SELECT i AS id, 'name ' || i AS name FROM range(100000) t(i)`,
    `CREATE TABLE contacts AS SELECT i AS a, (i * 7 + 1) % 100000 AS b FROM range(100000) t(i)`,
  );

export interface NodeBody {
  readonly label: string;
  readonly sql: string;
  readonly primary_key: { readonly name: string; readonly type: string };
  readonly properties?: readonly { readonly name: string; readonly type: string }[];
}

export const person: NodeBody = {
  label: 'Person',
  sql: 'SELECT id, name, age FROM people',
  primary_key: { name: 'id', type: 'INT64' },
  properties: [
    { name: 'name', type: 'STRING' },
    { name: 'age', type: 'INT64' },
  ],
};

export const knows = {
  type: 'KNOWS',
  sql: 'SELECT a, b, since FROM friends',
  from_key: 'a',
  to_key: 'b',
  from_node: 'Person',
  to_node: 'Person',
  properties: [{ name: 'since', type: 'DATE' }],
};

/** 100 people and 100 acquaintances. */
export const townMapping = { name: 'Town', node_definitions: [person], edge_definitions: [knows] };

/** A condition that holds after a time in which the query engine needs no processor. */
const after = (ms: number): string => `(SELECT sleep_ms(${ms})) IS NULL`;

/** This many people, up to 100,000, and a query that takes a while, so that a test can observe it. */
export const crowdOf = (people: number) => ({
  name: 'Crowd',
  node_definitions: [
    {
      label: 'Person',
      sql: `SELECT id, name FROM crowd WHERE id < ${people} AND ${after(300)}`,
      primary_key: { name: 'id', type: 'INT64' },
      properties: [{ name: 'name', type: 'STRING' }],
    },
  ],
  edge_definitions: [
    { ...knows, sql: `SELECT a, b FROM contacts WHERE a < ${people} AND b < ${people}`, properties: [] },
  ],
});

export const crowdMapping = crowdOf(100_000);

/** Its export does not end within the time of any test. */
export const endlessMapping = {
  name: 'Endless',
  node_definitions: [{ ...person, sql: `SELECT id, name, age FROM people WHERE ${after(3_600_000)}` }],
};
