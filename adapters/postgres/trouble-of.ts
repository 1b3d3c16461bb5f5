import { DatabaseError } from 'pg';

/** Why a server cannot write, by SQLSTATE. */
const CANNOT_WRITE: Readonly<Record<string, string>> = {
  '53100': 'the disk is full',
  '58030': 'the disk has failed',
  '25006': 'the server is read-only',
};

/** Whether an error of the server means that it can write nothing, or nothing larger, any more. */
export const cannotWrite = ({ code }: DatabaseError): boolean => code !== undefined && code in CANNOT_WRITE;

/**
 * What went wrong with PostgreSQL, fit for answers: the server's own errors by their SQLSTATE alone, because their messages
 * may contain statements and data.
 */
export const troubleOf = (error: unknown): string =>
  error instanceof DatabaseError ? `SQLSTATE ${error.code ?? 'unknown'}${inWords(error)}` : String(error);

const inWords = ({ code = '' }: DatabaseError): string => {
  const words = CANNOT_WRITE[code];
  return words === undefined ? '' : ` (${words})`;
};
