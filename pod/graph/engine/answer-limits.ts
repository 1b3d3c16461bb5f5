/** Rows an answer in JSON holds. */
export const MAX_ROWS = 100_000;
/** What the rows of an answer in JSON, or one row of an export, may take as text. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** Why a query with such a row is refused. */
export const rowTooLarge = (row: number, bytes: number): string =>
  `Row ${row} of the answer takes ${bytes} bytes, and an answer may hold ${MAX_BYTES}. ` +
  'Return less of its values, for example the first characters of a text or the size of a list.';
