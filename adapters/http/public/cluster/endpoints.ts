import * as t from 'io-ts';
import { endpoint } from '../../kit';
import { nullableNumber } from '../codecs';

const Component = t.intersection([
  t.strict({
    status: t.keyof({ healthy: null, unreachable: null, not_configured: null }),
    latency_ms: nullableNumber,
  }),
  t.partial({ error: t.string }),
]);

export const clusterEndpoints = {
  getClusterHealth: endpoint({
    method: 'GET',
    path: '/cluster/health',
    summary: 'Whether database, pod runtime (`kubernetes`) and query engine answer; 503 when one does not',
    access: 'ops',
    success: {
      status: 200,
      degradedStatus: 503,
      shape: 'data',
      body: t.strict({
        status: t.keyof({ healthy: null, degraded: null }),
        components: t.strict({ database: Component, kubernetes: Component, queryengine: Component }),
        checked_at: t.string,
      }),
    },
    errors: [],
  }),
  getClusterInstances: endpoint({
    method: 'GET',
    path: '/cluster/instances',
    summary: 'How many instances there are, whose they are, and how many more there may be',
    access: 'ops',
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({
        total: t.number,
        by_status: t.strict({
          waiting_for_snapshot: t.number,
          starting: t.number,
          running: t.number,
          stopping: t.number,
          failed: t.number,
        }),
        by_owner: t.readonlyArray(t.strict({ owner_username: t.string, count: t.number })),
        limits: t.strict({
          per_analyst: t.number,
          cluster_total: t.number,
          cluster_used: t.number,
          cluster_available: t.number,
        }),
      }),
    },
    errors: [],
  }),
};
