import { usedOnce } from './list-map';
import { isNumeric } from './operators';
import { BOOLEAN, FLOAT, NULL, SMALL_INTEGER, typed } from './type';
import { ofFloat, type Write } from './write-call';

/** The end of a CASE. */
const orNotANumber = (number: string): string => `WHEN ${number} IS NOT NULL THEN 'NaN'::DOUBLE END`;

/** Not a number outside of the range of a function, as in openCypher, instead of an error. */
const within = (range: string, sql: (number: string) => string): Write =>
  ofFloat((number) => `CASE WHEN ${number} ${range} THEN ${sql(number)} ${orNotANumber(number)}`);

const ofFinite = (sql: (number: string) => string): Write =>
  ofFloat((number) => `CASE WHEN isfinite(${number}) THEN ${sql(number)} ${orNotANumber(number)}`);

/** Halves are rounded up; with digits, away from 0. */
const round: Write = ([value = NULL, digits], frame) => {
  if (!isNumeric(value.type)) return null;
  const float = { ...value, sql: `CAST(${value.sql} AS DOUBLE)` };
  if (digits === undefined) return typed(FLOAT, `floor(${float.sql} + 0.5)`);
  if (digits.type.kind !== 'integer') return null;
  return typed(
    FLOAT,
    usedOnce(float, frame, ({ sql }) =>
      usedOnce(
        digits,
        frame,
        (places) => `(sign(${sql}) * floor(abs(${sql}) * pow(10.0, ${places.sql}) + 0.5) / pow(10.0, ${places.sql}))`,
      ),
    ),
  );
};

const sameNumber =
  (name: string): Write =>
  ([value = NULL]) =>
    isNumeric(value.type)
      ? typed(
          { kind: value.type.kind, ...(value.type.isMixed === true ? { isMixed: true } : {}) },
          `${name}(${value.sql})`,
        )
      : null;

const logarithm = (name: 'ln' | 'log10'): Write =>
  ofFloat(
    (number) =>
      `CASE WHEN ${number} > 0 THEN ${name}(${number}) WHEN ${number} = 0 THEN '-Infinity'::DOUBLE ` +
      orNotANumber(number),
  );

/** Functions of numbers by their names in upper case. */
export const NUMBER_FUNCTIONS: Readonly<Record<string, Write>> = {
  ABS: sameNumber('abs'),
  SIGN: ([value = NULL]) => (isNumeric(value.type) ? typed(SMALL_INTEGER, `CAST(sign(${value.sql}) AS BIGINT)`) : null),
  CEIL: ofFloat((number) => `ceil(${number})`),
  FLOOR: ofFloat((number) => `floor(${number})`),
  ROUND: round,
  SQRT: within('>= 0', (number) => `sqrt(${number})`),
  EXP: ofFloat((number) => `exp(${number})`),
  LOG: logarithm('ln'),
  LOG10: logarithm('log10'),
  SIN: ofFinite((number) => `sin(${number})`),
  COS: ofFinite((number) => `cos(${number})`),
  TAN: ofFinite((number) => `tan(${number})`),
  COT: ofFinite((number) => `(1.0 / tan(${number}))`),
  ASIN: within('BETWEEN -1 AND 1', (number) => `asin(${number})`),
  ACOS: within('BETWEEN -1 AND 1', (number) => `acos(${number})`),
  ATAN: ofFloat((number) => `atan(${number})`),
  ATAN2: ([y = NULL, x = NULL]) =>
    isNumeric(y.type) && isNumeric(x.type)
      ? typed(FLOAT, `atan2(CAST(${y.sql} AS DOUBLE), CAST(${x.sql} AS DOUBLE))`)
      : null,
  DEGREES: ofFloat((number) => `(${number} * 180 / pi())`),
  RADIANS: ofFloat((number) => `(${number} * pi() / 180)`),
  HAVERSIN: ofFloat((number) => `((1.0 - cos(${number})) / 2)`),
  ISNAN: ([value = NULL]) => (isNumeric(value.type) ? typed(BOOLEAN, `isnan(CAST(${value.sql} AS DOUBLE))`) : null),
  PI: () => typed({ kind: 'float', isFinite: true }, 'pi()'),
  E: () => typed({ kind: 'float', isFinite: true }, 'exp(1.0::DOUBLE)'),
};
