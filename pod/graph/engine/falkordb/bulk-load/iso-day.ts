const DAYS_OF_400_YEARS = 146_097;
const DAY_MS = 86_400_000;

/**
 * `2024-01-31`, the day `days` after 1 January 1970, also beyond the range of JavaScript's dates. Years outside of 0 to
 * 9999 are in the expanded format of ISO 8601, with a sign and six digits or more.
 */
export const isoDayAfterEpoch = (days: number): string => {
  const cycles = Math.floor(days / DAYS_OF_400_YEARS);
  const date = new Date((days - cycles * DAYS_OF_400_YEARS) * DAY_MS);
  const year = date.getUTCFullYear() + cycles * 400;
  const [sign, digits] = year < 0 ? ['-', 6] : year > 9999 ? ['+', 6] : ['', 4];
  return `${sign}${String(Math.abs(year)).padStart(digits, '0')}-${date.toISOString().slice(5, 10)}`;
};
