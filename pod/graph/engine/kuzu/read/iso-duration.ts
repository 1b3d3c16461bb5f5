/** Converts the engine's `1 year 2 months 3 days 04:05:06.7` to ISO 8601. */
export const isoDuration = (text: string): string => {
  const days = [...text.matchAll(/(-?\d+) ([ymd])/g)].map(([, count = '', unit = '']) => count + unit.toUpperCase());
  const [, sign = '', hours, minutes, seconds] = /(-?)(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text) ?? [];
  const clock = [`${Number(hours ?? 0)}H`, `${Number(minutes ?? 0)}M`, `${Number(seconds ?? 0)}S`];
  const time = clock.filter((part) => !/^0[HMS]$/.test(part)).map((part) => sign + part);
  if (days.length + time.length === 0) return 'PT0S';
  return `P${days.join('')}${time.length === 0 ? '' : `T${time.join('')}`}`;
};
