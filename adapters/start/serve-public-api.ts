import { type Request } from 'express';
import { instancesProjection } from '../../projections/instances';
import { findInstanceWithAccess } from '../../queries/visible-instances';
import {
  accessCheck,
  accessTokenIdentity,
  addressBehindEdge,
  apiKeyIdentity,
  type CheckAccess,
  createProvisionUser,
  createSessions,
  firstUserGate,
  type Identify,
  identifyCaller,
  keyOf,
  oidcIdentity,
  type ProvisionUser,
  type Sessions,
  socketAddress,
  trustedEdge,
  untilReadModelChanges,
} from '../http/identity';
import { instanceIngress, targetOf } from '../http/ingress/instance-ingress';
import { type LimitInProgress, limitInProgress } from '../http/kit/limit-in-progress';
import { type AnswerRefusal, refusedCalls } from '../http/kit/refused-calls';
import { publicApi, type PublicApiOptions } from '../http/public/public-api';
import { type Sample } from '../http/public/public-dependencies';
import { readWrittenUser } from '../http/public/user/handlers';
import { componentPings, watchReadiness } from '../metrics/health';
import { measureRequests } from '../metrics/measured-ports';
import { issuerKeys } from '../oidc/issuer-keys';
import { tokenVerifier } from '../oidc/verify-token';
import { createPostgresIdempotencyStore } from '../postgres/postgres-idempotency-store';
import { bankMapping, RINGS_TO_DRAW } from '../sample/bank-mapping';
import { addBankDatabase } from '../sample/build-demo-warehouse';
import { packageVersion } from '../system/package-root';
import { parkedEventRetry, processConsumer, projectionConsumers } from './background';
import { listen } from './listen';
import { type Parts } from './parts';
import { runnerToken } from './pods';
import { INGRESS_PATH } from './settings';

/** Serves the public API, and the instances if the control plane manages their pods. */
export const servePublicApi = (parts: Parts): Promise<void> => {
  const { settings, log, ports, db, pool, podRuntime, objects } = parts;
  const identity = openIdentity(parts);
  const answerRefusal = refusedCalls({
    perMinute: settings.refusedCallsPerMinute,
    addressOf: identity.addressOf,
    keyOf,
    note: (status) => parts.metrics.refusedCalls.inc({ api: 'public', status }),
  });
  const limitRequests = limitInProgress(settings.requestsPerUser, 'requests');
  const api = publicApi(
    {
      ...parts,
      issuesFirstKey: identity.issuesFirstKey,
      sessions: identity.sessions,
      podTokenOf: (id) => runnerToken(parts.secret, id),
      cleanup: { testUsers: settings.e2eTestUsers, objectStore: objects },
      pings: componentPings(parts),
      schema: {
        engine: parts.queryEngine,
        allowList: settings.allowedCatalogs,
        refresh: () => parts.schema.start(),
        sample: settings.trino === null ? sampleIn(settings.warehouseDirectory) : null,
      },
      jobIntervals: settings.jobIntervals,
      parkedEvents: parkedEventRetry(db, ports.store, [...projectionConsumers(pool), processConsumer(pool, ports)]),
      readiness: watchReadiness(parts),
    },
    {
      idempotency: createPostgresIdempotencyStore(pool),
      identify: identity.identify,
      provisionUser: identity.provisionUser,
      firstUser: firstUserGate(settings),
      answerRefusal,
      limitRequests,
      version: packageVersion,
      baseUrl: settings.baseUrl,
      instanceBaseUrl: settings.instanceBaseUrl,
      issuer: settings.oidc?.login?.issuer ?? null,
      timeoutMs: settings.eventStore.timeoutMs,
      ingress: podRuntime.managesPods ? ingressTo(parts, identity, { answerRefusal, limitRequests }) : null,
      log,
    },
  );
  const listener = measureRequests('public', api, parts.metrics);
  return listen('public', api, parts, listener);
};

/** The proxy to the instances. */
const ingressTo = (
  parts: Parts,
  identity: Identity,
  limits: { readonly answerRefusal: AnswerRefusal; readonly limitRequests: LimitInProgress },
): NonNullable<PublicApiOptions['ingress']> => ({
  path: INGRESS_PATH,
  handler: instanceIngress({
    routeOf: (urlSlug) => parts.podRuntime.routeOf(urlSlug),
    sign: parts.sign,
    admit: admission(parts, identity),
    ...limits,
    addressOf: identity.addressOf,
    log: parts.log,
  }),
});

/** Authentication for instances: users as in the API, and access tokens. */
const admission = (
  { db, catchUp, ports }: Parts,
  { identify, provisionUser, allowAnonymous }: Identity,
): CheckAccess => {
  const findInstance = untilReadModelChanges(catchUp, instancesProjection, (slug) =>
    findInstanceWithAccess(db, { url_slug: slug }),
  );
  const instanceOf = async ({ url }: Pick<Request, 'url'>) => (await findInstance(targetOf(url).slug))?.id ?? null;
  const authorize = identifyCaller(
    db,
    catchUp,
    accessTokenIdentity(db, ports.clock, instanceOf, identify),
    provisionUser,
    null,
  );
  return accessCheck({ identify: (request) => authorize(request, 'user'), findInstance, allowAnonymous });
};

/** The sample for a warehouse of DuckDB files. Concurrent requests share one write. */
const sampleIn = (warehouseDirectory: string): Sample => {
  let writing: Promise<void> | null = null;
  const write = (): Promise<void> =>
    (writing ??= addBankDatabase(warehouseDirectory).finally(() => {
      writing = null;
    }));
  return { write, mapping: { ...bankMapping, query: RINGS_TO_DRAW } };
};

/** The configured authentication of users. */
interface Identity {
  readonly identify: Identify;
  /** Null without an identity provider. */
  readonly provisionUser: ProvisionUser | null;
  readonly addressOf: (request: Request) => string;
  /** Instances with access `everyone` are open to callers without an identity. */
  readonly allowAnonymous: boolean;
  /** Null where users do not authenticate with API keys alone. */
  readonly sessions: Sessions | null;
  /** The first user can only authenticate with an API key. */
  readonly issuesFirstKey: boolean;
}

export const openIdentity = ({
  settings,
  log,
  ports,
  db,
  catchUp,
  secret,
}: Pick<Parts, 'settings' | 'log' | 'ports' | 'db' | 'catchUp' | 'secret'>): Identity => {
  const { edgeToken, identityMode, oidc } = settings;
  if (identityMode === 'trusted-edge') {
    const addressOf = addressBehindEdge(edgeToken);
    const allowAnonymous = edgeToken === null;
    const identify = trustedEdge(edgeToken);
    return { identify, provisionUser: null, addressOf, allowAnonymous, sessions: null, issuesFirstKey: false };
  }
  const sessions = oidc === null ? createSessions(secret, settings.baseUrl, ports.clock) : null;
  const byKey = apiKeyIdentity(db, ports.clock, sessions);
  const own = { addressOf: socketAddress, allowAnonymous: false, sessions };
  if (oidc === null) return { ...own, identify: byKey, provisionUser: null, issuesFirstKey: true };
  return {
    ...own,
    identify: oidcIdentity(tokenVerifier(oidc, issuerKeys(oidc.issuer, log), ports.clock), byKey, oidc.login),
    provisionUser: createProvisionUser({
      ports,
      db,
      readWrittenUser: (username, position) => readWrittenUser({ ports, db, catchUp }, username, position),
      createsUsers: oidc.provisions,
      log,
    }),
    issuesFirstKey: false,
  };
};
