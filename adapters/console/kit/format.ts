const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in one or two units: `3 h 20 min`. */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const index = UNITS.findIndex(([, size]) => seconds >= size);
  const [unit, size] = UNITS[index] ?? UNITS[3];
  const next = UNITS[index + 1];
  const rest = next === undefined || size === 1 ? 0 : Math.floor((seconds % size) / next[1]);
  return `${Math.floor(seconds / size)} ${unit}${next === undefined || rest === 0 ? '' : ` ${rest} ${next[0]}`}`;
};

/** Time since a timestamp. */
export const age = (at: string): string => duration(Date.now() - Date.parse(at));

/** Time until a timestamp. */
export const until = (at: string): string => duration(Date.parse(at) - Date.now());

/** The time of a text; undefined for an absent or invalid one. */
export const timeOf = (text: string | undefined): Date | undefined => {
  const time = new Date(text ?? NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
};

/** A time as the value of an input of local time. */
export const localTimeOf = (time: Date | undefined): string =>
  time === undefined ? '' : new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** A number of bytes: `812 MB`, `1.5 GB`. */
export const bytes = (count: number): string =>
  count >= 1e9 ? `${(count / 2 ** 30).toFixed(1)} GB` : `${Math.round(count / 2 ** 20)} MB`;

/** The cores of a graph: `0.52 of 4 cores`. */
export const cores = (graph: { readonly cpu_cores: number; readonly cpu_usage_cores: number | null }): string =>
  `${graph.cpu_usage_cores === null ? '' : `${graph.cpu_usage_cores} of `}${counted(graph.cpu_cores, 'core')}`;

export const count = (value: number): string => value.toLocaleString('en');

/** A number with this many significant digits; integers are exact. */
export const shortNumber = (value: number, digits: number): string =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(digits)));

/** A number of digits with which `shortNumber` keeps different numbers different. */
export const digitsOf = (values: readonly number[]): number => {
  const textsOf = (digits: number) => new Set(values.map((value) => shortNumber(value, digits)));
  return [3, 6, 9].find((digits) => textsOf(digits).size === new Set(values).size) ?? 17;
};

/** A number with its noun: `1 table`, `2 tables`. */
export const counted = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? '' : 's'}`;

/** The start of a text, without half a character at its end. */
export const truncate = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** A value of an answer as text. Integers are exact; null is empty. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : exactText(value);
};

/** JSON with exact 64-bit integers. */
export const exactText = (value: unknown, indent?: number): string => {
  // Texts in the value do not begin with this marker.
  const mark = `${Math.random()} `;
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${mark}${one}` : one), indent);
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
};
