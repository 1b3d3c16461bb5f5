import { type ActionGroup } from '../action';
import { command } from '../command';
import { tableOf } from '../output';

const countSection = (title: string, counts: Readonly<Record<string, number>>) => ({
  title,
  table: { columns: Object.keys(counts), rows: [Object.values(counts)] },
});

export const clusterCommands: ActionGroup = {
  name: 'cluster',
  summary: 'How the whole system is (ops)',
  actions: [
    command(
      'getClusterHealth',
      'health',
      'Whether database, pods, query engine and object store answer; ends with 1 when one does not',
      {
        show: ({ data }) => {
          const table = tableOf(Object.entries(data.components), {
            component: ([name]) => name,
            status: ([, { status }]) => status,
            ms: ([, { latency_ms }]) => latency_ms,
            error: ([, { error }]) => error,
          });
          return {
            data,
            text: `The system is ${data.status}.${failedInWords(data.failed_instances)}`,
            sections: [{ title: 'Components', table }],
            ...(data.status === 'degraded' ? { exitCode: 1 } : {}),
          };
        },
      },
    ),
    command('getClusterInstances', 'instances', 'How many instances there are, whose, and how many more there may be', {
      show: ({ data }) => ({
        data,
        text: `${data.limits.cluster_used} of ${data.limits.cluster_total} places are taken; everybody may have ${data.limits.per_analyst}.`,
        sections: [
          countSection(`By state (${data.total})`, data.by_status),
          { title: 'By owner', table: tableOf(data.by_owner, { owner: 'owner_username', instances: 'count' }) },
        ],
      }),
    }),
    command('listPodsToRun', 'pods', 'The instances that somebody else has to run pods for', {
      columns: {
        instance: 'instance_id',
        kind: 'wrapper_type',
        owner: 'owner_username',
        status: 'status',
        'memory bytes': 'memory_bytes',
        cores: 'cpu_cores',
        slug: 'url_slug',
      },
    }),
    command('getOpsState', 'state', 'How many instances, snapshots and export jobs there are in each state', {
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

/** They do not make the system unwell: their owners look after them. */
const failedInWords = (instances: number | null): string => {
  if (instances === null) return ' How many instances have failed is not known.';
  if (instances === 0) return '';
  return ` ${instances} ${instances === 1 ? 'instance has' : 'instances have'} failed.`;
};
