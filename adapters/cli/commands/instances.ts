import { isLeft, left, right } from 'fp-ts/Either';
import { type Action, type ActionGroup, type Given, pageOptions, pageQuery, present } from '../action';
import { answered } from '../answered';
import { confirm, yesOption } from '../confirm';
import { type Session } from '../connection';
import { lifeOf, lifeOptions } from '../duration-option';
import { type CliFailure, wrongUsage } from '../failure';
import { findInstance, findMapping } from '../find-one';
import { listOutput, type Output } from '../output';
import { progressDisplay } from '../progress-display';
import { listOptions, listQuery } from '../resource-list';
import { untilRunning } from '../until-running';
import { type Either } from 'fp-ts/Either';

const STATUSES = ['waiting_for_snapshot', 'starting', 'running', 'stopping', 'failed'] as const;
const SORTABLE = ['name', 'created_at', 'status', 'last_activity_at', 'memory_usage_bytes'] as const;
const KINDS = ['graphdb_a', 'graphdb_b'] as const;

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

const showInstance = async ({ api }: Session, id: number): Promise<Either<CliFailure, Output>> =>
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

const create: Action = {
  usage: 'create',
  summary: 'Export a mapping and load it into a graph database of its own',
  options: [
    { flags: '-m, --mapping <mapping>', description: 'id or name' },
    { flags: '--as-of <version>', description: 'version of the mapping (default: the current one)', kind: 'integer' },
    { flags: '--name <name>', description: 'name of the instance (default: the mapping’s)' },
    { flags: '--description <text>', description: 'what it is for' },
    { flags: '--kind <kind>', description: 'graph database (default graphdb_a)', choices: KINDS },
    { flags: '--cpu <cores>', description: '1 to 8 (default 2)', kind: 'integer' },
    ...lifeOptions,
    { flags: '-w, --wait', description: 'show the progress until it runs' },
  ],
  examples: ['instances create --mapping "Money flows" --ttl 8h --wait'],
  run: async (session, given) => {
    const { api } = session;
    const named = given.text('mapping');
    if (named === undefined) return left(wrongUsage('Say what to make it of: --mapping <id or name>.'));
    const life = lifeOf(given);
    if (isLeft(life)) return life;
    const mapping = await findMapping(session, named);
    if (isLeft(mapping)) return mapping;
    const name = await nameFor(session, given, mapping.right);
    if (isLeft(name)) return name;
    const body = {
      mapping_id: mapping.right,
      name: name.right,
      wrapper_type: KINDS.find((kind) => kind === given.text('kind')) ?? KINDS[0],
      ...present('mapping_version', given.integer('as-of')),
      ...present('description', given.text('description')),
      ...present('cpu_cores', given.integer('cpu')),
      ...life.right,
    };
    const created = await answered(api.createInstance({ body }), ({ data }) => data);
    if (isLeft(created)) return created;
    const { id } = created.right;
    if (given.flag('wait')) return waitAndShow(session, id);
    return right({
      data: created.right,
      text: `Instance ${id} "${created.right.name}" is on its way.`,
      note: `Wait for it: rowgraph instances wait ${id}`,
    });
  },
};

const nameFor = async ({ api }: Session, given: Given, mappingId: number): Promise<Either<CliFailure, string>> => {
  const name = given.text('name');
  return name === undefined
    ? answered(api.getMapping({ params: { id: mappingId } }), ({ data }) => data.name)
    : right(name);
};

const waitAndShow = async (session: Session, id: number): Promise<Either<CliFailure, Output>> => {
  const { api, terminal } = session;
  // Progress is for whoever looks on; stdout belongs to the result.
  const display = progressDisplay(terminal.errors);
  const running = await untilRunning(api, id, display.show, terminal.interrupted());
  return isLeft(running) ? running : showInstance(session, id);
};

/** A command about one instance. */
const onInstance = (
  usage: string,
  summary: string,
  run: (session: Session, id: number, given: Given) => Promise<Either<CliFailure, Output>>,
  more: Pick<Action, 'options' | 'examples'> = {},
): Action => ({
  usage,
  summary,
  ...more,
  run: async (session, given) => {
    const id = await findInstance(session, given.argument(0));
    return isLeft(id) ? id : run(session, id.right, given);
  },
});

const show = onInstance('show <instance>', 'One instance', showInstance);

const wait = onInstance('wait <instance>', 'Show the progress of an instance until it runs', waitAndShow);

const remove = onInstance(
  'delete <instance>',
  'End an instance, its graph and its pod',
  async ({ api, terminal }, id, given) => {
    const sure = await confirm(terminal, given, `Delete instance ${given.argument(0)}?`);
    if (isLeft(sure)) return sure;
    return answered(api.deleteInstance({ params: { id } }), () => ({
      data: { id, deleted: true },
      text: `Instance ${id} is deleted.`,
    }));
  },
  { options: [yesOption] },
);

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

const rename = onInstance(
  'rename <instance> <name>',
  'Give an instance another name',
  ({ api }, id, given) =>
    answered(
      api.updateInstance({
        params: { id },
        body: { name: given.argument(1), ...present('description', given.text('description')) },
      }),
      ({ data }) => ({ data, text: `Instance ${id} is now "${data.name}".` }),
    ),
  { options: [{ flags: '--description <text>', description: 'and another description' }] },
);

const extend = onInstance(
  'extend <instance>',
  'Let an instance live longer or shorter, counted from its creation',
  async ({ api }, id, given) => {
    const life = lifeOf(given);
    if (isLeft(life)) return life;
    if (Object.keys(life.right).length === 0) return left(wrongUsage('Say how long: --ttl or --inactivity.'));
    return answered(api.updateInstanceLifecycle({ params: { id }, body: life.right }), ({ data }) => ({
      data,
      text: `Instance ${id} lives ${data.ttl ?? 'for ever'} from its creation, and ${data.inactivity_timeout} without use.`,
    }));
  },
  { options: lifeOptions, examples: ['instances extend 3 --ttl 2d'] },
);

const cpu = onInstance('cpu <instance> <cores>', 'Give a running instance other cores, 1 to 8', ({ api }, id, given) =>
  answered(api.updateInstanceCpu({ params: { id }, body: { cpu_cores: Number(given.argument(1)) } }), ({ data }) => ({
    data,
    text: `Instance ${id} has ${data.cpu_cores} cores.`,
  })),
);

const memory = onInstance(
  'memory <instance> <gigabytes>',
  'Give a running instance more memory, up to 32 GB',
  ({ api }, id, given) =>
    answered(
      api.updateInstanceMemory({ params: { id }, body: { memory_gb: Number(given.argument(1)) } }),
      ({ data }) => ({ data, text: `Instance ${id} has ${data.memory_gb} GB of memory.` }),
    ),
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

export const instanceCommands: ActionGroup = {
  name: 'instances',
  summary: 'Graph databases loaded from a mapping',
  actions: [list, show, create, wait, remove, rename, extend, cpu, memory, events, limits],
};
