/**
 * The text of a page with whole numbers of 16 digits or more as strings, because `JSON.parse` rounds those beyond 2^53.
 */
export const exactNumbers = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (found) =>
    found.startsWith('"') ? found : `"${found}"`,
  );

const FLOATS = /^(double|real)$/;

/**
 * Reads rows of these types: BIGINT becomes a bigint, DOUBLE and REAL numbers (NaN and Infinity arrive as texts). DECIMAL,
 * dates and times stay the exact texts that Trino sends; nested values stay as they arrive.
 */
export const valueReader =
  (types: readonly string[]) =>
  (row: readonly unknown[]): readonly unknown[] =>
    row.map((value, index) => {
      const type = types[index] ?? '';
      if (type === 'bigint' && (typeof value === 'number' || typeof value === 'string')) return BigInt(value);
      if (FLOATS.test(type) && typeof value === 'string') return Number(value);
      return value;
    });
