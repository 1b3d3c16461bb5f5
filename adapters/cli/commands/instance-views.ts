import { type Either, isLeft } from 'fp-ts/Either';
import { type Action, pageOptions, pageQuery, present } from '../action';
import { answered } from '../answered';
import { type Session } from '../connection';
import { type CliFailure } from '../failure';
import { listOutput, type Output } from '../output';
import { listOptions, listQuery } from '../resource-list';
import { onInstance } from './on-instance';

const STATUSES = ['waiting_for_snapshot', 'starting', 'running', 'stopping', 'failed'] as const;
const SORTABLE = ['name', 'created_at', 'status', 'last_activity_at', 'memory_usage_bytes'] as const;

const list: Action = {
  usage: 'list',
  summary: 'List instances, newest first',
  options: [
    { flags: '--status <status>', description: 'only those in this state', choices: STATUSES },
    ...listOptions(SORTABLE),
  ],
  run: async ({ api }, given) => {
    const common = await listQuery(api, given);
    if (isLeft(common)) return common;
    const query = {
      ...common.right,
      ...present(
        'status',
        STATUSES.find((status) => status === given.text('status')),
      ),
      ...present(
        'sort_by',
        SORTABLE.find((field) => field === given.text('sort')),
      ),
    };
    return answered(api.listInstances({ query }), (answer) =>
      listOutput(answer, [
        ['id', ({ id }) => id],
        ['name', ({ name }) => name],
        ['owner', ({ owner_username }) => owner_username],
        ['kind', ({ wrapper_type }) => wrapper_type],
        ['status', ({ status }) => status],
        ['expires', ({ expires_at }) => expires_at],
        ['memory', ({ memory_usage_bytes }) => megabytes(memory_usage_bytes)],
      ]),
    );
  },
};

export const showInstance = async ({ api }: Session, id: number): Promise<Either<CliFailure, Output>> =>
  answered(api.getInstance({ params: { id } }), ({ data }) => ({
    data,
    record: [
      ['id', data.id],
      ['name', data.name],
      ...fieldUnlessEmpty('description', data.description),
      ['status', data.status],
      ...fieldUnlessEmpty('error', data.error_code && `${data.error_code}: ${data.error_message ?? ''}`),
      ...fieldUnlessEmpty('failed in', data.failed_phase),
      ['owner', data.owner_username],
      ['mapping', `${data.mapping_id} ${data.mapping_name}, version ${data.mapping_version}`],
      ['kind', data.wrapper_type],
      ['graph', graphText(data.graph_stats)],
      ['address', data.instance_url],
      ['size', `${data.cpu_cores} cores${data.memory_gb === null ? '' : `, ${data.memory_gb} GB`}`],
      ...fieldUnlessEmpty('memory', megabytes(data.memory_usage_bytes)),
      ...fieldUnlessEmpty('disk', megabytes(data.disk_usage_bytes)),
      ['created', data.created_at],
      ['last use', data.last_activity_at],
      ['expires', data.expires_at ?? 'never'],
      ['inactivity', data.inactivity_timeout],
    ],
  }));

const fieldUnlessEmpty = (name: string, value: string | null): readonly (readonly [string, string])[] =>
  value === null || value === '' ? [] : [[name, value]];

const graphText = (stats: { readonly node_count: number | null; readonly edge_count: number | null } | null): string =>
  stats === null ? 'not loaded' : `${stats.node_count ?? '?'} nodes, ${stats.edge_count ?? '?'} edges`;

const megabytes = (bytes: number | null): string => (bytes === null ? '' : `${Math.round(bytes / 1024 / 1024)} MB`);

const show = onInstance('show <instance>', 'One instance', showInstance);

const events = onInstance(
  'events <instance>',
  'Changes of its size, newest first',
  ({ api }, id, given) =>
    answered(api.listInstanceEvents({ params: { id }, query: pageQuery(given) }), (answer) =>
      listOutput(answer, [
        ['id', (event) => event.id],
        ['event', ({ event_type }) => event_type],
        [
          'details',
          ({ details }) =>
            Object.entries(details)
              .map(([name, value]) => `${name} ${String(value)}`)
              .join(', '),
        ],
        ['at', ({ created_at }) => created_at],
      ]),
    ),
  { options: pageOptions },
);

const limits: Action = {
  usage: 'limits',
  summary: 'How many instances you have and may have',
  run: ({ api }) =>
    answered(api.getUserInstanceStatus(), ({ data }) => ({
      data,
      text: `${data.username} has ${data.active_instances} of ${data.instance_limit} instances; ${data.instances_available} more are possible.`,
    })),
};

/** Commands that only look at instances. */
export const instanceViews = { list, show, events, limits };
