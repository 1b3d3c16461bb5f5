import { type PlainValue } from './compiled-query';
import { FINITE, INTEGER, simple, SMALL_INTEGER, type Value } from './type';

/** A text in SQL. SQL texts cannot contain U+0000. */
export const textLiteral = (text: string): string => {
  const parts = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' || chr(0) || ')})`;
};

/** Begins the messages of errors that compiled queries raise themselves; the rest is for the user. */
export const RAISED = 'rowgraph: ';

/** SQL that is an error with a message for the user if a condition holds. */
export const orError = (isWrong: string, message: string, sql: string): string =>
  `CASE WHEN ${isWrong} THEN error('${RAISED}${message}') ELSE ${sql} END`;

/** The value of a number literal; `sign`: of a minus before it. */
export const numberLiteral = (text: string, sign: '' | '-' = ''): Value => {
  if (/^(\d+|0x.*|0o.*)$/i.test(text)) {
    const value = BigInt(text.toLowerCase());
    if (value <= 2n ** 53n) return simple(SMALL_INTEGER, sign === '-' ? `(-${value})` : `${value}::BIGINT`);
    // -2^63 is a HUGEINT.
    return simple(INTEGER, `CAST(${sign}${value} AS BIGINT)`);
  }
  const sql = `${sign}${Number(text)}`.replace(/^(-?\d+)$/, '$1.0');
  return simple(FINITE, `'${sql}'::DOUBLE`);
};

/** Longer texts are bound: they may occur several times in a statement. */
const SHORT_TEXT = 1000;

/** A value in SQL with the type that it has as a parameter; null for long ones and other types. */
export const shortLiteral = (value: PlainValue): string | null => {
  if (typeof value === 'bigint') return `CAST(${value} AS BIGINT)`;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.length <= SHORT_TEXT ? `CAST(${textLiteral(value)} AS VARCHAR)` : null;
};

/** SQL with other texts for `$1`, `$2`, … */
export const withParameters = (sql: string, change: (number: number) => string | undefined): string =>
  mappedCode(sql, (code) => code.replaceAll(/\$(\d+)/g, (same, digits: string) => change(Number(digits)) ?? same));

/** SQL with its text outside of literals changed. */
export const mappedCode = (sql: string, change: (code: string) => string): string =>
  sql
    .split(/('(?:[^']|'')*')/)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('');

export const withoutLiterals = (sql: string): string => sql.replaceAll(/'(?:[^']|'')*'/g, "''");

/** Whether an expression has the same value in all rows. */
export const isSameInAllRows = (sql: string): boolean => !/\b[a-z]\d+\.\w|random\(|_uuid\(/.test(withoutLiterals(sql));
