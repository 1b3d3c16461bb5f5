import { type RowgraphEvent } from '../domain/events';
import { type StoredEvent } from '../domain/kernel/event';

/** Runs a statement inside the batch's transaction, with the projection's own schema first on the search path. */
export type Sql = (text: string, values?: readonly unknown[]) => Promise<void>;

/** A stored event of one type, or of several. */
export type EventOf<T extends RowgraphEvent['type']> = StoredEvent<Extract<RowgraphEvent, { readonly type: T }>>;

export type EventHandlers = {
  readonly [T in RowgraphEvent['type']]?: (event: EventOf<T>, sql: Sql) => Promise<void>;
};

/**
 * A read model: tables and the SQL each event runs on them. Rows and checkpoint change in one transaction, so a handler
 * sees every event exactly once and in order.
 */
export interface Projection {
  readonly name: string;
  /** Raise it when tables or handlers change: the new version is filled from the log and then takes over. */
  readonly version: number;
  /** DDL with unqualified names. Empty for a projection that keeps work tables of schema `es`. */
  readonly tables: string;
  /** Tables that queries read as `read.<table>`. */
  readonly exposes: readonly string[];
  /** SQL that brings the tables up to date with what is in no event; runs when queries begin to read them. */
  readonly onExposed?: string;
  readonly on: EventHandlers;
}

/** Sets columns of one row of a table. Column names come from the code, never from data. */
export const update = (
  sql: Sql,
  table: string,
  id: number | string,
  columns: Readonly<Record<string, unknown>>,
  key = 'id',
): Promise<void> => {
  const names = Object.keys(columns);
  const assignments = names.map((name, index) => `${name} = $${index + 2}`).join(', ');
  return sql(`UPDATE ${table} SET ${assignments} WHERE ${key} = $1`, [id, ...Object.values(columns)]);
};

/** Inserts one row. Column names come from the code, never from data. */
export const insert = (sql: Sql, table: string, columns: Readonly<Record<string, unknown>>): Promise<void> => {
  const names = Object.keys(columns);
  const places = names.map((_, index) => `$${index + 1}`).join(', ');
  return sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, Object.values(columns));
};
