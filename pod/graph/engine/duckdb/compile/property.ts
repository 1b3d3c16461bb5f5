import { type EntityRow, rowOf, valueOfRow } from './entity';
import { type Frame, type Variable } from './frame';
import { converted } from './json-text';
import { usedOnce } from './list-map';
import { type EntityType, INTEGER, NULL, simple, typed, unify, type Value } from './type';

/** `n.name` of a node or relationship; null where it does not have the property. */
export const propertyOfEntity = (entity: Variable, of: EntityType, name: string, frame: Frame): Value => {
  const { context } = frame;
  const columnOf = (table: number): Value => {
    const found = context.storedColumns(of.kind, table).find((column) => column.name === name);
    return found === undefined ? NULL : simple(found.type, found.column);
  };
  const tables = of.tables.filter((table) => columnOf(table) !== NULL);
  const [only, ...others] = tables;
  if (only === undefined) return NULL;
  const valueOf = ({ table, alias }: EntityRow): Value => {
    const { sql, type } = columnOf(table);
    return simple(type, `${alias}.${sql}`);
  };
  if (others.length === 0) return valueOf(rowOf(entity, of, only, frame));
  const type = tables.map((table) => columnOf(table).type).reduce(unify);
  const value = (row: EntityRow, inside: Frame): string => converted(valueOf(row), type, inside);
  return simple(type, valueOfRow(entity, { ...of, tables }, frame, `property ${name}`, value));
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
  if (name === 'dayOfQuarter' || name === 'quarterDay')
    return typed(
      INTEGER,
      usedOnce(
        value,
        frame,
        ({ sql }) => `CAST(date_diff('day', date_trunc('quarter', ${sql}), ${sql}) + 1 AS BIGINT)`,
      ),
    );
  const isPart = unit !== undefined && (kind === 'timestamp' || !/^(hour|minute|second)$/.test(name));
  if (isPart) return typed(INTEGER, `CAST(date_part('${unit}', ${value.sql}) AS BIGINT)`);
  if (kind !== 'timestamp') return null;
  const fraction = (divisor: number): Value =>
    typed(INTEGER, `CAST((microsecond(${value.sql}) % 1000000) // ${divisor} AS BIGINT)`);
  if (name === 'millisecond') return fraction(1000);
  if (name === 'microsecond') return fraction(1);
  if (name === 'nanosecond') return typed(INTEGER, `(${fraction(1).sql} * 1000)`);
  if (name === 'epochMillis') return typed(INTEGER, `epoch_ms(${value.sql})`);
  if (name === 'epochSeconds') return typed(INTEGER, `CAST(floor(epoch_us(${value.sql}) / 1000000) AS BIGINT)`);
  return null;
};
