import { readMoment } from '../../moments';
import { unsupported } from '../evaluation-fault';
import { Moment, type Value } from '../values';
import { type FunctionTable, strict } from './function-table';

/** Only of texts. */
const moment =
  (type: 'DATE' | 'TIMESTAMP') =>
  (value: Value = null): Value => {
    const found = typeof value === 'string' ? readMoment(value, type === 'TIMESTAMP') : null;
    if (found === null || found.microseconds > 0) return unsupported('a date or time of this form');
    const iso = new Date(found.milliseconds).toISOString();
    return new Moment(type, type === 'DATE' ? iso.slice(0, -14) : iso);
  };

const DAY_MS = 86_400_000;

const daysBetween = (from: Value = null, to: Value = null): Value => {
  if (!(from instanceof Moment && to instanceof Moment && from.type === 'DATE' && to.type === 'DATE'))
    return unsupported('days between what has no date alone');
  const days = (Date.parse(to.iso) - Date.parse(from.iso)) / DAY_MS;
  return new Moment('DURATION', days === 0 ? 'PT0S' : `P${days}D`);
};

export const timeFunctions: FunctionTable = {
  DATE: strict(moment('DATE')),
  LOCALDATETIME: strict(moment('TIMESTAMP')),
  'DURATION.INDAYS': strict(daysBetween),
};
