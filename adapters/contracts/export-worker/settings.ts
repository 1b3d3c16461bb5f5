import * as t from 'io-ts';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fieldErrorLines, fields, type FieldsOf } from '../../../domain/kernel/codecs';
import { logLevel, nonEmpty, onOff, port, url, wholeNumber } from '../environment';

const VARIABLES = {
  /** Names the worker in claims; its scratch files lie in a folder of this name. */
  ROWGRAPH_WORKER_ID: nonEmpty(),
  /** Origin of the internal API, for example `http://127.0.0.1:8081`. */
  ROWGRAPH_WORKER_CONTROL_PLANE_URL: url('http', 'https'),
  /** Service token with the subject `worker`. */
  ROWGRAPH_WORKER_TOKEN: nonEmpty(16_384),
  /** Export jobs worked on at the same time. */
  ROWGRAPH_WORKER_CONCURRENCY: wholeNumber(1, 100),
  ROWGRAPH_QUERY_ENGINE: t.keyof({ duckdb: null }),
  ROWGRAPH_WAREHOUSE_DIR: nonEmpty(),
  /** The URL every `storage_path` begins with. */
  ROWGRAPH_OBJECT_STORE_ROOT: url('file'),
  ROWGRAPH_WORKER_SCRATCH_DIR: nonEmpty(),
  /** Memory of the embedded query engine in MB (10^6 bytes). */
  ROWGRAPH_WORKER_MEMORY_MB: wholeNumber(64, 1_000_000),
  /** Whether the message of a failed export may name catalogs and tables that its query does not name. */
  ROWGRAPH_WORKER_HINTS: onOff,
  /** Port of `GET /metrics`; 0: none. */
  ROWGRAPH_WORKER_METRICS_PORT: port,
  ROWGRAPH_LOG_LEVEL: logLevel,
};
const Variables = fields(VARIABLES);

/** Names of the variables an export worker reads. */
export const WORKER_VARIABLES: readonly string[] = Object.keys(VARIABLES);

/** The environment of an export worker, decoded. */
export type WorkerSettings = FieldsOf<typeof VARIABLES>;
/** The same as environment variables; those with a default may be left out. */
export type WorkerEnvironment = Readonly<
  Record<Exclude<keyof typeof VARIABLES, keyof typeof DEFAULTS>, string> &
    Partial<Record<keyof typeof DEFAULTS, string>>
>;

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
  return left(`The export worker cannot start. Correct these environment variables:\n  ${wrong.join('\n  ')}`);
};

/** What a parent process may send over IPC: there are new jobs, ask now. */
export const JobsAvailable = t.strict({ type: t.literal('jobs_available') });
export type JobsAvailable = t.TypeOf<typeof JobsAvailable>;
