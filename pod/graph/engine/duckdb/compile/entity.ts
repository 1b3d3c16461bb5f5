import { TABLE_BITS } from '../storage';
import { type Frame, type Variable } from './frame';
import { type EntityType } from './type';

/** The row of a node or relationship in one of its tables. */
export interface EntityRow {
  readonly table: number;
  readonly alias: string;
  /** The id of the entity. */
  readonly id: string;
}

/** The rows of an entity in its tables; at most one of them exists. `only`: the tables that are needed. */
export const entityRows = (
  entity: Variable,
  { kind, tables }: EntityType,
  frame: Frame,
  only: (table: number) => boolean = () => true,
): readonly EntityRow[] => {
  const owner = entity.owner ?? frame;
  const needed = tables.filter(only);
  if (needed.length === 0) return [];
  const { sql: id } = owner.column(entity);
  const isCertain = entity.isCertain === true && tables.length === 1;
  return needed.map((table) => ({ table, id, alias: owner.row(id, kind, table, isCertain) }));
};

/** Whether an id belongs to a table. */
export const tableCondition = (id: string, table: number): string => `(${id} >> ${TABLE_BITS}) = ${table}`;

/** A value for each table of an id; null for others. */
export const byTable = (id: string, tables: readonly number[], valueOf: (table: number) => string): string =>
  tables.length === 0
    ? 'NULL'
    : `CASE ${id} >> ${TABLE_BITS} ${tables.map((table) => `WHEN ${table} THEN ${valueOf(table)}`).join(' ')} END`;
