const DAYS_OF_400_YEARS = 146_097;
const DAY_MS = 86_400_000;

/** `2024-01-31`; years outside of 0 to 9999 in the expanded format of ISO 8601, with a sign and six digits or more. */
export const isoDay = (year: number, monthAndDay: string): string => {
  const [sign, digits] = year < 0 ? ['-', 6] : year > 9999 ? ['+', 6] : ['', 4];
  return `${sign}${String(Math.abs(year)).padStart(digits, '0')}-${monthAndDay}`;
};

/** The day `days` after 1 January 1970, also beyond the range of JavaScript's dates, which ends in the year 275760. */
export const isoDayAfterEpoch = (days: number): string => {
  const cycles = Math.floor(days / DAYS_OF_400_YEARS);
  const date = new Date((days - cycles * DAYS_OF_400_YEARS) * DAY_MS);
  return isoDay(date.getUTCFullYear() + cycles * 400, date.toISOString().slice(5, 10));
};
