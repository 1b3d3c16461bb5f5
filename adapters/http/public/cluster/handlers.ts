import { left, right } from 'fp-ts/Either';
import { domainError } from '../../../../domain/kernel/errors';
import { readConfig } from '../../../../queries/config';
import { countFailedInstances, readClusterInstances } from '../../../../queries/ops-state';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';
import { cachedFor, healthCheck } from './component-health';
import { type clusterEndpoints } from './endpoints';

/** Minimum interval between two probes of the object store. */
const OBJECT_STORE_KEPT_MS = 5_000;

export const clusterHandlers = (deps: PublicDependencies): PublicHandlers<typeof clusterEndpoints> => {
  const { db, ports, pings } = deps;
  const checks = {
    database: healthCheck(pings.database),
    disk: healthCheck(pings.disk),
    event_store: pings.eventStore && healthCheck(pings.eventStore),
    kubernetes: healthCheck(pings.podRuntime),
    queryengine: healthCheck(pings.queryEngine),
    object_store: cachedFor(OBJECT_STORE_KEPT_MS, healthCheck(pings.objectStore)),
  };
  return {
    getClusterHealth: async () => {
      const [database, disk, event_store, kubernetes, queryengine, object_store] = await Promise.all([
        checks.database(),
        checks.disk(),
        checks.event_store?.(),
        checks.kubernetes(),
        checks.queryengine(),
        checks.object_store(),
      ]);
      const components = {
        ...{ database, disk, kubernetes, queryengine, object_store },
        ...(event_store === undefined ? {} : { event_store }),
      };
      const failedInstances = database.status === 'healthy' ? countFailedInstances(db).catch(() => null) : null;
      const isDegraded = Object.values(components).some(({ status }) => status === 'unreachable');
      return right({
        isDegraded,
        body: {
          status: isDegraded ? ('degraded' as const) : ('healthy' as const),
          components,
          failed_instances: await failedInstances,
          checked_at: ports.clock.now().toISOString(),
        },
      });
    },

    getHealth: async () => {
      const trouble = await deps.readiness();
      return Object.keys(trouble).length === 0
        ? right({ body: { status: 'healthy' as const } })
        : left(domainError('SERVICE_UNAVAILABLE', 'A part of the system does not answer.', trouble));
    },

    getClusterInstances: async () => {
      const { used, ...counts } = await readClusterInstances(db);
      const { perAnalyst, clusterTotal } = (await readConfig(db, 'concurrency')).value;
      return right({
        body: {
          ...counts,
          limits: {
            per_analyst: perAnalyst,
            cluster_total: clusterTotal,
            cluster_used: used,
            cluster_available: Math.max(0, clusterTotal - used),
          },
        },
      });
    },
  };
};
