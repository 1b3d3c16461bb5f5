import { type LevelWithSilent, type Logger, type LoggerOptions, pino } from 'pino';
import { loggedSpan } from './tracing';

/** Stands in a line for a secret. A line that has it should have named something else. */
export const MASKED = '[masked]';

const RANDOM_UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

/**
 * What a secret looks like, and what stands for it. Slugs are random UUIDs (version 4), as are the ids of requests and of
 * exports in DuckDB, which are not secret; those of logs, events and commands are of other versions.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?<!request_?id\\\\*":\\\\*")${RANDOM_UUID}`, 'gi'), MASKED],
  [/\brg[kt]_[\w-]+/g, MASKED],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, MASKED],
  [/(?<=\baccess_token=)(?!\[masked\])[^\s&"\\]+/g, MASKED],
  [/(?<=\b[a-z+]+:\/\/[^\s:@/"]*:)[^\s@/"]+(?=@)/g, MASKED],
];

/** A line with what looks like a secret masked. */
export const masked = (line: string): string =>
  SECRETS.reduce((text, [pattern, mask]) => text.replace(pattern, mask), line);

/** The fields of an error that are logged with its message. Others hold data: the row a database refused, the body of a request. */
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
 * How every program of rowgraph writes its log. Lines name an instance by its id, and never hold a slug, a key, a token, a
 * password or the query of an address: the code that writes a line ensures that. The rest is masked here.
 */
export const logOptions: LoggerOptions = {
  serializers: { err: errorFields },
  hooks: { streamWrite: masked },
  mixin: loggedSpan,
};

/** JSON lines on stderr; stdout belongs to what the program has to say to people. */
export const createLog = (level: LevelWithSilent): Logger =>
  process.stderr.isTTY
    ? pino({
        ...logOptions,
        level,
        transport: { target: 'pino-pretty', options: { destination: 2, ignore: 'pid,hostname' } },
      })
    : pino({ ...logOptions, level }, pino.destination({ dest: 2, sync: false }));
