export const TABLE_ENDINGS = {
  parquet: /\.(parquet|parq|pq)$/i,
  csv: /\.csv(\.gz|\.zst)?$/i,
  tsv: /\.tsv(\.gz|\.zst)?$/i,
} as const;

/** How the files of a table are written. */
export type TableFormat = keyof typeof TABLE_ENDINGS;

/** A database of DuckDB. */
export const DATABASE = /\.(duckdb|ddb|db)$/i;

/** Formats of tables that are not read, so that a file is not missed silently. */
const OTHER_DATA =
  /\.(txt|psv|tab|dat|json|jsonl|ndjson|orc|avro|arrow|feather|xlsx?|ods|sqlite3?|gz|zst|bz2|xz|lz4|snappy|zip|7z|tar|tgz)$/i;

/** In the order in which one is chosen where there are several. */
export const TABLE_FORMATS: readonly TableFormat[] = ['parquet', 'csv', 'tsv'];

/** The name of a file without one of these endings; null when it has none of them, or no name. */
export const nameBefore = (name: string, ending: RegExp): string | null => {
  const before = name.replace(ending, '');
  return before === name || before === '' ? null : before;
};

/** The table that a file has by its name; null when its format is not read. */
export const tableOfFile = (name: string): { readonly table: string; readonly format: TableFormat } | null => {
  for (const format of TABLE_FORMATS) {
    const table = nameBefore(name, TABLE_ENDINGS[format]);
    if (table !== null) return { table, format };
  }
  return null;
};

/** Whether a file looks like a table or a database. Hive and Trino write Parquet files without an ending. */
export const isDataFile = (name: string): boolean =>
  !name.includes('.') ||
  [...Object.values(TABLE_ENDINGS), DATABASE, OTHER_DATA].some((ending) => nameBefore(name, ending) !== null);

/** By convention such files are not data: markers, checksums, and what a program has not finished. */
export const isMarker = (name: string): boolean => /^[._]/.test(name);
