import { edgeTable, nodeTable, TABLE_BITS } from '../storage';
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

const MAX_JOINS = 2;

/**
 * A value of an entity that may be in many tables, from one join with all of them: DuckDB plans a join for each table
 * too slowly inside a subquery. Null if there are few tables. `key` identifies the value.
 */
export const valueInTables = (
  entity: Variable,
  { kind, tables }: EntityType,
  frame: Frame,
  key: string,
  valueOf: (row: EntityRow, inside: Frame) => string,
): string | null => {
  if (tables.length <= MAX_JOINS) return null;
  const owner = entity.owner ?? frame;
  const { sql: id } = owner.column(entity);
  const alias = owner.joinedOnce(`${kind} ${key} ${tables.join()} ${id}`, (joined) => {
    const selects = tables.map((table) => {
      const inside = owner.separate();
      const row = frame.context.name('r');
      inside.join('CROSS JOIN', `${kind === 'node' ? nodeTable(table) : edgeTable(table)} AS ${row}`);
      inside.registerRow(`${row}._id`, kind, table, row);
      const value = valueOf({ table, alias: row, id: `${row}._id` }, inside);
      return `SELECT ${row}._id AS _id, ${value} AS x${inside.source}`;
    });
    owner.join('LEFT JOIN', `(${selects.join(' UNION ALL ')}) AS ${joined}`, `${joined}._id = ${id}`);
  });
  return `${alias}.x`;
};

/** A text from the row of an entity; null without a row. `key` identifies it. */
export const textOfRow = (
  entity: Variable,
  type: EntityType,
  frame: Frame,
  key: string,
  textOf: (row: EntityRow, inside: Frame) => string,
): string => {
  const joined = valueInTables(entity, type, frame, key, textOf);
  if (joined !== null) return joined;
  const texts = entityRows(entity, type, frame).map(
    (row) => `WHEN ${row.alias}._id IS NOT NULL THEN ${textOf(row, frame)}`,
  );
  return texts.length === 0 ? 'CAST(NULL AS VARCHAR)' : `CASE ${texts.join(' ')} END`;
};

/** A value for each table of an id; null for others. */
export const byTable = (id: string, tables: readonly number[], valueOf: (table: number) => string): string =>
  tables.length === 0
    ? '(NULL)'
    : `CASE ${id} >> ${TABLE_BITS} ${tables.map((table) => `WHEN ${table} THEN ${valueOf(table)}`).join(' ')} END`;
