const ISO = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** A duration of the API, such as `P7D` or `PT36H`, in days; empty: none, or one with months. */
export const daysOf = (duration: string | null): number | '' => {
  const found = ISO.exec(duration ?? '');
  if (found === null) return '';
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part || 0));
  return weeks * 7 + days + hours / 24 + minutes / 1440 + seconds / 86_400;
};

/** Null: the configured default. */
export const durationOf = (days: number | string): string | null => {
  if (days === '') return null;
  return Number.isInteger(Number(days)) ? `P${days}D` : `PT${Math.round(Number(days) * 24)}H`;
};
