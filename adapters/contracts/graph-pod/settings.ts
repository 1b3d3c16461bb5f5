import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fieldErrorLines, fields, type FieldsOf, matching, oneOf, optional } from '../../../domain/kernel/codecs';
import { integer, logLevel, nonEmpty, onOff, port, positiveNumber, tokenReader, url } from '../environment';

const VARIABLES = {
  ROWGRAPH_POD_INSTANCE_ID: integer(1),
  ROWGRAPH_POD_SLUG: matching(/^[A-Za-z0-9-]+$/, 'must consist of letters, digits and dashes', 100),
  ROWGRAPH_POD_INSTANCE_URL: url('http', 'https'),
  ROWGRAPH_POD_OWNER: nonEmpty(255),
  ROWGRAPH_POD_WRAPPER_TYPE: oneOf('graphdb_a', 'graphdb_b'),
  ROWGRAPH_POD_CONTROL_PLANE_URL: url('http', 'https'),
  ROWGRAPH_POD_TOKEN: optional(nonEmpty(16_384)),
  ROWGRAPH_POD_TOKEN_FILE: optional(nonEmpty()),
  ROWGRAPH_POD_SIGNED_REQUESTS: optional(onOff),
  ROWGRAPH_POD_DATA_DIR: nonEmpty(),
  ROWGRAPH_POD_CACHE_DIR: optional(nonEmpty()),
  ROWGRAPH_POD_HOST: optional(nonEmpty(255)),
  ROWGRAPH_POD_PORT: optional(port),
  ROWGRAPH_POD_MEMORY_BYTES: integer(2 ** 27),
  ROWGRAPH_POD_MEMORY_FILE: optional(nonEmpty()),
  ROWGRAPH_POD_CPU_CORES: positiveNumber,
  ROWGRAPH_LOG_LEVEL: optional(logLevel),
};

/** The environment of a pod; set by the pod runtime. */
export const PodEnvironment = fields(VARIABLES);
export type PodEnvironment = FieldsOf<typeof VARIABLES>;

/** Decodes the settings, or returns one line per invalid or missing variable. */
export const readSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): Either<readonly string[], PodSettings> => {
  const decoded = PodEnvironment.decode(environment);
  const { ROWGRAPH_POD_TOKEN: token, ROWGRAPH_POD_TOKEN_FILE: file } = environment;
  const lines = [
    ...(isLeft(decoded) ? fieldErrorLines(decoded.left) : []),
    ...((token ?? file) === undefined ? ['ROWGRAPH_POD_TOKEN is required (or ROWGRAPH_POD_TOKEN_FILE)'] : []),
  ];
  return isLeft(decoded) || lines.length > 0 ? left(lines) : right(settingsOf(decoded.right));
};

export type PodSettings = Readonly<ReturnType<typeof settingsOf>>;

const settingsOf = (given: PodEnvironment) => ({
  instanceId: given.ROWGRAPH_POD_INSTANCE_ID,
  slug: given.ROWGRAPH_POD_SLUG,
  instanceUrl: given.ROWGRAPH_POD_INSTANCE_URL,
  ownerUsername: given.ROWGRAPH_POD_OWNER,
  wrapperType: given.ROWGRAPH_POD_WRAPPER_TYPE,
  /** Base URL of the internal API, without `/api/internal`. */
  controlPlaneUrl: given.ROWGRAPH_POD_CONTROL_PLANE_URL.replace(/\/+$/, ''),
  token: tokenReader(given.ROWGRAPH_POD_TOKEN, given.ROWGRAPH_POD_TOKEN_FILE),
  /** Whether the pod rejects requests that the control plane has not signed. */
  signedRequests: given.ROWGRAPH_POD_SIGNED_REQUESTS === 'on',
  /** Scratch folder of this pod only. */
  dataDirectory: given.ROWGRAPH_POD_DATA_DIR,
  /** Folder for prepared programs, shared by all pods of the machine. */
  cacheDirectory: given.ROWGRAPH_POD_CACHE_DIR ?? `${given.ROWGRAPH_POD_DATA_DIR}/programs`,
  host: given.ROWGRAPH_POD_HOST ?? '127.0.0.1',
  /** 0: any free port. */
  port: given.ROWGRAPH_POD_PORT ?? 0,
  memoryBytes: given.ROWGRAPH_POD_MEMORY_BYTES,
  /** `memory.max` of a control group, or a file of that format; `cpu.max` is beside it; null: the limits do not change. */
  memoryFile: given.ROWGRAPH_POD_MEMORY_FILE ?? null,
  cpuCores: given.ROWGRAPH_POD_CPU_CORES,
  logLevel: given.ROWGRAPH_LOG_LEVEL ?? 'info',
});

/** Exit code of a pod after the kernel killed its engine for lack of memory. */
export const OUT_OF_MEMORY_EXIT_CODE = 112;
