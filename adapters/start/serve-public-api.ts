import { type Request } from 'express';
import { type Either } from 'fp-ts/Either';
import { findGuardedInstance } from '../../queries/visible-instances';
import {
  accessTokenIdentity,
  type Admit,
  admitCaller,
  identifyCaller,
  keyOf,
  untilReadModelChanges,
} from '../http/identity';
import { instanceIngress, targetOf } from '../http/ingress/instance-ingress';
import { createHttpPodClient } from '../http/pods/http-pod-client';
import { refusedCalls } from '../http/kit/refused-calls';
import { publicApi } from '../http/public/public-api';
import { measureRequests } from '../metrics/measure-requests';
import { createPostgresIdempotencyStore } from '../postgres/postgres-idempotency-store';
import { packageVersion } from '../system/package-root';
import { instancesProjection } from '../../projections/instances';
import { systemClock } from '../system/system-clock';
import { parkedEventRetry, processConsumer, projectionConsumers } from './background';
import { componentPings, watchReadiness } from '../metrics/health';
import { listen } from './listen';
import { logName } from './event-store-settings';
import { type Identity, openIdentity } from './open-identity';
import { type Parts } from './parts';
import { podToken } from './pods';
import { INGRESS_PATH } from './settings';
import { type StartFailure } from '../system/closers';
import { type Startup } from './startup';

/** Serves the API people use, and the instances behind it where their pods run on this machine. */
export const servePublicApi = (parts: Parts, startup: Startup): Promise<Either<StartFailure, void>> => {
  const { settings, log } = startup;
  const { ports, db, pool, store, catchUp, changeCapacity, pods, queryEngine, schema, objects, secret } = parts;
  const namedLog = { store, name: logName(settings.eventStore), isInDatabase: settings.eventStore.kind === 'postgres' };
  const podAccess = { tokenOf: (id: number) => podToken(secret, id), objectStoreRoot: objects.root };
  const identity = openIdentity(parts, startup);
  const answerRefusal = refusedCalls({
    perMinute: settings.refusedCallsPerMinute,
    addressOf: identity.addressOf,
    keyOf,
    note: (status) => parts.metrics.refusedCalls.inc({ api: 'public', status }),
  });
  const ingress = instanceIngress({
    portOf: pods.portOf,
    untilSilent: pods.untilSilent,
    admit: admission(parts, identity),
    answerRefusal,
    addressOf: identity.addressOf,
    log,
  });
  const api = publicApi(
    {
      ports,
      db,
      catchUp,
      changeCapacity,
      podClient: createHttpPodClient({ addressOf: pods.addressOf, log }),
      unavailableReason: pods.unavailableReason,
      givesFirstKey: identity.givesFirstKey,
      instanceBaseUrl: pods.instanceBaseUrl,
      podAccess: settings.podRuntime === 'none' ? podAccess : null,
      cleanup: { testUsers: settings.e2eTestUsers, podRuntime: pods.runtime, objectStore: objects },
      pings: componentPings(parts, namedLog, settings.podRuntime !== 'none'),
      schema: { engine: queryEngine, allowList: settings.allowedCatalogs, refresh: () => schema.start() },
      jobIntervals: settings.jobIntervals,
      parkedEvents: parkedEventRetry(db, ports.store, [...projectionConsumers(pool), processConsumer(pool, ports)]),
      readiness: watchReadiness(pool, namedLog, catchUp, parts.writes),
    },
    {
      idempotency: createPostgresIdempotencyStore(pool),
      identify: identity.identify,
      follow: identity.follow,
      answerRefusal,
      version: packageVersion,
      baseUrl: settings.baseUrl,
      instanceBaseUrl: settings.instanceBaseUrl,
      patienceMs: settings.eventStore.patienceMs,
      ingress:
        settings.podRuntime === 'process'
          ? { path: INGRESS_PATH, handler: ingress, instanceIdOf: pods.instanceIdOf }
          : null,
      log,
    },
  );
  const listener = measureRequests('public', api, parts.metrics);
  return listen('public', api, startup, listener);
};

/** Who gets in to instances: users as the API knows them, and the persons of access tokens. */
const admission = ({ db, catchUp }: Parts, { identify, follow, allowAnonymous }: Identity): Admit => {
  const findInstance = untilReadModelChanges(catchUp, instancesProjection, (slug) =>
    findGuardedInstance(db, { url_slug: slug }),
  );
  const instanceOf = async ({ url }: Pick<Request, 'url'>) => (await findInstance(targetOf(url).slug))?.id ?? null;
  const authorize = identifyCaller(db, catchUp, accessTokenIdentity(db, systemClock, instanceOf, identify), follow);
  return admitCaller({ identify: (request) => authorize(request, 'user'), findInstance, allowAnonymous });
};
