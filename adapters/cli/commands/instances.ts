import { isLeft, left } from 'fp-ts/Either';
import { type ActionGroup, present } from '../action';
import { answered } from '../answered';
import { confirm, yesOption } from '../confirm';
import { lifeOf, lifeOptions } from '../duration-option';
import { wrongUsage } from '../failure';
import { create, wait } from './instance-creation';
import { instanceViews } from './instance-views';
import { onInstance } from './on-instance';

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

const { list, show, events, limits } = instanceViews;

export const instanceCommands: ActionGroup = {
  name: 'instances',
  summary: 'Graph databases loaded from a mapping',
  actions: [list, show, create, wait, remove, rename, extend, cpu, memory, events, limits],
};
