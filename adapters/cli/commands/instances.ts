import { type Either, isLeft, right } from 'fp-ts/Either';
import { type Action, type ActionGroup } from '../action';
import { answered, type CliFailure } from '../failure';
import { type Session } from '../connection';
import { lifeOptions } from '../duration-option';
import { command } from '../command';
import { findInstance } from '../find-one';
import { type Output } from '../output';
import { progressDisplay } from '../progress-display';
import { option } from '../request-options';
import { untilRunning } from '../until-running';
import { accessText, instanceRecord, megabytes } from './instance-record';

const waitAndShow = async (session: Session, id: number): Promise<Either<CliFailure, Output>> => {
  const { api, terminal } = session;
  // Progress is for whoever looks on; stdout belongs to the result.
  const display = progressDisplay(terminal.errors);
  const running = await untilRunning(api, id, display.show, terminal.interrupted());
  if (isLeft(running)) return running;
  return answered(api.getInstance({ params: { id } }), ({ data }) => ({ data, record: instanceRecord(data) }));
};

const wait: Action = {
  usage: 'wait <instance>',
  summary: 'Show the progress of an instance until it runs',
  run: async (session, input) => {
    const id = await findInstance(session, input.argument(0));
    return isLeft(id) ? id : waitAndShow(session, id.right);
  },
};

/** Those who get in with the mode `users`. */
const usersOption = (field: string) =>
  option('--users <usernames>', 'who gets in with the mode users: ada,bob', {
    field,
    parse: (written) => right(written.split(',').map((name) => name.trim())),
  });

const detailText = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

export const instanceCommands: ActionGroup = {
  name: 'instances',
  summary: 'Graph databases loaded from a mapping',
  actions: [
    command('listInstances', 'list', 'List instances, newest first', {
      columns: {
        id: 'id',
        name: 'name',
        owner: 'owner_username',
        kind: 'wrapper_type',
        status: 'status',
        expires: 'expires_at',
        memory: ({ memory_usage_bytes }) => megabytes(memory_usage_bytes),
      },
    }),
    command('getInstance', 'show <instance>', null, { show: ({ data }) => ({ data, record: instanceRecord(data) }) }),
    command('createInstance', 'create', null, {
      options: [
        option('-m, --mapping <mapping>', 'id or name', {
          field: 'mapping_id',
          required: 'Say what to make it of: --mapping <id or name>.',
        }),
        option('--as-of <version>', 'version of the mapping (default: the current one)', { field: 'mapping_version' }),
        option('--name <name>', 'name of the instance (default: the mapping’s)', {
          read: async ({ api }, written, { mapping_id: id }) =>
            written === undefined
              ? answered(api.getMapping({ params: { id: Number(id) } }), ({ data }) => data.name)
              : right(written),
        }),
        option('--description <text>', 'what it is for'),
        option('--kind <kind>', 'graph database (default graphdb_a)', { field: 'wrapper_type' }),
        option('--cpu <cores>', '1 to 8 (default 2)', { field: 'cpu_cores' }),
        ...lifeOptions,
        option('--access <mode>', 'who gets in (default everyone)', { field: 'access.mode' }),
        usersOption('access.users'),
        option('-w, --wait', 'show the progress until it runs'),
      ],
      fixed: { wrapper_type: 'graphdb_a' },
      examples: ['instances create --mapping "Money flows" --ttl 8h --wait'],
      show: ({ data }, { session, input }) =>
        input.flag('wait')
          ? waitAndShow(session, data.id)
          : {
              data,
              text: `Instance ${data.id} "${data.name}" is on its way.`,
              note: `Wait for it: rowgraph instances wait ${data.id}`,
            },
    }),
    wait,
    command('deleteInstance', 'delete <instance>', 'End an instance, its graph and its pod', {
      question: (input) => `Delete instance ${input.argument(0)}?`,
      show: (_, { subject }) => ({
        data: { id: Number(subject), deleted: true },
        text: `Instance ${subject} is deleted.`,
      }),
    }),
    command('updateInstance', 'rename <instance> <name>', 'Give an instance another name', {
      arguments: ['id', 'name'],
      options: [option('--description <text>', 'and another description')],
      text: ({ id, name }) => `Instance ${id} is now "${name}".`,
    }),
    command(
      'updateInstanceLifecycle',
      'extend <instance>',
      'Let an instance live longer or shorter, counted from its creation',
      {
        options: lifeOptions,
        unchanged: 'Say how long: --ttl or --inactivity.',
        examples: ['instances extend 3 --ttl 2d'],
        text: ({ id, ttl, inactivity_timeout }) =>
          `Instance ${id} lives ${ttl ?? 'for ever'} from its creation, and ${inactivity_timeout} without use.`,
      },
    ),
    command('updateInstanceAccess', 'share <instance> <mode>', 'Choose who gets in: everyone, users or owner', {
      arguments: ['id', 'mode'],
      options: [usersOption('users')],
      examples: ['instances share 3 users --users ada,bob', 'instances share 3 owner'],
      text: ({ id, access }) => `Instance ${id} is open to ${accessText(access)}.`,
    }),
    command('updateInstanceCpu', 'cpu <instance> <cores>', 'Give a running instance other cores, 1 to 8', {
      arguments: ['id', 'cpu_cores'],
      text: ({ id, cpu_cores }) => `Instance ${id} has ${cpu_cores} cores.`,
    }),
    command(
      'updateInstanceMemory',
      'memory <instance> <gigabytes>',
      'Give a running instance more memory, up to 32 GB',
      { arguments: ['id', 'memory_gb'], text: ({ id, memory_gb }) => `Instance ${id} has ${memory_gb} GB of memory.` },
    ),
    command('listInstanceEvents', 'events <instance>', 'Changes of its size, newest first', {
      columns: { id: 'id', event: 'event_type', details: ({ details }) => detailText(details), at: 'created_at' },
    }),
    command('getUserInstanceStatus', 'limits', 'How many instances you have and may have', {
      text: ({ username, active_instances, instance_limit, instances_available }) =>
        `${username} has ${active_instances} of ${instance_limit} instances; ${instances_available} more are possible.`,
    }),
  ],
};
