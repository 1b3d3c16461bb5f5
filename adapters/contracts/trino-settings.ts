import { type Either, left, right } from 'fp-ts/Either';
import { type FieldsOf, matching, oneOf, optional } from '../../domain/kernel/codecs';
import { failedChecks, nonEmpty, onOff, url } from './environment';

/** The variables of a Trino server, for both control plane and workers. */
export const trinoVariables = {
  ROWGRAPH_TRINO_URL: optional(url('http', 'https')),
  ROWGRAPH_TRINO_USER: optional(nonEmpty(200)),
  ROWGRAPH_TRINO_PASSWORD_FILE: optional(nonEmpty()),
  ROWGRAPH_TRINO_TOKEN_FILE: optional(nonEmpty()),
  ROWGRAPH_TRINO_IMPERSONATION: optional(onOff),
  ROWGRAPH_TRINO_CATALOG: optional(nonEmpty(200)),
  ROWGRAPH_TRINO_SCHEMA: optional(nonEmpty(200)),
  ROWGRAPH_TRINO_EXPORT: optional(oneOf('ctas', 'unload')),
  ROWGRAPH_TRINO_EXPORT_SCHEMA: optional(matching(/^[^.]+\.[^.]+$/, 'must be catalog.schema', 400)),
};

type Env = FieldsOf<typeof trinoVariables>;

const TIMEOUT_MS = 10_000;

/** The settings of the Trino engine; left: the errors in their combination. */
export const trinoSettings = (env: Env) => {
  const { ROWGRAPH_TRINO_URL: server, ROWGRAPH_TRINO_EXPORT_SCHEMA: place } = env;
  const { ROWGRAPH_TRINO_PASSWORD_FILE: passwordFile = null, ROWGRAPH_TRINO_TOKEN_FILE: tokenFile = null } = env;
  const hasSecret = passwordFile !== null || tokenFile !== null;
  const wrong = failedChecks([
    [server === undefined, 'ROWGRAPH_TRINO_URL is required with ROWGRAPH_QUERY_ENGINE=trino'],
    [
      place === undefined,
      'ROWGRAPH_TRINO_EXPORT_SCHEMA is required with ROWGRAPH_QUERY_ENGINE=trino: the catalog.schema of the tables that exports create, such as hive.rowgraph',
    ],
    [
      passwordFile !== null && tokenFile !== null,
      'ROWGRAPH_TRINO_TOKEN_FILE and ROWGRAPH_TRINO_PASSWORD_FILE exclude each other; remove one',
    ],
    [
      hasSecret && server?.startsWith('http://') === true,
      'ROWGRAPH_TRINO_URL must begin with https:// when a password or token is sent',
    ],
  ]);
  if (server === undefined || place === undefined || wrong.length > 0) return left(wrong);
  const [catalog = '', schema = ''] = place.split('.');
  return right({
    ...{ url: server, user: env.ROWGRAPH_TRINO_USER ?? 'rowgraph', passwordFile, tokenFile, timeoutMs: TIMEOUT_MS },
    ...{ catalog, schema, method: env.ROWGRAPH_TRINO_EXPORT ?? 'ctas' },
    impersonation: env.ROWGRAPH_TRINO_IMPERSONATION === 'on',
    defaultCatalog: env.ROWGRAPH_TRINO_CATALOG ?? null,
    defaultSchema: env.ROWGRAPH_TRINO_SCHEMA ?? null,
  });
};

export type TrinoEngineSettings =
  ReturnType<typeof trinoSettings> extends Either<unknown, infer Settings> ? Settings : never;
