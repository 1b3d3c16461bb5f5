const ISO = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Units of a field, in hours. */
export const HOUR = 1;
export const DAY = 24;

/** Converts a lifetime of the API, such as `P7D` or `PT36H`, to the number in a field; empty: none. */
export const amountOf = (lifetime: string | null, unit: number): number | '' => {
  const found = ISO.exec(lifetime ?? '');
  if (found === null) return '';
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part || 0));
  return (weeks * 168 + days * 24 + hours + minutes / 60 + seconds / 3600) / unit;
};

/** Null: the configured default. */
export const lifetimeOf = (amount: number | string, unit: number): string | null => {
  if (amount === '') return null;
  const hours = Number(amount) * unit;
  if (hours % DAY === 0) return `P${hours / DAY}D`;
  return Number.isInteger(hours) ? `PT${hours}H` : `PT${Math.round(hours * 60)}M`;
};
