const SECOND = 1_000_000_000n;
const DAY = 86_400n * SECOND;
/** The average month of 400 years. */
const MONTH = 2_629_746n * SECOND;

/** Months, days and nanoseconds, each of which may be negative. */
export class Duration {
  constructor(
    readonly months: bigint,
    readonly days: bigint,
    readonly nanoseconds: bigint,
  ) {}

  /** Whole seconds; `nanosecondsOfSecond` are the rest, which is never negative. */
  get seconds(): bigint {
    return (this.nanoseconds - this.nanosecondsOfSecond) / SECOND;
  }

  get nanosecondsOfSecond(): bigint {
    return ((this.nanoseconds % SECOND) + SECOND) % SECOND;
  }

  /** For the order of ORDER BY: with average months and days of 24 hours. */
  get averageLength(): bigint {
    return this.months * MONTH + this.days * DAY + this.nanoseconds;
  }

  plus({ months, days, nanoseconds }: Duration, sign: 1n | -1n): Duration {
    return new Duration(this.months + sign * months, this.days + sign * days, this.nanoseconds + sign * nanoseconds);
  }

  times({ numerator, denominator }: Fraction): Duration {
    const { months, days, nanoseconds } = this;
    return durationOf(months * numerator, days * numerator, nanoseconds * numerator, denominator);
  }

  /** `P1Y2M3DT4H5M6.789S`. */
  toString(): string {
    const { months, days, nanoseconds } = this;
    const seconds = nanoseconds / SECOND;
    const fraction = nanoseconds % SECOND;
    const digits = fraction === 0n ? '' : `.${absolute(fraction).toString().padStart(9, '0').replace(/0+$/, '')}`;
    const rest = `${seconds % 60n === 0n && fraction < 0n ? '-0' : seconds % 60n}${digits}`;
    const date = texts([months / 12n, 'Y'], [months % 12n, 'M'], [days, 'D']);
    const time = texts([seconds / 3600n, 'H'], [(seconds / 60n) % 60n, 'M']) + (rest === '0' ? '' : `${rest}S`);
    return date + time === '' ? 'PT0S' : `P${date}${time === '' ? '' : `T${time}`}`;
  }
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

const texts = (...parts: readonly (readonly [bigint, string])[]): string =>
  parts.map(([count, unit]) => (count === 0n ? '' : `${count}${unit}`)).join('');

/** A decimal number without rounding; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The number of a text such as `-1.5` or `1e-7`. */
export const fractionOf = (text: string): Fraction => {
  const [, whole = '', digits = '', exponent = '0'] = /^(-?\d+)(?:[.,](\d+))?(?:e([-+]\d+))?$/.exec(text) ?? [];
  const power = Number(exponent) - digits.length;
  const numerator = BigInt(whole + digits);
  return power < 0
    ? { numerator, denominator: 10n ** BigInt(-power) }
    : { numerator: numerator * 10n ** BigInt(power), denominator: 1n };
};

export const inverse = ({ numerator, denominator }: Fraction): Fraction =>
  numerator < 0n
    ? { numerator: -denominator, denominator: -numerator }
    : { numerator: denominator, denominator: numerator };

/** A duration of fractions: what remains of months is added to the days, and what remains of these to the nanoseconds. */
const durationOf = (months: bigint, days: bigint, nanoseconds: bigint, denominator: bigint): Duration => {
  const [ofDays, unit] = [days * DAY + (months % denominator) * MONTH, denominator * DAY];
  return new Duration(months / denominator, ofDays / unit, (nanoseconds + (ofDays % unit)) / denominator);
};

/** The units of a duration, one of each. */
const UNITS: Readonly<Record<string, Duration>> = {
  years: new Duration(12n, 0n, 0n),
  quarters: new Duration(3n, 0n, 0n),
  months: new Duration(1n, 0n, 0n),
  weeks: new Duration(0n, 7n, 0n),
  days: new Duration(0n, 1n, 0n),
  hours: new Duration(0n, 0n, 3600n * SECOND),
  minutes: new Duration(0n, 0n, 60n * SECOND),
  seconds: new Duration(0n, 0n, SECOND),
  milliseconds: new Duration(0n, 0n, 1_000_000n),
  microseconds: new Duration(0n, 0n, 1_000n),
  nanoseconds: new Duration(0n, 0n, 1n),
};

export const UNIT_NAMES: readonly string[] = Object.keys(UNITS);

export const NOTHING = new Duration(0n, 0n, 0n);

/** The sum of some units; null if one does not exist. */
export const sumOfUnits = (counts: readonly (readonly [unit: string, count: Fraction])[]): Duration | null => {
  let sum = NOTHING;
  const common = counts.reduce((all, [, { denominator }]) => all * denominator, 1n);
  for (const [name, { numerator, denominator }] of counts) {
    const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
    if (unit === undefined) return null;
    sum = sum.plus(unit.times({ numerator: (numerator * common) / denominator, denominator: 1n }), 1n);
  }
  return sum.times({ numerator: 1n, denominator: common });
};

const NUMBER = String.raw`(-?\d+(?:[.,]\d+)?)`;
const BY_UNITS = new RegExp(
  `^([-+]?)P(?=.)(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?=.)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
  'i',
);
/** `P2012-02-02T14:37:21.545`. */
const BY_DATE = /^([-+]?)P(\d{4})-(\d\d)()-(\d\d)T(\d\d):(\d\d):(\d\d(?:[.,]\d+)?)$/i;
const NAMES = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'];

/** The duration of a text in ISO 8601; null for any other text. */
export const readDuration = (text: string): Duration | null => {
  const match = BY_UNITS.exec(text) ?? BY_DATE.exec(text);
  if (match === null) return null;
  const [, sign, ...counts] = match;
  const units = NAMES.flatMap((name, at) => {
    const count = counts[at] ?? '';
    return count === '' ? [] : [[name, fractionOf(count)] as const];
  });
  const sum = sumOfUnits(units);
  return sign === '-' && sum !== null ? NOTHING.plus(sum, -1n) : sum;
};
