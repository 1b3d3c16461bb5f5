import { readFileSync } from 'node:fs';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type FieldsOf, oneOf, optional, text } from '../../domain/kernel/codecs';
import { mapLeft, mapRight } from '../../domain/kernel/either';
import { integer, nonEmpty, seconds, unusedVariables } from '../contracts/environment';
import { parseConnectionString } from '../eventstoredb/connection-string';
import { DEFAULT_TIMEOUT_MS } from '../system/time-limit';

const MIB = 1024 * 1024;

/** The variables of the event store. */
export const eventStoreVariables = {
  ROWGRAPH_EVENT_STORE: optional(oneOf('postgres', 'eventstoredb')),
  ROWGRAPH_EVENT_STORE_URL: optional(nonEmpty(4000)),
  ROWGRAPH_EVENT_STORE_PASSWORD_FILE: optional(nonEmpty()),
  ROWGRAPH_EVENT_STORE_PREFIX: optional(
    text({ min: 0, max: 64, pattern: { regexp: /^[A-Za-z0-9_.]*$/, words: 'may have letters, digits, _ and . only' } }),
  ),
  ROWGRAPH_EVENT_STORE_PATIENCE: optional(seconds(1, 60)),
  ROWGRAPH_EVENT_STORE_MAX_APPEND: optional(integer(64 * 1024, 16 * MIB)),
};

/** The log in an EventStoreDB. */
export interface EventStoreDbSettings {
  readonly kind: 'eventstoredb';
  /** With the password; only for the client. */
  readonly connectionString: string;
  /** For display: without user and password. */
  readonly address: string;
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly maxAppendBytes: number;
  /** False only for a copy, which itself resends unanswered appends in order. */
  readonly resends?: false;
}

/** The event store; `postgres`: the database of the read models. */
export type EventStoreSettings = { readonly kind: 'postgres'; readonly timeoutMs: number } | EventStoreDbSettings;

/** The event store for display, without user and password. */
export const logName = (settings: EventStoreSettings): string =>
  settings.kind === 'postgres'
    ? 'PostgreSQL'
    : `EventStoreDB at ${settings.address}${settings.prefix === '' ? '' : `, prefix ${settings.prefix}`}`;

const FOR_ANY_STORE = ['ROWGRAPH_EVENT_STORE', 'ROWGRAPH_EVENT_STORE_PATIENCE'];

/** Combines the variables with the content of the files that they name; left: the problems. */
export const eventStoreSettings = (
  env: FieldsOf<typeof eventStoreVariables>,
): Either<readonly string[], EventStoreSettings> => {
  const kind = env.ROWGRAPH_EVENT_STORE ?? 'postgres';
  const timeoutMs = env.ROWGRAPH_EVENT_STORE_PATIENCE ?? DEFAULT_TIMEOUT_MS;
  if (kind === 'postgres') {
    const names = Object.keys(eventStoreVariables).filter((name) => !FOR_ANY_STORE.includes(name));
    const advice =
      'has no effect while the event store is postgres; remove it, or set ROWGRAPH_EVENT_STORE=eventstoredb';
    return mapRight(unusedVariables(env, names, advice), () => ({ kind, timeoutMs }));
  }
  return mapLeft(eventStoreDbSettings(env, timeoutMs), (problem) => [problem]);
};

const eventStoreDbSettings = (
  env: FieldsOf<typeof eventStoreVariables>,
  timeoutMs: number,
): Either<string, EventStoreDbSettings> => {
  const given = env.ROWGRAPH_EVENT_STORE_URL;
  if (given === undefined) {
    return left(
      'ROWGRAPH_EVENT_STORE_URL is required with the event store eventstoredb, such as esdb://127.0.0.1:2113?tls=false',
    );
  }
  const connectionString = withPasswordOf(env.ROWGRAPH_EVENT_STORE_PASSWORD_FILE, given);
  if (isLeft(connectionString)) return connectionString;
  const parsed = parseConnectionString(connectionString.right);
  if (isLeft(parsed)) return left(`ROWGRAPH_EVENT_STORE_URL is not the address of an event store. ${parsed.left}`);
  const { tlsCaFile, discover, nodes } = parsed.right;
  const problem = tlsCaFile === undefined ? null : certificatesProblem(tlsCaFile);
  if (problem !== null) return left(problem);
  const hosts = nodes.map(({ address, port }) => `${address}:${port}`).join(',');
  return right({
    kind: 'eventstoredb',
    connectionString: connectionString.right,
    address: `esdb${discover ? '+discover' : ''}://${hosts}`,
    prefix: env.ROWGRAPH_EVENT_STORE_PREFIX ?? '',
    timeoutMs,
    maxAppendBytes: env.ROWGRAPH_EVENT_STORE_MAX_APPEND ?? MIB,
  });
};

const USER_ALONE = /^(esdb(?:\+discover)?:\/\/[^:@/?]+)@/;

/** The connection string with the password in that file, if there is one. */
const withPasswordOf = (file: string | undefined, url: string): Either<string, string> => {
  if (file === undefined) return right(url);
  if (!USER_ALONE.test(url)) {
    return left(
      'ROWGRAPH_EVENT_STORE_PASSWORD_FILE needs a user without a password in ROWGRAPH_EVENT_STORE_URL, such as esdb://rowgraph@host:2113',
    );
  }
  const what = 'The file with the password of the event store (ROWGRAPH_EVENT_STORE_PASSWORD_FILE)';
  const content = readFile(file);
  if (isLeft(content)) return left(`${what} cannot be read: ${content.left}`);
  const password = content.right.replace(/\r?\n$/, '');
  return password === ''
    ? left(`${what} is empty: ${file}`)
    : right(url.replace(USER_ALONE, (_all, user: string) => `${user}:${encodeURIComponent(password)}@`));
};

const certificatesProblem = (path: string): string | null => {
  const content = readFile(path);
  const what = 'The file of certificates that ROWGRAPH_EVENT_STORE_URL names for the event store (tlsCaFile)';
  if (isLeft(content)) return `${what} cannot be read: ${content.left}`;
  return content.right.includes('BEGIN CERTIFICATE') ? null : `${what} holds no certificate: ${path}`;
};

const readFile = (path: string): Either<string, string> => {
  try {
    return right(readFileSync(path, 'utf8'));
  } catch (error) {
    return left(error instanceof Error ? error.message : String(error));
  }
};
