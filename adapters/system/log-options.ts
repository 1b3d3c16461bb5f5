import { type LevelWithSilent, type Logger, type LoggerOptions, pino } from 'pino';
import { loggedSpan } from './tracing';

/** Replaces a secret in a log line; its presence in a log indicates a bug. */
export const MASKED = '[masked]';

const RANDOM_UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

/**
 * Patterns of secrets and their replacements. Slugs are random UUIDs (version 4), as are the ids of requests and of
 * DuckDB exports, which are not secret; ids of logs, events and commands have other versions.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?<!request_?id\\\\*":\\\\*")${RANDOM_UUID}`, 'gi'), MASKED],
  [/\brg[kt]_[\w-]+/g, MASKED],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, MASKED],
  [/(?<=\baccess_token=)(?!\[masked\])[^\s&"\\]+/g, MASKED],
  [/(?<=\b[a-z+]+:\/\/[^\s:@/"]*:)[^\s@/"]+(?=@)/g, MASKED],
];

/** A line with masked secrets. */
export const masked = (line: string): string =>
  SECRETS.reduce((text, [pattern, mask]) => text.replace(pattern, mask), line);

/**
 * The fields of an error that are logged with its message. Others contain data: the row that a database rejected, the
 * body of a request.
 */
const LOGGED_FIELDS = ['code', 'errno', 'syscall', 'status', 'severity', 'schema', 'table', 'column', 'constraint'];

const errorFields = (error: unknown): unknown =>
  error instanceof Error
    ? {
        type: error.name,
        message: error.message,
        stack: error.stack,
        ...Object.fromEntries(Object.entries(error).filter(([name]) => LOGGED_FIELDS.includes(name))),
        ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
      }
    : error;

/**
 * The log options of every program. Lines contain the id of an instance, and never a slug, key, token, password or URL
 * query: the logging code ensures that. Masking here is a second protection.
 */
export const logOptions: LoggerOptions = {
  serializers: { err: errorFields },
  hooks: { streamWrite: masked },
  mixin: loggedSpan,
};

/** JSON lines on stderr; stdout is for the output for users. */
export const createLog = (level: LevelWithSilent): Logger =>
  process.stderr.isTTY
    ? pino({
        ...logOptions,
        level,
        transport: { target: 'pino-pretty', options: { destination: 2, ignore: 'pid,hostname' } },
      })
    : pino({ ...logOptions, level }, pino.destination({ dest: 2, sync: false }));
