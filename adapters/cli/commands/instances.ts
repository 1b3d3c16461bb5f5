import { isLeft, left, right } from 'fp-ts/Either';
import { type InstanceAccess } from '../../../domain/instance';
import { type TakesEffect } from '../../../domain/ports/pod-runtime';
import { type ResultOf } from '../../client';
import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type ActionGroup } from '../action';
import { command } from '../command';
import { type Session } from '../connection';
import { type Answer, answered, usageError } from '../failure';
import { graphSizeText, type Output, pairsText, recordOf, sizeText } from '../output';
import { progressDisplay, untilRunning } from '../progress-display';
import { lifeOptions, lifetimeText, option } from '../request-options';

const instanceRecord = (instance: ResultOf<typeof publicEndpoints.getInstance>): Output['record'] =>
  recordOf(instance, {
    id: 'id',
    name: 'name',
    description: ({ description }) => unlessEmpty(description),
    status: 'status',
    error: ({ error_code, error_message }) => unlessEmpty(error_code && `${error_code}: ${error_message ?? ''}`),
    'failed in': ({ failed_phase }) => unlessEmpty(failed_phase),
    owner: 'owner_username',
    access: ({ access }) => accessText(access),
    mapping: (one) => `${one.mapping_id} ${one.mapping_name}, version ${one.mapping_version}`,
    kind: 'wrapper_type',
    graph: ({ graph_stats }) => (graph_stats === null ? 'not loaded' : graphSizeText(graph_stats)),
    address: 'instance_url',
    size: ({ cpu_cores, memory_gb }) => `${cpu_cores} cores${memory_gb === null ? '' : `, ${memory_gb} GB`}`,
    memory: ({ memory_usage_bytes }) => unlessEmpty(sizeText(memory_usage_bytes)),
    cpu: ({ cpu_usage_cores: cores }) => (cores === null ? undefined : `${cores} cores`),
    disk: ({ disk_usage_bytes }) => unlessEmpty(sizeText(disk_usage_bytes)),
    created: 'created_at',
    'last use': 'last_activity_at',
    expires: ({ expires_at }) => expires_at ?? 'never',
    inactivity: 'inactivity_timeout',
  });

const accessText = ({ mode, users }: InstanceAccess): string => {
  if (mode === 'everyone') return 'everyone';
  return mode === 'owner' || users.length === 0 ? 'owner only' : `owner and ${users.join(', ')}`;
};

const EFFECT: Readonly<Record<TakesEffect, string>> = {
  now: 'has',
  pending: 'will have, after its next restart or earlier,',
  at_next_start: 'will have, after its next restart,',
};
const sizeChange = (id: number, size: string, takesEffect: TakesEffect): string =>
  `Instance ${id} ${EFFECT[takesEffect]} ${size}.`;

const unlessEmpty = (text: string | null): string | undefined => (text === null || text === '' ? undefined : text);

const waitAndShow = async (session: Session, id: number): Answer<Output> => {
  const { api, terminal } = session;
  // Only the result is written to stdout.
  const running = await untilRunning(api, id, progressDisplay(terminal.errors), terminal.interrupted());
  if (isLeft(running)) return running;
  return answered(api.getInstance({ params: { id } }), ({ data }) => ({ data, record: instanceRecord(data) }));
};

const usersOption = (field: string) =>
  option('--users <usernames>', 'users with access in mode users: ada,bob', {
    field,
    parse: (written) => right(written.split(',').map((name) => name.trim())),
    read: (_session, users, { mode, 'access.mode': chosen = mode }) =>
      Promise.resolve(
        users === undefined || chosen === 'users'
          ? right(users)
          : left(
              usageError(`--users needs the access users, not ${typeof chosen === 'string' ? chosen : 'everyone'}.`),
            ),
      ),
  });

export const instanceCommands: ActionGroup = {
  name: 'instances',
  summary: 'Manage instances: graphs made from mappings',
  actions: [
    command('listInstances', 'list', 'List instances, newest first', {
      columns: {
        id: 'id',
        name: 'name',
        owner: 'owner_username',
        kind: 'wrapper_type',
        status: 'status',
        expires: 'expires_at',
        memory: ({ memory_usage_bytes }) => sizeText(memory_usage_bytes),
      },
    }),
    command('getInstance', 'show <instance>', 'Show an instance', {
      show: ({ data }) => ({ record: instanceRecord(data) }),
    }),
    command('createInstance', 'create', 'Create an instance from a mapping', {
      options: [
        option('-m, --mapping <mapping>', 'id or name', {
          field: 'mapping_id',
          required: '--mapping <id or name> is required.',
        }),
        option('--as-of <version>', 'version of the mapping (default: the current)', { field: 'mapping_version' }),
        option('--name <name>', 'name (default: the name of the mapping)', {
          read: async ({ api }, written, { mapping_id: id }) =>
            written === undefined
              ? answered(api.getMapping({ params: { id: Number(id) } }), ({ data }) => data.name)
              : right(written),
        }),
        option('--description <text>', 'description'),
        option('--kind <kind>', 'graph database (default graphdb_a: duckdb)', { field: 'wrapper_type' }),
        option('--cpu <cores>', 'CPU cores, 1 to 8 (default 2)', { field: 'cpu_cores' }),
        ...lifeOptions,
        option('--access <mode>', 'access (default everyone)', { field: 'access.mode' }),
        usersOption('access.users'),
        option('-w, --wait', 'show the progress until it runs'),
      ],
      fixed: { wrapper_type: 'graphdb_a' },
      examples: ['instances create --mapping "Money flows" --ttl 8h --wait'],
      show: ({ data }, { session, input }) =>
        input.flag('wait')
          ? waitAndShow(session, data.id)
          : {
              text: `Created instance ${data.id} "${data.name}"; it is starting.`,
              note: `See: rowgraph instances wait ${data.id}`,
            },
    }),
    command('getInstance', 'wait <instance>', 'Show the progress of an instance until it runs', {
      show: ({ data }, { session }) => waitAndShow(session, data.id),
    }),
    command('deleteInstance', 'delete <instance...>', 'Delete instances with their graphs', {
      question: (input) => `Delete ${input.args.length > 1 ? 'instances' : 'instance'} ${input.args.join(', ')}?`,
      show: (_, { subject }) => ({
        data: { id: Number(subject), deleted: true },
        text: `Deleted instance ${subject}.`,
      }),
    }),
    command('updateInstance', 'rename <instance> <name>', 'Rename an instance', {
      arguments: ['id', 'name'],
      options: [option('--description <text>', 'new description')],
      text: ({ id, name }) => `Renamed instance ${id} to "${name}".`,
    }),
    command('updateInstanceLifecycle', 'extend <instance>', 'Change the lifetime, counted from creation', {
      options: lifeOptions,
      unchanged: '--ttl or --inactivity is required.',
      examples: ['instances extend 3 --ttl 2d'],
      text: ({ id, ttl, inactivity_timeout: unused }) => lifetimeText('instance', id, ttl, unused),
    }),
    command('updateInstanceAccess', 'share <instance> <mode>', 'Set the access: everyone, users or owner', {
      arguments: ['id', 'mode'],
      options: [usersOption('users')],
      examples: ['instances share 3 users --users ada,bob', 'instances share 3 owner'],
      text: ({ id, access }) => `Access to instance ${id}: ${accessText(access)}.`,
    }),
    command('updateInstanceCpu', 'cpu <instance> <cores>', 'Change the CPU cores of an instance, 1 to 8', {
      arguments: ['id', 'cpu_cores'],
      text: ({ id, cpu_cores, takes_effect }) => sizeChange(id, `${cpu_cores} cores`, takes_effect),
    }),
    command('updateInstanceMemory', 'memory <instance> <gigabytes>', 'Increase the memory, up to 32 GB', {
      arguments: ['id', 'memory_gb'],
      text: ({ id, memory_gb, takes_effect }) => sizeChange(id, `${memory_gb} GB of memory`, takes_effect),
    }),
    command('listInstanceEvents', 'events <instance>', 'List changes of size, newest first', {
      columns: { id: 'id', event: 'event_type', details: ({ details }) => pairsText(details), at: 'created_at' },
    }),
    command('getUserInstanceStatus', 'limits', 'Show your instance limit', {
      text: ({ username, active_instances, instance_limit, instances_available }) =>
        `${username} has ${active_instances} of ${instance_limit} instances; ${instances_available} available.`,
    }),
  ],
};
