import { type ActionGroup } from '../action';
import { command } from '../command';
import { sizeText, tableOf } from '../output';

const countSection = (title: string, counts: Readonly<Record<string, number>>) => ({
  title,
  table: { columns: Object.keys(counts), rows: [Object.values(counts)] },
});

export const clusterCommands: ActionGroup = {
  name: 'cluster',
  summary: 'Cluster health and usage (ops)',
  actions: [
    command('getClusterHealth', 'health', 'Check all components (exit code 1: degraded)', {
      show: ({ data }) => {
        const table = tableOf(Object.entries(data.components), {
          component: ([name]) => name,
          status: ([, { status }]) => status,
          ms: ([, { latency_ms }]) => latency_ms,
          error: ([, { error }]) => error,
        });
        return {
          data,
          text: `The system is ${data.status}.${failedText(data.failed_instances)}`,
          sections: [{ title: 'Components', table }],
          ...(data.status === 'degraded' ? { exitCode: 1 } : {}),
        };
      },
    }),
    command('getClusterInstances', 'instances', 'Count instances by state and owner', {
      show: ({ data }) => ({
        data,
        text: `Instances: ${data.limits.cluster_used} of ${data.limits.cluster_total}; limit per analyst: ${data.limits.per_analyst}.`,
        sections: [
          countSection(`By state (${data.total})`, data.by_status),
          { title: 'By owner', table: tableOf(data.by_owner, { owner: 'owner_username', instances: 'count' }) },
        ],
      }),
    }),
    command('listPodsToRun', 'pods', 'List instances whose pods an external runner starts', {
      columns: {
        instance: 'instance_id',
        kind: 'wrapper_type',
        owner: 'owner_username',
        status: 'status',
        memory: ({ memory_bytes }) => sizeText(memory_bytes),
        cores: 'cpu_cores',
        slug: 'url_slug',
      },
    }),
    command('getOpsState', 'state', 'Count instances, snapshots and export jobs by state', {
      show: ({ data }) => ({
        data,
        sections: [
          countSection(`Instances (${data.instances.total})`, data.instances.by_status),
          countSection(`Snapshots (${data.snapshots.total})`, data.snapshots.by_status),
          countSection('Export jobs', data.export_jobs.by_status),
        ],
      }),
    }),
  ],
};

/** Failed instances do not degrade the system. */
const failedText = (instances: number | null): string => {
  if (instances === null) return ' The number of failed instances is unknown.';
  if (instances === 0) return '';
  return ` ${instances} ${instances === 1 ? 'instance has' : 'instances have'} failed.`;
};
