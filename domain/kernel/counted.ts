/** A number with its noun: `1 row`, `2 rows`; `shown`: how the number is written. */
export const counted = (value: number, word: string, shown = String(value)): string =>
  `${shown} ${word}${value === 1 ? '' : 's'}`;
