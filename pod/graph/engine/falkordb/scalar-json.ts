import { items, textOf, type Reply } from './resp';

/** Types of values in an answer, as the server numbers them. */
export const VALUE = {
  null: 1,
  text: 2,
  integer: 3,
  boolean: 4,
  double: 5,
  list: 6,
  edge: 7,
  node: 8,
  path: 9,
  map: 10,
  point: 11,
  vector: 12,
  timestamp: 13,
  date: 14,
  time: 15,
  duration: 16,
} as const;

/** Why an answer with a time JavaScript cannot hold is refused. */
export const UNKNOWN_YEAR =
  'The answer has a date beyond the years -271821 to 275760, which cannot be answered; return its year, or toString of it.';

/** JSON text of a value that has no other values of any type in it; null for a time in a year no answer can hold. */
export const scalarJson = (type: number, value: Reply): string | null => {
  switch (type) {
    case VALUE.null:
      return 'null';
    case VALUE.text:
      return JSON.stringify(textOf(value));
    case VALUE.integer:
    case VALUE.boolean:
      return textOf(value);
    case VALUE.double:
      return doubleJson(value);
    case VALUE.vector:
      return `[${items(value).map(doubleJson).join(',')}]`;
    case VALUE.point: {
      const [latitude, longitude] = items(value).map(doubleJson);
      return `{"latitude":${latitude},"longitude":${longitude}}`;
    }
    default: {
      const text = timeText(type, Number(value));
      return text === null ? null : JSON.stringify(text);
    }
  }
};

const doubleJson = (value: Reply): string => {
  const text = textOf(value);
  if (text.endsWith('nan')) return '"NaN"';
  if (text === 'inf') return '"Infinity"';
  return text === '-inf' ? '"-Infinity"' : String(Number(text));
};

const SECONDS_OF_A_DAY = 86_400;

/** The engine's own times have whole seconds; a duration is a number of seconds. */
const timeText = (type: number, seconds: number): string | null => {
  if (type === VALUE.duration) {
    const days = Math.trunc(seconds / SECONDS_OF_A_DAY);
    const rest = seconds % SECONDS_OF_A_DAY;
    return days === 0 ? `PT${rest}S` : `P${days}D${rest === 0 ? '' : `T${rest}S`}`;
  }
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return null;
  const iso = date.toISOString();
  if (type === VALUE.timestamp) return iso;
  const [day = '', time = ''] = iso.split('T');
  return type === VALUE.date ? day : time.slice(0, 8);
};
