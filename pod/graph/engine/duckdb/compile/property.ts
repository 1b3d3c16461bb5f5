import { entityRows, valueInTables } from './entity';
import { type Frame, type Variable } from './frame';
import { converted } from './json-text';
import { usedOnce } from './list-map';
import { type EntityType, INTEGER, NULL, unify, type Value } from './type';

/** `n.name` of a node or relationship; null where it does not have the property. */
export const propertyOfEntity = (entity: Variable, of: EntityType, name: string, frame: Frame): Value => {
  const carried = entity.properties?.get(name);
  if (carried !== undefined) return carried;
  const { context } = frame;
  const columnOf = (table: number) => context.storedColumns(of.kind, table).find((column) => column.name === name);
  const types = of.tables.map((table) => columnOf(table)?.type ?? NULL.type);
  const common = types.reduce(unify, NULL.type);
  if (common.kind === 'null') return NULL;
  const joined = valueInTables(entity, of, frame, `property ${name}`, ({ table, alias }, inside) => {
    const column = columnOf(table);
    const value = column === undefined ? NULL : { sql: `${alias}.${column.column}`, type: column.type, isSimple: true };
    return converted(value, common, inside);
  });
  if (joined !== null) return { sql: joined, type: common, isSimple: true };
  const rows = entityRows(entity, of, frame, (table) => columnOf(table) !== undefined);
  const values = rows.flatMap(({ table, alias }): readonly Value[] => {
    const column = columnOf(table);
    return column === undefined ? [] : [{ sql: `${alias}.${column.column}`, type: column.type, isSimple: true }];
  });
  const [first] = values;
  if (first === undefined) return NULL;
  if (values.length === 1) return first;
  const type = values.map((value) => value.type).reduce(unify);
  const texts = values.map((value) => converted(value, type, frame));
  return { sql: `coalesce(${texts.join(', ')})`, type, isSimple: true };
};

const PARTS: Readonly<Record<string, string>> = {
  year: 'year',
  quarter: 'quarter',
  month: 'month',
  week: 'week',
  weekYear: 'isoyear',
  day: 'day',
  ordinalDay: 'dayofyear',
  dayOfWeek: 'isodow',
  weekDay: 'isodow',
  hour: 'hour',
  minute: 'minute',
  second: 'second',
};

/** `n.born.year`. */
export const partOfTime = (value: Value, name: string, frame: Frame): Value | null => {
  const unit = PARTS[name];
  const { kind } = value.type;
  const isPart = unit !== undefined && (kind === 'timestamp' || !/^(hour|minute|second)$/.test(name));
  if (isPart) return { sql: `CAST(date_part('${unit}', ${value.sql}) AS BIGINT)`, type: INTEGER };
  if (kind !== 'timestamp') return null;
  const fraction = (divisor: number): Value => ({
    sql: usedOnce(value, frame, ({ sql }) => `CAST((microsecond(${sql}) % 1000000) // ${divisor} AS BIGINT)`),
    type: INTEGER,
  });
  if (name === 'millisecond') return fraction(1000);
  if (name === 'microsecond') return fraction(1);
  if (name === 'epochMillis') return { sql: `epoch_ms(${value.sql})`, type: INTEGER };
  if (name === 'epochSeconds') return { sql: `CAST(floor(epoch_us(${value.sql}) / 1000000) AS BIGINT)`, type: INTEGER };
  return null;
};
