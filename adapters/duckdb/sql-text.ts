/** A name as a quoted SQL identifier. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text as an SQL string literal. */
export const sqlString = (text: string): string => `'${text.replaceAll("'", "''")}'`;
