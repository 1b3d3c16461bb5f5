import { entityRows, valueInTables } from './entity';
import { type Frame, type Variable } from './frame';
import { converted } from './json-text';
import { type EntityType, INTEGER, NULL, simple, typed, unify, type Value } from './type';

/** `n.name` of a node or relationship; null where it does not have the property. */
export const propertyOfEntity = (entity: Variable, of: EntityType, name: string, frame: Frame): Value => {
  const { context } = frame;
  const columnOf = (table: number) => context.storedColumns(of.kind, table).find((column) => column.name === name);
  const types = of.tables.map((table) => columnOf(table)?.type ?? NULL.type);
  const common = types.reduce(unify, NULL.type);
  if (common.kind === 'null') return NULL;
  const joined = valueInTables(entity, of, frame, `property ${name}`, ({ table, alias }, inside) => {
    const column = columnOf(table);
    return converted(column === undefined ? NULL : simple(column.type, `${alias}.${column.column}`), common, inside);
  });
  if (joined !== null) return simple(common, joined);
  const rows = entityRows(entity, of, frame, (table) => columnOf(table) !== undefined);
  const values = rows.flatMap(({ table, alias }): readonly Value[] => {
    const column = columnOf(table);
    return column === undefined ? [] : [simple(column.type, `${alias}.${column.column}`)];
  });
  const [only = NULL, ...others] = values;
  if (others.length === 0) return only;
  return simple(common, `coalesce(${values.map((value) => converted(value, common, frame)).join(', ')})`);
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
export const partOfTime = (value: Value, name: string): Value | null => {
  const unit = PARTS[name];
  const { kind } = value.type;
  const isPart = unit !== undefined && (kind === 'timestamp' || !/^(hour|minute|second)$/.test(name));
  if (isPart) return typed(INTEGER, `CAST(date_part('${unit}', ${value.sql}) AS BIGINT)`);
  if (kind !== 'timestamp') return null;
  const fraction = (divisor: number): Value =>
    typed(INTEGER, `CAST((microsecond(${value.sql}) % 1000000) // ${divisor} AS BIGINT)`);
  if (name === 'millisecond') return fraction(1000);
  if (name === 'microsecond') return fraction(1);
  if (name === 'epochMillis') return typed(INTEGER, `epoch_ms(${value.sql})`);
  if (name === 'epochSeconds') return typed(INTEGER, `CAST(floor(epoch_us(${value.sql}) / 1000000) AS BIGINT)`);
  return null;
};
