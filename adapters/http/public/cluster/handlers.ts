import { right } from 'fp-ts/Either';
import { readClusterInstances } from '../../../../queries/ops-state';
import { readConfig } from '../../../../queries/config';
import { type Handlers } from '../../kit';
import { type clusterEndpoints } from './endpoints';
import { healthCheck } from './component-health';
import { type Caller, type PublicDependencies } from '../public-dependencies';

export const clusterHandlers = ({
  db,
  ports,
  pings,
}: PublicDependencies): Handlers<typeof clusterEndpoints, Caller> => {
  const checks = [healthCheck(pings.database), healthCheck(pings.podRuntime), healthCheck(pings.queryEngine)] as const;
  return {
    getClusterHealth: async () => {
      const [checkDatabase, checkPods, checkEngine] = checks;
      const [database, kubernetes, queryengine] = await Promise.all([checkDatabase(), checkPods(), checkEngine()]);
      const isDegraded = [database, kubernetes, queryengine].some(({ status }) => status === 'unreachable');
      return right({
        isDegraded,
        body: {
          status: isDegraded ? ('degraded' as const) : ('healthy' as const),
          components: { database, kubernetes, queryengine },
          checked_at: ports.clock.now().toISOString(),
        },
      });
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
