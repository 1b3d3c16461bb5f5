import * as t from 'io-ts';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fieldErrorLines, fields, optional, text, type FieldsOf } from '../../../domain/kernel/codecs';
import { logLevel, nonEmpty, port, positiveNumber, url, wholeNumber } from '../environment';

const VARIABLES = {
  ROWGRAPH_POD_INSTANCE_ID: wholeNumber(1),
  ROWGRAPH_POD_SLUG: text({
    min: 1,
    max: 100,
    pattern: { regexp: /^[A-Za-z0-9-]+$/, words: 'must consist of letters, digits and dashes' },
  }),
  ROWGRAPH_POD_INSTANCE_URL: url('http', 'https'),
  ROWGRAPH_POD_OWNER: nonEmpty(255),
  ROWGRAPH_POD_WRAPPER_TYPE: t.keyof({ graphdb_a: null, graphdb_b: null }),
  ROWGRAPH_POD_CONTROL_PLANE_URL: url('http', 'https'),
  ROWGRAPH_POD_TOKEN: nonEmpty(16_384),
  ROWGRAPH_POD_DATA_DIR: nonEmpty(),
  ROWGRAPH_POD_CACHE_DIR: optional(nonEmpty()),
  ROWGRAPH_POD_HOST: optional(nonEmpty(255)),
  ROWGRAPH_POD_PORT: optional(port),
  ROWGRAPH_POD_MEMORY_BYTES: wholeNumber(2 ** 27),
  ROWGRAPH_POD_CPU_CORES: positiveNumber,
  ROWGRAPH_POD_OBJECT_STORE_ROOT: url('file'),
  ROWGRAPH_LOG_LEVEL: optional(logLevel),
};

/** The environment of a pod; set by the pod runtime. */
export const PodEnvironment = fields(VARIABLES);
export type PodEnvironment = FieldsOf<typeof VARIABLES>;

/** Reads the settings; answers one line per wrong or missing variable. */
export const readSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): Either<readonly string[], PodSettings> => {
  const decoded = PodEnvironment.decode(environment);
  if (isLeft(decoded)) return left(fieldErrorLines(decoded.left));
  return right(settingsOf(decoded.right));
};

export type PodSettings = Readonly<ReturnType<typeof settingsOf>>;

const settingsOf = (given: PodEnvironment) => ({
  instanceId: given.ROWGRAPH_POD_INSTANCE_ID,
  slug: given.ROWGRAPH_POD_SLUG,
  instanceUrl: given.ROWGRAPH_POD_INSTANCE_URL,
  ownerUsername: given.ROWGRAPH_POD_OWNER,
  wrapperType: given.ROWGRAPH_POD_WRAPPER_TYPE,
  /** Base address of the internal API, without `/api/internal`. */
  controlPlaneUrl: given.ROWGRAPH_POD_CONTROL_PLANE_URL.replace(/\/+$/, ''),
  token: given.ROWGRAPH_POD_TOKEN,
  /** Scratch folder of this pod alone. */
  dataDirectory: given.ROWGRAPH_POD_DATA_DIR,
  /** Folder all pods of the machine share for programs made ready for it. */
  cacheDirectory: given.ROWGRAPH_POD_CACHE_DIR ?? `${given.ROWGRAPH_POD_DATA_DIR}/programs`,
  host: given.ROWGRAPH_POD_HOST ?? '127.0.0.1',
  /** 0: any free port. */
  port: given.ROWGRAPH_POD_PORT ?? 0,
  memoryBytes: given.ROWGRAPH_POD_MEMORY_BYTES,
  cpuCores: given.ROWGRAPH_POD_CPU_CORES,
  objectStoreRoot: given.ROWGRAPH_POD_OBJECT_STORE_ROOT,
  logLevel: given.ROWGRAPH_LOG_LEVEL ?? 'info',
});

/** The IPC message that gives a pod another memory limit. */
export const Resized = t.type({ type: t.literal('resized'), memoryBytes: t.number });
export type Resized = t.TypeOf<typeof Resized>;
