import * as t from 'io-ts';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fieldErrorLines } from '../../../domain/kernel/codecs';

/** Text of an environment variable; an empty one counts as missing. */
const words = new t.Type<string>(
  'words',
  t.string.is,
  (u, context) =>
    typeof u === 'string' && u.trim() !== '' ? t.success(u) : t.failure(u, context, 'must not be empty'),
  t.identity,
);

const urlOf = (...protocols: readonly string[]): t.Type<string> =>
  new t.Type<string>(
    'url',
    t.string.is,
    (u, context) =>
      typeof u === 'string' && URL.canParse(u) && protocols.includes(new URL(u).protocol)
        ? t.success(u)
        : t.failure(u, context, `must be a URL that begins with ${protocols.map((name) => `${name}//`).join(' or ')}`),
    t.identity,
  );

const wholeNumber = (min: number, max: number): t.Type<number, string> =>
  new t.Type(
    'whole number',
    t.number.is,
    (u, context) => {
      const value = typeof u === 'string' && /^\d{1,9}$/.test(u) ? Number(u) : NaN;
      return value >= min && value <= max
        ? t.success(value)
        : t.failure(u, context, `must be a whole number from ${min} to ${max}`);
    },
    String,
  );

const Variables = t.strict({
  /** Names the worker in claims; its scratch files lie in a folder of this name. */
  ROWGRAPH_WORKER_ID: words,
  /** Origin of the internal API, for example `http://127.0.0.1:8081`. */
  ROWGRAPH_WORKER_CONTROL_PLANE_URL: urlOf('http:', 'https:'),
  /** Service token with the subject `worker`. */
  ROWGRAPH_WORKER_TOKEN: words,
  /** Export jobs worked on at the same time. */
  ROWGRAPH_WORKER_CONCURRENCY: wholeNumber(1, 100),
  ROWGRAPH_QUERY_ENGINE: t.keyof({ duckdb: null }),
  ROWGRAPH_WAREHOUSE_DIR: words,
  /** The URL every `storage_path` begins with. */
  ROWGRAPH_OBJECT_STORE_ROOT: urlOf('file:'),
  ROWGRAPH_WORKER_SCRATCH_DIR: words,
  /** Memory of the embedded query engine in MB (10^6 bytes). */
  ROWGRAPH_WORKER_MEMORY_MB: wholeNumber(64, 1_000_000),
  /** Whether the message of a failed export may name catalogs and tables that its query does not name. */
  ROWGRAPH_WORKER_HINTS: t.keyof({ on: null, off: null }),
  /** Port of `GET /metrics`; 0: none. */
  ROWGRAPH_WORKER_METRICS_PORT: wholeNumber(0, 65_535),
  ROWGRAPH_LOG_LEVEL: t.keyof({ trace: null, debug: null, info: null, warn: null, error: null, silent: null }),
});

/** Names of the variables an export worker reads. */
export const WORKER_VARIABLES: readonly string[] = Object.keys(Variables.type.props);

/** The environment of an export worker, decoded. */
export type WorkerSettings = t.TypeOf<typeof Variables>;
/** The same as environment variables; those with a default may be left out. */
export type WorkerEnvironment = Omit<t.OutputOf<typeof Variables>, keyof typeof DEFAULTS> &
  Partial<Record<keyof typeof DEFAULTS, string>>;

const DEFAULTS = {
  ROWGRAPH_WORKER_CONCURRENCY: '4',
  ROWGRAPH_QUERY_ENGINE: 'duckdb',
  ROWGRAPH_WORKER_MEMORY_MB: '1000',
  ROWGRAPH_WORKER_HINTS: 'off',
  ROWGRAPH_WORKER_METRICS_PORT: '0',
  ROWGRAPH_LOG_LEVEL: 'info',
};

/** Reads the settings; the message lists everything that is wrong or missing at once. */
export const decodeWorkerSettings = (environment: NodeJS.ProcessEnv): Either<string, WorkerSettings> => {
  const settings = Variables.decode({ ...DEFAULTS, ...environment });
  if (!isLeft(settings)) return right(settings.right);
  const wrong = fieldErrorLines(settings.left);
  return left(`The export worker cannot start. Set these environment variables right:\n  ${wrong.join('\n  ')}`);
};

/** What a parent process may send over IPC: there are new jobs, ask now. */
export const JobsAvailable = t.strict({ type: t.literal('jobs_available') });
export type JobsAvailable = t.TypeOf<typeof JobsAvailable>;
