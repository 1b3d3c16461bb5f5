import { type Action, type ActionGroup } from '../action';
import { answered } from '../answered';
import { type Output, tableOf } from '../output';

const health: Action = {
  usage: 'health',
  summary: 'Whether database, pods and query engine answer; ends with 1 when one does not',
  run: ({ api }) =>
    answered(api.getClusterHealth(), ({ data }): Output => ({
      data,
      text: `The system is ${data.status}.`,
      sections: [
        {
          title: 'Components',
          table: tableOf(Object.entries(data.components), [
            ['component', ([name]) => name],
            ['status', ([, { status }]) => status],
            ['ms', ([, { latency_ms }]) => latency_ms],
            ['error', ([, { error }]) => error],
          ]),
        },
      ],
      ...(data.status === 'degraded' ? { exitCode: 1 } : {}),
    })),
};

const instances: Action = {
  usage: 'instances',
  summary: 'How many instances there are, whose, and how many more there may be',
  run: ({ api }) =>
    answered(api.getClusterInstances(), ({ data }) => ({
      data,
      text: `${data.limits.cluster_used} of ${data.limits.cluster_total} places are taken; everybody may have ${data.limits.per_analyst}.`,
      sections: [
        { title: `By state (${data.total})`, table: countTable(data.by_status) },
        {
          title: 'By owner',
          table: tableOf(data.by_owner, [
            ['owner', ({ owner_username }) => owner_username],
            ['instances', ({ count }) => count],
          ]),
        },
      ],
    })),
};

const state: Action = {
  usage: 'state',
  summary: 'How many instances, snapshots and export jobs there are in each state',
  run: ({ api }) =>
    answered(api.getOpsState(), ({ data }) => ({
      data,
      sections: [
        { title: `Instances (${data.instances.total})`, table: countTable(data.instances.by_status) },
        { title: `Snapshots (${data.snapshots.total})`, table: countTable(data.snapshots.by_status) },
        { title: 'Export jobs', table: countTable(data.export_jobs.by_status) },
      ],
    })),
};

const countTable = (counts: Readonly<Record<string, number>>) => ({
  columns: Object.keys(counts),
  rows: [Object.values(counts)],
});

export const clusterCommands: ActionGroup = {
  name: 'cluster',
  summary: 'How the whole system is (ops)',
  actions: [health, instances, state],
};
