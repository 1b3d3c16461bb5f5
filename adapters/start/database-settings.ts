import { type FieldsOf, optional } from '../../domain/kernel/codecs';
import { nonEmpty, seconds, url } from '../contracts/environment';
import { connectionTo, withPasswordFile } from '../postgres/connection';

/** The variables of the database. */
export const databaseVariables = {
  ROWGRAPH_DATABASE_URL: optional(url('postgres', 'postgresql')),
  ROWGRAPH_DATABASE_PASSWORD_FILE: optional(nonEmpty()),
  ROWGRAPH_DATABASE_CONNECT_TIMEOUT: optional(seconds(1, 60)),
};

type Env = FieldsOf<typeof databaseVariables>;

/** The URL with the file of its password; null: the embedded server. */
export const databaseUrlOf = ({
  ROWGRAPH_DATABASE_URL: url,
  ROWGRAPH_DATABASE_PASSWORD_FILE: file,
}: Env): string | null => (url === undefined ? null : withPasswordFile(url, file ?? null));

/** What is wrong with the variables together. */
export const databaseProblems = ({
  ROWGRAPH_DATABASE_URL: url,
  ROWGRAPH_DATABASE_PASSWORD_FILE: file,
}: Env): readonly string[] => {
  if (url === undefined) {
    return file === undefined
      ? []
      : ['ROWGRAPH_DATABASE_PASSWORD_FILE has no effect without ROWGRAPH_DATABASE_URL; remove it, or set the URL'];
  }
  const mode = /[?&]sslmode=([^&]*)/.exec(url)?.[1] ?? 'disable';
  if (!['disable', 'verify-full'].includes(mode)) {
    return [
      `ROWGRAPH_DATABASE_URL has sslmode=${mode}; use verify-full, which verifies the server, or disable (no TLS)`,
    ];
  }
  try {
    connectionTo(url);
    return [];
  } catch (error) {
    return [`ROWGRAPH_DATABASE_URL cannot be used: ${error instanceof Error ? error.message : String(error)}`];
  }
};
