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

/** Whether two ids differ. DuckDB expects few rows from `<>`, and joins on worse conditions before. */
export const differentIds = (a: string, b: string): string => `(xor(${a}, ${b}) <> 0)`;

/** The row of an entity in one of its tables, if it has one there. */
export const rowOf = (entity: Variable, { kind, tables }: EntityType, table: number, frame: Frame): EntityRow => {
  const owner = entity.owner ?? frame;
  const { sql: id } = owner.column(entity);
  const isCertain = entity.isCertain === true && tables.length === 1;
  return { table, id, alias: owner.row(id, kind, table, isCertain) };
};

/** A value from the row of an entity; null without a row. `key` identifies it. */
export const valueOfRow = (
  entity: Variable,
  type: EntityType,
  frame: Frame,
  key: string,
  valueOf: (row: EntityRow, inside: Frame) => string,
): string => {
  const [only, ...others] = type.tables;
  if (only === undefined) return 'CAST(NULL AS VARCHAR)';
  if (others.length > 0) return valueInTables(entity, type, frame, key, valueOf);
  const row = rowOf(entity, type, only, frame);
  const value = valueOf(row, frame);
  return entity.isCertain === true ? value : `CASE WHEN ${row.alias}._id IS NOT NULL THEN ${value} END`;
};

/** From one join with all tables: DuckDB plans a join for each of them too slowly. */
const valueInTables: typeof valueOfRow = (entity, { kind, tables }, frame, key, valueOf) => {
  const owner = entity.owner ?? frame;
  const { sql: id } = owner.column(entity);
  const alias = owner.joinedOnce(`${kind} ${key} ${tables.join()} ${id}`, (joined) => {
    const selects = tables.map((table) => {
      const inside = owner.separate();
      const row = frame.context.name('r');
      inside.join('CROSS JOIN', kind === 'node' ? nodeTable(table) : edgeTable(table), row);
      inside.registerRow(`${row}._id`, kind, table, row);
      const value = valueOf({ table, alias: row, id: `${row}._id` }, inside);
      return `SELECT ${row}._id AS _id, ${value} AS x${inside.source}`;
    });
    owner.join('LEFT JOIN', `(${selects.join(' UNION ALL ')})`, joined, `${joined}._id = ${id}`);
  });
  return `${alias}.x`;
};

/** A value for each table of an id; null for others. */
export const byTable = (id: string, tables: readonly number[], valueOf: (table: number) => string): string =>
  tables.length === 0
    ? '(NULL)'
    : `CASE ${id} >> ${TABLE_BITS} ${tables.map((table) => `WHEN ${table} THEN ${valueOf(table)}`).join(' ')} END`;
