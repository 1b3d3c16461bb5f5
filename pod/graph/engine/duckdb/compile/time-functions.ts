import { usedOnce } from './list-map';
import { orError } from './literal';
import { NULL, type Type, typed, type Value } from './type';
import { type Write } from './write-call';

const DATE: Type = { kind: 'date' };
/** A time without a zone. */
const LOCAL_TIME: Type = { kind: 'timestamp', isConstant: true, isLocal: true };

const isDateOrTime = ({ type }: Value): boolean =>
  type.kind === 'date' || (type.kind === 'timestamp' && (type.isConstant !== true || type.isLocal === true));

/** A date or time, or a text in one form, as another type; openCypher's other forms are an error. */
const converted =
  (type: Type, sqlType: 'DATE' | 'TIMESTAMP', form: string, example: string): Write =>
  ([value = NULL], frame, { name }) => {
    if (isDateOrTime(value)) return typed(type, `CAST(${value.sql} AS ${sqlType})`);
    if (value.type.kind !== 'text') return null;
    const message = `${name} of a text that is not such as ${example}; exclude such rows by WHERE.`;
    const sql = usedOnce(value, frame, ({ sql: text }) => {
      const cast = `TRY_CAST(${text} AS ${sqlType})`;
      return orError(
        `NOT regexp_full_match(${text}, '${form}') OR (${text} IS NOT NULL AND ${cast} IS NULL)`,
        message,
        cast,
      );
    });
    return typed(type, sql);
  };

const UNITS_OF_DATES = /^(decade|year|quarter|month|week|day)$/;
const UNITS_OF_TIMES = /^(hour|minute|second|millisecond|microsecond)$/;

/** DuckDB 1.5.6 replaces a comparison of `date_trunc` that holds for no value by false, for null as well. */
const beginOf = (unit: string, sql: string): string =>
  `CASE WHEN ${sql} IS NOT NULL THEN date_trunc('${unit}', ${sql}) END`;

/** By a unit that is the same in all rows. */
const truncated =
  (type: Type, sqlType: 'DATE' | 'TIMESTAMP'): Write =>
  ([, value = NULL, ...others], frame, { arguments: [unit] }) => {
    const name = (unit === undefined ? null : frame.context.textOf(unit))?.toLowerCase() ?? '';
    const hasTime = type.kind === 'timestamp' && value.type.kind === 'timestamp';
    const isUnit = UNITS_OF_DATES.test(name) || (hasTime && UNITS_OF_TIMES.test(name));
    if (!isUnit || !isDateOrTime(value) || others.length > 0) return null;
    return typed(type, `CAST(${usedOnce(value, frame, ({ sql }) => beginOf(name, sql))} AS ${sqlType})`);
  };

export const TIME_FUNCTIONS: Readonly<Record<string, Write>> = {
  DATE: converted(DATE, 'DATE', String.raw`\d{4}-\d\d-\d\d`, '2024-01-31'),
  LOCALDATETIME: converted(
    LOCAL_TIME,
    'TIMESTAMP',
    String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.]\d{1,6})?)?`,
    '2024-01-31T10:30',
  ),
  'DATE.TRUNCATE': truncated(DATE, 'DATE'),
  'LOCALDATETIME.TRUNCATE': truncated(LOCAL_TIME, 'TIMESTAMP'),
};
