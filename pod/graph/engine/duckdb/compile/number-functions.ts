import { BOOLEAN, FINITE, FLOAT, INTEGER, SMALL_INTEGER, type Type, type Value } from './type';
import { of, ofRepeated, type Write } from './write-call';

const sameNumber = ({ type }: Value): Type => {
  if (type.kind !== 'float') return INTEGER;
  return type.isMixed === true ? { kind: 'float', isMixed: true } : FLOAT;
};

const ofFloat = (write: (number: string) => string): Write => ofRepeated(['double'], FLOAT, write);

/** The end of a CASE: not a number outside of the range of a function, as in openCypher, instead of an error. */
const orNotANumber = (number: string): string => `WHEN ${number} IS NOT NULL THEN 'NaN'::DOUBLE END`;

const within = (range: string, sql: (number: string) => string): Write =>
  ofFloat((number) => `CASE WHEN ${number} ${range} THEN ${sql(number)} ${orNotANumber(number)}`);

const ofFinite = (sql: (number: string) => string): Write =>
  ofFloat((number) => `CASE WHEN isfinite(${number}) THEN ${sql(number)} ${orNotANumber(number)}`);

const logarithm = (name: 'ln' | 'log10'): Write =>
  ofFloat(
    (number) =>
      `CASE WHEN ${number} > 0 THEN ${name}(${number}) WHEN ${number} = 0 THEN '-Infinity'::DOUBLE ${orNotANumber(number)}`,
  );

/** Halves are rounded up. The sum of a half and another number may be rounded itself. */
const whole = (float: string): string =>
  `CASE WHEN ${float} - floor(${float}) < 0.5 THEN floor(${float}) ELSE ceil(${float}) END`;

/** Halves of the decimal number are rounded away from 0; a float of 2^52 has no digits. */
const withPlaces = (float: string, places: string): string => {
  const scale = `pow(10.0::DOUBLE, ${places})`;
  const digits = `floor(abs(${float}) * ${scale})`;
  const size = `(${digits} + CASE WHEN abs(${float}) < (${digits} + 0.5) / ${scale} THEN 0 ELSE 1 END) / ${scale}`;
  return `CASE WHEN ${places} = 0 THEN ${whole(float)} WHEN abs(${float}) * ${scale} < 4503599627370496 THEN sign(${float}) * ${size} WHEN ${places} IS NOT NULL THEN ${float} END`;
};

const ROUNDED: readonly Write[] = [
  ofRepeated(['double'], FLOAT, whole),
  ofRepeated(['double', 'integer'], FLOAT, withPlaces),
];

/** The pod rounds by a mode. */
const round: Write = (values, frame, call) => ROUNDED[values.length - 1]?.(values, frame, call) ?? null;

/** Functions of numbers by their names in upper case. */
export const NUMBER_FUNCTIONS: Readonly<Record<string, Write>> = {
  ABS: of(['number'], sameNumber, (number) => `abs(${number})`),
  SIGN: of(['number'], SMALL_INTEGER, (number) => `CAST(sign(${number}) AS BIGINT)`),
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
  ATAN2: of(['double', 'double'], FLOAT, (y, x) => `atan2(${y}, ${x})`),
  DEGREES: ofFloat((number) => `(${number} * 180 / pi())`),
  RADIANS: ofFloat((number) => `(${number} * pi() / 180)`),
  HAVERSIN: ofFloat((number) => `((1.0 - cos(${number})) / 2)`),
  ISNAN: of(['double'], BOOLEAN, (number) => `isnan(${number})`),
  PI: of([], FINITE, () => 'pi()'),
  E: of([], FINITE, () => 'exp(1.0::DOUBLE)'),
};
