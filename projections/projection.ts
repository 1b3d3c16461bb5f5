import { type RowgraphEvent } from '../domain/events';
import { type StoredEvent } from '../domain/kernel/event';
import { type ColumnValue } from './copy-rows';

/** Columns of a row as JSON values: a `jsonb` column gets the value itself, not its text. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Writes the tables of a projection, inside the transaction of a batch. A write may be buffered, but never past a later
 * one that depends on it: writes of one table keep their order, and a statement sees all earlier writes. Names of
 * tables and columns come from the code, never from data.
 */
export interface TableWriter {
  insert(table: string, row: Row): Promise<void>;
  /**
   * Inserts a row that no later write of the batch changes, into a table that gets no other writes, faster than `insert`.
   */
  append(table: string, row: Readonly<Record<string, ColumnValue>>): Promise<void>;
  /** Sets columns of the row with this id; `key`: another column whose values are unique. */
  update(table: string, id: number | string, columns: Row, key?: string): Promise<void>;
  /** Sets columns of all rows with this value in the column `key`. */
  updateAll(table: string, value: number | string, columns: Row, key: string): Promise<void>;
  /** Deletes the rows with these values. */
  delete(table: string, where: Row): Promise<void>;
  /** Raises a number to this one in the row with this key, or inserts the row. */
  raise(table: string, key: [column: string, value: string], to: [column: string, value: number]): Promise<void>;
  /** Runs a statement, with the projection's own schema first on the search path. */
  sql(text: string, values?: readonly unknown[]): Promise<void>;
}

/** A stored event of one type, or of several. */
export type EventOf<T extends RowgraphEvent['type']> = StoredEvent<Extract<RowgraphEvent, { readonly type: T }>>;

export type EventHandlers = {
  readonly [T in RowgraphEvent['type']]?: (event: EventOf<T>, tables: TableWriter) => Promise<void>;
};

/**
 * A read model: tables and the SQL each event runs on them. Rows and checkpoint change in one transaction, so a handler
 * sees every event exactly once and in order.
 */
export interface Projection {
  readonly name: string;
  /**
   * Increase it when tables or handlers change: the new version is filled from the log and then replaces the old one.
   */
  readonly version: number;
  /** DDL with unqualified names. Empty for a projection that keeps work tables of schema `es`. */
  readonly tables: string;
  /**
   * DDL of the indexes that only queries use. A replay creates them after it has filled the tables, which is faster; an
   * index by which a handler finds its rows belongs to `tables`.
   */
  readonly indexes?: string;
  /** Tables that queries read. */
  readonly exposes: readonly string[];
  readonly on: EventHandlers;
}
