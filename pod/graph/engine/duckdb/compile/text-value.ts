import { dayText, finiteText } from '../../../duckdb/day-text';
import { type Span } from '../../cypher/tree';
import { byMember } from './any-value';
import { durationText } from './duration-parts';
import { type Frame } from './frame';
import { usedOnce } from './list-map';
import { NULL, TEXT, type Value } from './type';

/** A number, boolean, date or time as text, in the form of openCypher. */
export const textValue = (value: Value, frame: Frame, at: Span): string => {
  const { type, sql } = value;
  if (type.kind === 'text' || type.kind === 'null') return sql;
  if (/^(boolean|integer|uuid)$/.test(type.kind)) return `CAST(${sql} AS VARCHAR)`;
  if (type.kind === 'date') return usedOnce(value, frame, (date) => finiteText(date.sql, dayText(date.sql)));
  if (type.kind === 'duration') return durationText(value, frame);
  if (type.kind === 'timestamp' && type.isConstant === true && type.isLocal !== true)
    return frame.context.refuse('A time with a zone has no text here; write toString(…) around the constant.', at);
  if (type.kind === 'timestamp')
    return usedOnce(value, frame, ({ sql: time }) => {
      const seconds = `CASE WHEN microsecond(${time}) = 0 THEN '' ELSE ':' || rtrim(rtrim(strftime(${time}, '%S.%f'), '0'), '.') END`;
      return finiteText(time, `${dayText(time)} || strftime(${time}, 'T%H:%M') || ${seconds}`);
    });
  if (type.kind === 'any' && type.members?.some(({ kind }) => kind === 'float') === false) {
    const text = byMember(value, type.members, frame, (member) => textValue(member, frame, at), NULL.sql);
    if (text !== null) return text;
  }
  if (type.kind !== 'float')
    return frame.context.refuse('This value has no text; use a number, a boolean, a date or a string.', at);
  if (type.isMixed === true)
    return frame.context.refuse('Is this an integer or a float? Write toFloat(…) or toInteger(…) around it.', at);
  return usedOnce(value, frame, ({ sql: float }) => floatText(float, frame));
};

/** Floats below 0.001 and from 10,000,000 on have an exponent. */
const floatText = (sql: string, frame: Frame): string => {
  const shortest = { sql: `CAST(to_json(abs(${sql})) AS VARCHAR)`, type: TEXT };
  const unsigned = usedOnce(shortest, frame, ({ sql: text }) => {
    const [whole, fraction] = [`split_part(${text}, '.', 1)`, `split_part(${text}, '.', 2)`];
    const digits = `CASE WHEN abs(${sql}) < 1 THEN ltrim(${fraction}, '0') ELSE rtrim(${whole} || ${fraction}, '0') END`;
    const exponent = `CASE WHEN abs(${sql}) < 1 THEN len(ltrim(${fraction}, '0')) - len(${fraction}) - 1 ELSE len(${whole}) - 1 END`;
    const withExponent = `regexp_replace(regexp_replace(replace(${text}, 'e', 'E'), '^(\\d+)E', '\\1.0E'), 'E0', 'E')`;
    const rest = usedOnce(
      { sql: digits, type: TEXT },
      frame,
      ({ sql: all }) =>
        `left(${all}, 1) || '.' || CASE WHEN len(${all}) = 1 THEN '0' ELSE substring(${all}, 2) END || 'E' || (${exponent})`,
    );
    const plain = `CASE WHEN contains(${text}, '.') THEN ${text} ELSE ${text} || '.0' END`;
    const isPlain = `${sql} = 0 OR abs(${sql}) BETWEEN 1e-3 AND 9999999.999999998`;
    return `CASE WHEN ${isPlain} THEN ${plain} WHEN contains(${text}, 'e') THEN ${withExponent} ELSE ${rest} END`;
  });
  return `CASE WHEN NOT isfinite(${sql}) THEN CAST(to_json(${sql}) AS VARCHAR) WHEN signbit(${sql}) THEN '-' || ${unsigned} ELSE ${unsigned} END`;
};
