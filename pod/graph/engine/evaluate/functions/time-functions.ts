import { unsupported } from '../evaluation-fault';
import { Moment, type Value } from '../values';
import { type FunctionTable, strict } from './function-table';

/** Of texts in the longest form alone; what others mean is not known here. */
const moment =
  (type: Moment['type'], form: RegExp, end: string) =>
  (value: Value = null): Value => {
    const [iso] = typeof value === 'string' ? (form.exec(value) ?? []) : [];
    if (iso === undefined) return unsupported(`a date or time of this form`);
    return Number.isNaN(Date.parse(iso)) || new Date(`${iso}${end}`).toISOString() !== `${iso}${end}`
      ? unsupported(`the day ${iso}`)
      : new Moment(type, type === 'DATE' ? iso : `${iso}${end}`);
  };

const DAY_MS = 86_400_000;

const daysBetween = (from: Value = null, to: Value = null): Value => {
  if (!(from instanceof Moment && to instanceof Moment && from.type === 'DATE' && to.type === 'DATE'))
    return unsupported('days between what has no date alone');
  const days = (Date.parse(to.iso) - Date.parse(from.iso)) / DAY_MS;
  return new Moment('DURATION', days === 0 ? 'PT0S' : `P${days}D`);
};

export const timeFunctions: FunctionTable = {
  DATE: strict(moment('DATE', /^\d{4}-\d\d-\d\d$/, 'T00:00:00.000Z')),
  LOCALDATETIME: strict(moment('TIMESTAMP', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, '.000Z')),
  'DURATION.INDAYS': strict(daysBetween),
};
