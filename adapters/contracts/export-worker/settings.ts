import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldErrorLines, fields, type FieldsOf, oneOf, optional } from '../../../domain/kernel/codecs';
import { failedChecks, integer, logLevel, nonEmpty, onOff, port, tokenReader, url } from '../environment';
import { BUCKET_REQUIRED, objectStoreVariables } from '../object-store-settings';
import { type TrinoEngineSettings, trinoSettings, trinoVariables } from '../trino-settings';

const VARIABLES = {
  /** Name of the worker in claims; its scratch files are in a folder of this name. */
  ROWGRAPH_WORKER_ID: nonEmpty(),
  /** Origin of the internal API, for example `http://127.0.0.1:8081`. */
  ROWGRAPH_WORKER_CONTROL_PLANE_URL: url('http', 'https'),
  /** Service token with the subject `worker`; or a file that contains it, or the token of a service account. */
  ROWGRAPH_WORKER_TOKEN: optional(nonEmpty(16_384)),
  ROWGRAPH_WORKER_TOKEN_FILE: optional(nonEmpty()),
  /** Number of concurrent export jobs. */
  ROWGRAPH_WORKER_CONCURRENCY: integer(1, 100),
  ROWGRAPH_QUERY_ENGINE: oneOf('duckdb', 'trino'),
  ...trinoVariables,
  /** Only with `duckdb`. */
  ROWGRAPH_WAREHOUSE_DIR: optional(nonEmpty()),
  /** Folder that the control plane shares with this worker, for how CSV files are read. */
  ROWGRAPH_CSV_LAYOUT_DIR: optional(nonEmpty()),
  ...objectStoreVariables,
  /** Root folder of the object store; required without S3. */
  ROWGRAPH_OBJECT_STORE_ROOT: optional(url('file')),
  ROWGRAPH_WORKER_SCRATCH_DIR: nonEmpty(),
  /** Timeout for running jobs after SIGTERM. */
  ROWGRAPH_WORKER_FINISH_SECONDS: integer(1, 86_400),
  /** Memory of the embedded query engine in MB (10^6 bytes). */
  ROWGRAPH_WORKER_MEMORY_MB: integer(64, 1_000_000),
  /** Whether the message of a failed export may contain names of catalogs and tables that are not in its query. */
  ROWGRAPH_WORKER_HINTS: onOff,
  /** Port of `GET /metrics`; 0: disabled. */
  ROWGRAPH_WORKER_METRICS_PORT: port,
  ROWGRAPH_LOG_LEVEL: logLevel,
};
const Variables = fields(VARIABLES);

/** Environment variables of an export worker. */
export const WORKER_VARIABLES: readonly string[] = Object.keys(VARIABLES);

/** The environment of an export worker, decoded. */
export type WorkerSettings = FieldsOf<typeof VARIABLES> & {
  /** Null: the embedded engine. */
  readonly trino: TrinoEngineSettings | null;
  readonly token: () => string;
};

/** The same as environment variables; those with a default are optional. */
export type WorkerEnvironment = Omit<Texts, keyof typeof DEFAULTS> & Partial<Texts>;
type Texts = { readonly [K in keyof FieldsOf<typeof VARIABLES>]: string };

const DEFAULTS = {
  ROWGRAPH_OBJECT_STORE: 'filesystem',
  ROWGRAPH_S3_PATH_STYLE: 'off',
  ROWGRAPH_S3_CHECKSUMS: 'supported',
  ROWGRAPH_WORKER_CONCURRENCY: '4',
  ROWGRAPH_QUERY_ENGINE: 'duckdb',
  ROWGRAPH_TRINO_USER: 'rowgraph',
  ROWGRAPH_TRINO_IMPERSONATION: 'off',
  ROWGRAPH_TRINO_EXPORT: 'ctas',
  ROWGRAPH_WORKER_FINISH_SECONDS: '15',
  ROWGRAPH_WORKER_MEMORY_MB: '1000',
  ROWGRAPH_WORKER_HINTS: 'off',
  ROWGRAPH_WORKER_METRICS_PORT: '0',
  ROWGRAPH_LOG_LEVEL: 'info',
};

/** Decodes the settings; the error lists all invalid and missing variables. */
export const decodeWorkerSettings = (environment: NodeJS.ProcessEnv): Either<string, WorkerSettings> => {
  const settings = Variables.decode({ ...DEFAULTS, ...environment });
  const wrong = [...(isLeft(settings) ? fieldErrorLines(settings.left) : []), ...missingTogether(environment)];
  if (isLeft(settings) || wrong.length > 0) return refusal(wrong);
  const trino = settings.right.ROWGRAPH_QUERY_ENGINE === 'trino' ? trinoSettings(settings.right) : right(null);
  if (isLeft(trino)) return refusal(trino.left);
  const { ROWGRAPH_WORKER_TOKEN: token, ROWGRAPH_WORKER_TOKEN_FILE: file } = settings.right;
  return right({ ...settings.right, trino: trino.right, token: tokenReader(token, file) });
};

const refusal = (wrong: readonly string[]): Either<string, never> =>
  left(`The export worker cannot start. Correct these environment variables:\n  ${wrong.join('\n  ')}`);

const missingTogether = (environment: NodeJS.ProcessEnv): readonly string[] => {
  const isS3 = environment['ROWGRAPH_OBJECT_STORE'] === 's3';
  const isTrino = environment['ROWGRAPH_QUERY_ENGINE'] === 'trino';
  const has = (name: string): boolean => environment[name] !== undefined;
  return failedChecks([
    [
      !has('ROWGRAPH_WORKER_TOKEN') && !has('ROWGRAPH_WORKER_TOKEN_FILE'),
      'ROWGRAPH_WORKER_TOKEN is required (or ROWGRAPH_WORKER_TOKEN_FILE)',
    ],
    [!isTrino && !has('ROWGRAPH_WAREHOUSE_DIR'), 'ROWGRAPH_WAREHOUSE_DIR is required'],
    [
      !isS3 && !has('ROWGRAPH_OBJECT_STORE_ROOT'),
      'ROWGRAPH_OBJECT_STORE_ROOT is required without ROWGRAPH_OBJECT_STORE=s3',
    ],
    [isS3 && !has('ROWGRAPH_S3_BUCKET'), BUCKET_REQUIRED],
    [isTrino && !isS3, 'ROWGRAPH_OBJECT_STORE must be s3 with ROWGRAPH_QUERY_ENGINE=trino, which writes there itself'],
  ]);
};

/**
 * The variables of the query engine and the object store that are set; passed to a worker that the control plane
 * starts.
 */
export const storeVariables = (
  env: object,
): Partial<Record<keyof typeof objectStoreVariables | keyof typeof trinoVariables, string>> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' && (name in objectStoreVariables || name in trinoVariables) ? [[name, value]] : [],
    ),
  );

/** IPC message of the parent process: new jobs are available, poll now. */
export const JobsAvailable = t.strict({ type: t.literal('jobs_available') });
