import { resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { DEFAULT_JOB_INTERVALS } from '../../domain/job';
import { fieldErrorLines, fieldErrors, fields, oneOf, optional, text } from '../../domain/kernel/codecs';
import { nearestNames } from '../../domain/kernel/nearest-names';
import { type AllowList, parseAllowList } from '../../domain/schema-cache';
import { CLIENT_VARIABLES } from '../cli/login-file';
import { failedChecks, integer, logLevel, nonEmpty, onOff, port, unusedVariables, url } from '../contracts/environment';
import { storeVariables } from '../contracts/export-worker/settings';
import { objectStoreErrors, objectStoreVariables, s3Settings } from '../contracts/object-store-settings';
import { type TrinoEngineSettings, trinoSettings, trinoVariables } from '../contracts/trino-settings';
import { isLoopback } from '../http/kit/refuse-foreign-hosts';
import { CONNECT_TIMEOUT_MS } from '../postgres/connection';
import { databaseProblems, databaseUrlOf, databaseVariables } from './database-settings';
import { type EventStoreSettings, eventStoreSettings, eventStoreVariables } from './event-store-settings';
import { JobIntervalsSetting } from './job-intervals';
import { type KubernetesSettings, kubernetesSettings, kubernetesVariables } from './kubernetes-settings';
import { type OidcSettings, oidcSettings, oidcVariables } from './oidc-settings';

const Environment = fields({
  ROWGRAPH_PORT: optional(port),
  ROWGRAPH_INTERNAL_PORT: optional(port),
  ROWGRAPH_HOST: optional(nonEmpty()),
  ROWGRAPH_INTERNAL_HOST: optional(nonEmpty()),
  ROWGRAPH_INTERNAL_URL: optional(url('http', 'https')),
  ROWGRAPH_DATA_DIR: optional(nonEmpty()),
  ROWGRAPH_BASE_URL: optional(url('http', 'https')),
  ROWGRAPH_INSTANCE_BASE_URL: optional(url('http', 'https')),
  ROWGRAPH_IDENTITY_MODE: optional(oneOf('trusted-edge', 'api-key', 'oidc')),
  ROWGRAPH_EDGE_TOKEN: optional(text({ min: 16, max: 1000 })),
  ROWGRAPH_BOOTSTRAP_TOKEN: optional(text({ min: 16, max: 1000 })),
  ...oidcVariables,
  ROWGRAPH_REFUSED_CALLS_PER_MINUTE: optional(integer(1, 999_999)),
  ROWGRAPH_REQUESTS_PER_USER: optional(integer(1, 100_000)),
  ...databaseVariables,
  ...eventStoreVariables,
  ROWGRAPH_QUERY_ENGINE: optional(oneOf('duckdb', 'trino')),
  ...trinoVariables,
  ROWGRAPH_WAREHOUSE_DIR: optional(nonEmpty()),
  ROWGRAPH_ALLOWED_CATALOGS: optional(nonEmpty()),
  ...objectStoreVariables,
  ROWGRAPH_OBJECT_STORE_DIR: optional(nonEmpty()),
  ROWGRAPH_POD_RUNTIME: optional(oneOf('process', 'kubernetes', 'none')),
  ...kubernetesVariables,
  ROWGRAPH_EXPORT_PLANNER: optional(oneOf('control-plane', 'submitter')),
  ROWGRAPH_EMBEDDED_WORKER: optional(onOff),
  ROWGRAPH_INTERNAL_SECRET: optional(text({ min: 32, max: 1000 })),
  ROWGRAPH_E2E_TEST_USERS: optional(text({ min: 0, max: 10_000 })),
  ROWGRAPH_JOB_INTERVALS: optional(JobIntervalsSetting),
  ROWGRAPH_LOG_LEVEL: optional(logLevel),
});

/** The variables of the server. */
export const SERVER_VARIABLES: readonly string[] = Object.keys(Environment.props);
const PREFIX = 'ROWGRAPH_';
const SHORT_NAMES = SERVER_VARIABLES.map((name) => name.slice(PREFIX.length));

/** The default base URL of instances: through the public port. */
export const INGRESS_PATH = '/graphs';

const LOCALHOST = '127.0.0.1';
const PORT = 8080;
const INTERNAL_PORT = 8081;
const NO_TRINO = 'has no effect without ROWGRAPH_QUERY_ENGINE=trino; remove it, or choose that engine';
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Reads the settings from environment variables; `left` lists all problems. */
export const readSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): Either<readonly string[], Settings> => {
  const known = new Set<string>([...SERVER_VARIABLES, ...CLIENT_VARIABLES]);
  const unknown = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.has(name));
  const { env, wrong, lines } = readEach(environment);
  const allowedCatalogs = parseAllowList(env.ROWGRAPH_ALLOWED_CATALOGS ?? null);
  const eventStore = eventStoreSettings(env);
  const kubernetes = kubernetesSettings(env, env.ROWGRAPH_POD_RUNTIME === 'kubernetes');
  const oidc = oidcSettings(env, env.ROWGRAPH_IDENTITY_MODE === 'oidc');
  const trino =
    env.ROWGRAPH_QUERY_ENGINE === 'trino'
      ? trinoSettings(env)
      : unusedVariables(env, Object.keys(trinoVariables), NO_TRINO);
  const together = [
    ...(isLeft(trino) && !wrong.has('ROWGRAPH_QUERY_ENGINE') ? trino.left : []),
    ...(env.ROWGRAPH_QUERY_ENGINE === 'trino' && env.ROWGRAPH_OBJECT_STORE !== 's3'
      ? ['ROWGRAPH_OBJECT_STORE must be s3 with ROWGRAPH_QUERY_ENGINE=trino, which writes there itself']
      : []),
    ...edgeComplaints(env, wrong),
    ...(wrong.has('ROWGRAPH_OBJECT_STORE') ? [] : objectStoreErrors(env)),
    ...(wrong.has('ROWGRAPH_DATABASE_URL') ? [] : databaseProblems(env)),
    ...(isLeft(allowedCatalogs) ? [`ROWGRAPH_ALLOWED_CATALOGS ${allowedCatalogs.left}`] : []),
    ...(isLeft(oidc) && !wrong.has('ROWGRAPH_IDENTITY_MODE') ? oidc.left : []),
    ...(isLeft(kubernetes) && !wrong.has('ROWGRAPH_POD_RUNTIME') ? kubernetes.left : []),
    ...(isLeft(eventStore) && !wrong.has('ROWGRAPH_EVENT_STORE') ? eventStore.left : []),
  ];
  const problems = [
    ...lines,
    ...unknown.map((name) => {
      const [meant] = nearestNames(name.slice(PREFIX.length), SHORT_NAMES);
      const hint = meant === undefined ? 'see' : `did you mean ${PREFIX}${meant}? See`;
      return `${name} is not a setting of rowgraph; ${hint} docs/settings.md`;
    }),
    // Each variable is already checked alone.
    ...together.filter((line) => !wrong.has(line.split(' ')[0] ?? '')),
  ];
  return isLeft(allowedCatalogs) ||
    isLeft(eventStore) ||
    isLeft(oidc) ||
    isLeft(kubernetes) ||
    isLeft(trino) ||
    problems.length > 0
    ? left(problems)
    : right(settingsOf(env, allowedCatalogs.right, eventStore.right, oidc.right, kubernetes.right, trino.right));
};

type Env = t.TypeOf<typeof Environment>;

/** The valid variables, the names of the invalid ones, and their problems. */
const readEach = (
  environment: Readonly<Record<string, string | undefined>>,
): { readonly env: Env; readonly wrong: ReadonlySet<string>; readonly lines: readonly string[] } => {
  const decoded = Environment.decode(environment);
  if (!isLeft(decoded)) return { env: decoded.right, wrong: new Set(), lines: [] };
  const wrong = new Set(fieldErrors(decoded.left).map(({ field }) => field));
  const readable = Environment.decode(
    Object.fromEntries(Object.entries(environment).filter(([name]) => !wrong.has(name))),
  );
  // Every variable may be absent.
  const env = isLeft(readable) ? {} : readable.right;
  return { env, wrong, lines: fieldErrorLines(decoded.left) };
};

/** The settings of the operator. Read once at the start; all problems are reported together. */
export type Settings = Readonly<ReturnType<typeof settingsOf>>;

/** The variables with defaults for unset ones. */
const settingsOf = (
  env: Env,
  allowedCatalogs: AllowList,
  eventStore: EventStoreSettings,
  oidc: OidcSettings | null,
  kubernetes: KubernetesSettings | null,
  trino: TrinoEngineSettings | null,
) => {
  const { ROWGRAPH_HOST: host = LOCALHOST, ROWGRAPH_PORT: port = PORT } = env;
  const dataDirectory = resolve(env.ROWGRAPH_DATA_DIR ?? '.rowgraph');
  const baseUrl = withoutSlash(env.ROWGRAPH_BASE_URL ?? httpUrl(host, port));
  const identityMode = env.ROWGRAPH_IDENTITY_MODE ?? 'trusted-edge';
  return {
    port,
    internalPort: env.ROWGRAPH_INTERNAL_PORT ?? INTERNAL_PORT,
    host,
    /** Listen address of the internal API. */
    internalHost: env.ROWGRAPH_INTERNAL_HOST ?? LOCALHOST,
    /** URL of the internal API for workers and pods; null: its listen address. */
    givenInternalUrl: env.ROWGRAPH_INTERNAL_URL === undefined ? null : withoutSlash(env.ROWGRAPH_INTERNAL_URL),
    dataDirectory,
    baseUrl,
    instanceBaseUrl: withoutSlash(env.ROWGRAPH_INSTANCE_BASE_URL ?? `${baseUrl}${INGRESS_PATH}`),
    identityMode,
    edgeToken: env.ROWGRAPH_EDGE_TOKEN ?? null,
    /** Required to create the first user by a request, where `needsBootstrapToken`. */
    bootstrapToken: env.ROWGRAPH_BOOTSTRAP_TOKEN ?? null,
    needsBootstrapToken: identityMode === 'api-key' || !isLoopback(host) || !isLoopback(new URL(baseUrl).hostname),
    /** The identity provider; null with another mode. */
    oidc,
    /** Rejected calls per minute and address or key before further calls get 429. */
    refusedCallsPerMinute: env.ROWGRAPH_REFUSED_CALLS_PER_MINUTE ?? 20,
    /** Limit of the requests of a user in progress at this control plane. */
    requestsPerUser: env.ROWGRAPH_REQUESTS_PER_USER ?? 256,
    /** Null: the embedded server. */
    databaseUrl: databaseUrlOf(env),
    databaseConnectTimeoutMs: env.ROWGRAPH_DATABASE_CONNECT_TIMEOUT ?? CONNECT_TIMEOUT_MS,
    /** The event store. */
    eventStore,
    /** Null: the folder below. */
    s3: s3Settings(env),
    /** Workers get the same. */
    storeVariables: storeVariables(env),
    objectStoreDirectory: resolve(env.ROWGRAPH_OBJECT_STORE_DIR ?? `${dataDirectory}/objects`),
    warehouseDirectory: resolve(env.ROWGRAPH_WAREHOUSE_DIR ?? `${dataDirectory}/warehouse`),
    /** The Trino server; null: the embedded engine. */
    trino,
    /** The catalogs and schemas that users may browse. */
    allowedCatalogs,
    embeddedWorker: env.ROWGRAPH_EMBEDDED_WORKER !== 'off',
    podRuntime: env.ROWGRAPH_POD_RUNTIME ?? 'process',
    /** Settings of pods on Kubernetes; null with another runtime. */
    kubernetes,
    /** Whether the control plane or an external submitter plans export jobs. */
    exportPlanner: env.ROWGRAPH_EXPORT_PLANNER ?? 'control-plane',
    /** Null: generated at the first start and stored in the data folder. */
    internalSecret: env.ROWGRAPH_INTERNAL_SECRET ?? null,
    /** Users whose resources an end-to-end cleanup deletes. */
    e2eTestUsers: namesIn(env.ROWGRAPH_E2E_TEST_USERS ?? ''),
    jobIntervals: env.ROWGRAPH_JOB_INTERVALS ?? DEFAULT_JOB_INTERVALS,
    logLevel: env.ROWGRAPH_LOG_LEVEL ?? 'info',
  };
};

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** Problems of listen addresses and authentication. */
const edgeComplaints = (env: Env, wrong: ReadonlySet<string>): readonly string[] => {
  const { ROWGRAPH_HOST: host = LOCALHOST, ROWGRAPH_INTERNAL_HOST: internalHost = LOCALHOST } = env;
  const { ROWGRAPH_PORT: port = PORT, ROWGRAPH_INTERNAL_PORT: internalPort = INTERNAL_PORT } = env;
  const { ROWGRAPH_IDENTITY_MODE: mode = 'trusted-edge' } = env;
  const hasEdgeToken = env.ROWGRAPH_EDGE_TOKEN !== undefined;
  const isModeKnown = !wrong.has('ROWGRAPH_IDENTITY_MODE');
  const isShared = host === internalHost || EVERY_ADDRESS.includes(host) || EVERY_ADDRESS.includes(internalHost);
  return failedChecks([
    [
      isModeKnown && mode !== 'trusted-edge' && hasEdgeToken,
      `ROWGRAPH_EDGE_TOKEN has no effect with ROWGRAPH_IDENTITY_MODE=${mode}; remove it, or choose trusted-edge`,
    ],
    [
      isModeKnown && mode === 'trusted-edge' && !hasEdgeToken && !isLoopback(host),
      `ROWGRAPH_EDGE_TOKEN is required when ROWGRAPH_HOST is ${host}: without it, any client that reaches the port could act as any user`,
    ],
    [
      env.ROWGRAPH_BASE_URL === undefined && EVERY_ADDRESS.includes(host),
      `ROWGRAPH_BASE_URL is required when ROWGRAPH_HOST is ${host}: no client can reach that address. Set it to the address of this machine, such as http://rowgraph.example.org:${PORT}`,
    ],
    [
      env.ROWGRAPH_INTERNAL_SECRET === undefined && !isLoopback(internalHost),
      `ROWGRAPH_INTERNAL_SECRET is required when ROWGRAPH_INTERNAL_HOST is ${internalHost}: workers and pods on other machines need tokens signed with it`,
    ],
    [
      port !== 0 && port === internalPort && isShared && !wrong.has('ROWGRAPH_INTERNAL_PORT'),
      `ROWGRAPH_PORT and ROWGRAPH_INTERNAL_PORT are both ${port} (without a setting they are ${PORT} and ${INTERNAL_PORT}); give each API a port of its own`,
    ],
  ]);
};

export const httpUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The settings with the chosen ports instead of port 0. */
export const withPorts = (settings: Settings, port: number, internalPort: number): Settings => {
  const configured = httpUrl(settings.host, settings.port);
  const moved = (url: string): string =>
    url === configured || url.startsWith(`${configured}/`)
      ? `${httpUrl(settings.host, port)}${url.slice(configured.length)}`
      : url;
  return {
    ...settings,
    port,
    internalPort,
    baseUrl: moved(settings.baseUrl),
    instanceBaseUrl: moved(settings.instanceBaseUrl),
  };
};

/**
 * The URL of the internal API for local workers and pods: an API that listens on every address is reachable on
 * loopback.
 */
export const internalUrl = ({ internalHost, internalPort, givenInternalUrl }: Settings): string => {
  if (givenInternalUrl !== null) return givenInternalUrl;
  const loopback = internalHost === '0.0.0.0' ? '127.0.0.1' : internalHost === '::' ? '::1' : internalHost;
  return httpUrl(loopback, internalPort);
};

const namesIn = (list: string): readonly string[] =>
  [...new Set(list.split(',').map((name) => name.trim()))].filter(Boolean);
