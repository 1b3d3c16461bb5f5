import { type BinaryOperator } from '../../cypher/tree';
import { unsupported } from '../evaluation-fault';
import { isList, isNumber, kindOf, type Value } from '../values';
import { Duration, fractionOf, inverse } from './duration';
import { inRange } from './in-range';
import { Moment, UTC } from './moment';
import { inZone, movedTo, ruleOf } from './zones';

/** An operation with a date, time or duration; undefined for other operands, and for lists. */
export const temporalResult = (left: Value, operator: BinaryOperator, right: Value): Value | undefined =>
  inRange(() => {
    if (operator === '+' || operator === '-') {
      const sign = operator === '+' ? 1n : -1n;
      if (left instanceof Duration && right instanceof Duration) return left.plus(right, sign);
      if (left instanceof Moment && right instanceof Duration) return moved(left, right, Number(sign));
      if (left instanceof Duration && right instanceof Moment && sign === 1n) return moved(right, left, 1);
    } else if (operator === '*' || operator === '/') {
      if (left instanceof Duration && isFinite(right)) return scaled(left, operator, right);
      if (isFinite(left) && right instanceof Duration && operator === '*') return scaled(right, operator, left);
    }
    const isTemporal = [left, right].some((value) => value instanceof Moment || value instanceof Duration);
    if (!isTemporal || isList(left) || isList(right)) return undefined;
    // Such as a date minus a date, for which engines have a result.
    return unsupported(`${kindOf(left)} ${operator} ${kindOf(right)}`);
  });

const isFinite = (value: Value): value is bigint | number => isNumber(value) && Number.isFinite(Number(value));

const scaled = (duration: Duration, operator: '*' | '/', by: bigint | number): Duration => {
  const factor = fractionOf(String(by));
  return duration.times(operator === '*' ? factor : inverse(factor));
};

const SECOND = 1_000_000_000n;
const DAY = 86_400n * SECOND;

/** Months are added first, then days, then the rest; a date ignores parts of days. */
const moved = (moment: Moment, { months, days, nanoseconds }: Duration, sign: number): Moment => {
  const { type, local, zone } = moment;
  const count = (value: bigint): number => sign * Number(value);
  const onDay = local.add({ months: count(months) }).add({ days: count(days) });
  const clock = { seconds: count(nanoseconds / SECOND), nanoseconds: count(nanoseconds % SECOND) };
  switch (type) {
    case 'DATE':
      return new Moment(type, onDay.add({ days: count(nanoseconds / DAY) }));
    case 'TIME':
    case 'LOCALTIME':
      return new Moment(type, local.withPlainTime(local.toPlainTime().add(clock)), zone);
    case 'DATETIME': {
      const rule = ruleOf(zone ?? UTC);
      const start = inZone(type, onDay, rule);
      return movedTo(new Moment(type, start.utc.add(clock), UTC), rule);
    }
    case 'LOCALDATETIME':
    case 'TIMESTAMP':
      return new Moment(type, onDay.add(clock));
  }
};
