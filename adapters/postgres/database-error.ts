import { DatabaseError, type Pool } from 'pg';

/** Why a server cannot write, by SQLSTATE. */
const CANNOT_WRITE: Readonly<Record<string, string>> = {
  '53100': 'the disk is full',
  '58030': 'the disk has failed',
  '25006': 'the server is read-only',
};

/** SQLSTATE of a statement that has waited for a lock longer than `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** Whether an error of the server means that it cannot write, or cannot allocate space. */
export const cannotWrite = ({ code }: DatabaseError): boolean => code !== undefined && code in CANNOT_WRITE;

/**
 * The reason of a PostgreSQL failure for responses: errors of the server by their SQLSTATE only, because their messages
 * may contain statements and data.
 */
export const databaseErrorText = (error: unknown): string =>
  error instanceof DatabaseError ? `SQLSTATE ${error.code ?? 'unknown'}${inWords(error)}` : String(error);

const inWords = ({ code = '' }: DatabaseError): string => {
  const words = code === LOCK_NOT_AVAILABLE ? 'another process holds a lock' : CANNOT_WRITE[code];
  return words === undefined ? '' : ` (${words})`;
};

const CORRECT_LOGIN =
  'Correct the user and password in ROWGRAPH_DATABASE_URL or the file in ROWGRAPH_DATABASE_PASSWORD_FILE';
/** The next step after an error of the start, by SQLSTATE. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  '28P01': CORRECT_LOGIN,
  '28000': `${CORRECT_LOGIN}, or pg_hba.conf of the server`,
  '3D000': 'Create that database, or correct its name in ROWGRAPH_DATABASE_URL',
  '42501': 'The user in ROWGRAPH_DATABASE_URL needs the right CREATE: GRANT CREATE ON DATABASE … TO …',
  [LOCK_NOT_AVAILABLE]: 'Wait until that process has ended, or end it by pg_terminate_backend, and start again',
  '53300': 'Raise max_connections of the server or the connection limit of the user in ROWGRAPH_DATABASE_URL',
  '25006': 'ROWGRAPH_DATABASE_URL must lead to a server that can be written; see its default_transaction_read_only',
};

/** The next step after a failed start on an external database. */
export const nextStepAfter = (error: unknown): string =>
  (error instanceof DatabaseError ? NEXT_STEPS[error.code ?? ''] : undefined) ??
  'Correct host, port, sslmode and name in ROWGRAPH_DATABASE_URL, or start the server';

/** Large enough to need new disk space, unlike the change of a row. */
const TRIAL_BYTES = 256 * 1024;
const TRIAL_WITHIN_MS = 5_000;

/** Makes a test write, which the next one replaces; returns why it failed, or null. */
export const tryToWrite = async (pool: Pool): Promise<string | null> => {
  const trial = {
    text: `TRUNCATE es.write_trial; INSERT INTO es.write_trial SELECT convert_to(repeat('x', ${TRIAL_BYTES}), 'UTF8')`,
    query_timeout: TRIAL_WITHIN_MS,
  };
  return pool.query(trial).then(() => null, databaseErrorText);
};
