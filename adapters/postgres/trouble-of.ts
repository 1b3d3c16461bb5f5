import { DatabaseError } from 'pg';

/**
 * What went wrong with PostgreSQL, fit for answers: the server's own errors by their SQLSTATE alone, because their words
 * may tell of statements and data.
 */
export const troubleOf = (error: unknown): string =>
  error instanceof DatabaseError ? `SQLSTATE ${error.code ?? 'unknown'}` : String(error);
