/** SQL for `2024-01-31`; years outside of 0 to 9999 in the expanded format of ISO 8601, with a sign and six digits. */
export const dayText = (day: string): string =>
  `CASE WHEN year(${day}) BETWEEN 0 AND 9999 THEN strftime(${day}, '%Y-%m-%d') ELSE ` +
  `CASE WHEN year(${day}) < 0 THEN '-' ELSE '+' END || format('{:06d}', abs(year(${day}))) || ` +
  `strftime(${day}, '-%m-%d') END`;

/** SQL for the text of a day or time, which is `infinity` or `-infinity` if it is not finite. */
export const finiteText = (time: string, text: string): string =>
  `CASE WHEN isfinite(${time}) THEN ${text} ELSE CAST(${time} AS VARCHAR) END`;
