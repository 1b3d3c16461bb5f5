import * as t from 'io-ts';
import { nullable, oneOf } from '../../../../domain/kernel/codecs';
import { InstanceCounts } from '../../../../queries/views/ops';
import { data, endpoint } from '../../kit';

const Component = t.intersection([
  t.strict({
    status: oneOf('healthy', 'unreachable', 'not_configured'),
    latency_ms: nullable(t.number),
  }),
  t.partial({ error: t.string }),
]);

export const clusterEndpoints = {
  getClusterHealth: endpoint('GET /cluster/health', {
    summary:
      'Whether database, disk, event store, pod runtime (`kubernetes`), query engine and object store answer; 503 when one does not. Failed instances are counted, and do not affect the status',
    access: 'ops',
    success: {
      status: 200,
      degradedStatus: 503,
      shape: 'data',
      body: t.strict({
        status: oneOf('healthy', 'degraded'),
        components: t.intersection([
          t.strict({
            ...{ database: Component, disk: Component, kubernetes: Component },
            ...{ queryengine: Component, object_store: Component },
          }),
          /** Absent if the log is in the database. */
          t.partial({ event_store: Component }),
        ]),
        /** Null while the database is unavailable. */
        failed_instances: nullable(t.number),
        checked_at: t.string,
      }),
    },
  }),
  getClusterInstances: endpoint('GET /cluster/instances', {
    summary: 'Number of instances by state and owner, and the limits',
    access: 'ops',
    success: data(
      t.strict({
        ...InstanceCounts.type.props,
        limits: t.strict({
          per_analyst: t.number,
          cluster_total: t.number,
          cluster_used: t.number,
          cluster_available: t.number,
        }),
      }),
    ),
  }),
  getHealth: endpoint('GET /health', {
    summary: 'Whether the stores answer and the read models are up to date',
    access: 'user',
    success: data(t.strict({ status: t.literal('healthy') })),
  }),
};
