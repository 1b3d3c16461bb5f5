import { type Call } from '../cypher/tree';
import { keyOf, order, uniqueBy } from './comparison';
import { type Context, type Row, valueOf } from './context';
import { fail, unsupported } from './evaluation-fault';
import { integer, operated } from './operators';
import { Duration } from './temporal/duration';
import { isNumber, kindOf, type Value } from './values';

/** The value of an aggregate over the rows of a group. */
export const aggregated = (call: Call, group: readonly Row[], context: Context): Value => {
  const name = call.name.toUpperCase();
  const [argument, second] = call.arguments;
  if (argument === undefined) return fail(`${call.name} without an argument`);
  if (argument.kind === 'star') return BigInt(group.length);
  const all = group.map((row) => valueOf(argument, row, context)).filter((value) => value !== null);
  const values = call.distinct ? uniqueBy(all, keyOf) : all;
  const apply = AGGREGATES[name];
  if (apply !== undefined) return apply(values);
  if (second === undefined || !name.startsWith('PERCENTILE')) return unsupported(call.name);
  return percentile(name, values, valueOf(second, group[0] ?? new Map<string, Value>(), context));
};

const numbersOf = (values: readonly Value[]): readonly (bigint | number)[] =>
  values.map((value) => (isNumber(value) ? value : fail(`a sum with ${kindOf(value)}`)));

/** The sum of numbers or of durations. Only the sum itself has to be an integer of 64 bits. */
const sum = (values: readonly Value[]): Value => {
  const [start, ...others] = values;
  if (start instanceof Duration) return others.reduce<Value>((total, value) => operated(total, '+', value), start);
  const numbers = numbersOf(values);
  const integers = numbers.filter((value) => typeof value === 'bigint');
  return integers.length === numbers.length
    ? integer(integers.reduce((total, value) => total + value, 0n))
    : sumOfFloats(numbers.map(Number));
};

const sumOfFloats = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const average = (values: readonly number[]): number => sumOfFloats(values) / values.length;

const deviation =
  (isSample: boolean) =>
  (values: readonly Value[]): Value => {
    const numbers = numbersOf(values).map(Number);
    if (numbers.length < 2) return 0;
    const mean = average(numbers);
    const squares = numbers.reduce((total, value) => total + (value - mean) ** 2, 0);
    return Math.sqrt(squares / (numbers.length - (isSample ? 1 : 0)));
  };

const first = (values: readonly Value[], compare: (a: Value, b: Value) => number): Value =>
  [...values].sort(compare)[0] ?? null;

const AGGREGATES: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  COUNT: (values) => BigInt(values.length),
  COLLECT: (values) => values,
  SUM: sum,
  AVG: (values) => {
    if (values.length === 0) return null;
    return values[0] instanceof Duration
      ? operated(sum(values), '/', BigInt(values.length))
      : average(numbersOf(values).map(Number));
  },
  MIN: (values) => first(values, order),
  MAX: (values) => first(values, (a, b) => order(b, a)),
  STDEV: deviation(true),
  STDEVP: deviation(false),
};

const percentile = (name: string, values: readonly Value[], share: Value): Value => {
  if (!isNumber(share) || share < 0 || share > 1) return fail('a percentile outside of 0 to 1');
  const sorted = [...numbersOf(values)].sort(order);
  if (sorted.length === 0) return null;
  if (name === 'PERCENTILEDISC') return sorted[Math.max(0, Math.ceil(Number(share) * sorted.length) - 1)] ?? null;
  const place = Number(share) * (sorted.length - 1);
  const [low, high] = [Number(sorted[Math.floor(place)]), Number(sorted[Math.ceil(place)])];
  return low + (high - low) * (place - Math.floor(place));
};
