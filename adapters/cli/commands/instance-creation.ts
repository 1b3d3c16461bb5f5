import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Action, type Given, present } from '../action';
import { answered } from '../answered';
import { type Session } from '../connection';
import { lifeOf, lifeOptions } from '../duration-option';
import { type CliFailure, wrongUsage } from '../failure';
import { findMapping } from '../find-one';
import { type Output } from '../output';
import { progressDisplay } from '../progress-display';
import { untilRunning } from '../until-running';
import { showInstance } from './instance-views';
import { onInstance } from './on-instance';

const KINDS = ['graphdb_a', 'graphdb_b'] as const;

export const create: Action = {
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

export const wait = onInstance('wait <instance>', 'Show the progress of an instance until it runs', waitAndShow);
