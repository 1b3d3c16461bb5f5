import { isLeft, left } from 'fp-ts/Either';
import { publicEndpoints } from '../../http/public/public-endpoints';
import { type Action, type ActionGroup, present } from '../action';
import { answered } from '../answered';
import { confirm, yesOption } from '../confirm';
import { lifeOf, lifeOptions } from '../duration-option';
import { wrongUsage } from '../failure';
import { findMapping } from '../find-one';
import { readBody } from '../read-body';
import { mappingViews } from './mapping-views';

const fileOption = {
  flags: '-f, --file <path>',
  description: 'JSON or YAML with the definitions; - is the standard input',
};

const create: Action = {
  usage: 'create',
  summary: 'Create a mapping from a file',
  options: [fileOption, { flags: '--name <name>', description: 'instead of the name in the file' }, ...lifeOptions],
  examples: [
    'mappings create -f money.yaml',
    'mappings show 1 --as-file | rowgraph mappings create -f - --name "My own"',
  ],
  run: async ({ api, terminal }, given) => {
    if (given.text('file') === undefined) {
      return left(wrongUsage('Name the file with the definitions: -f <file>, or -f - for the standard input.'));
    }
    const life = lifeOf(given);
    if (isLeft(life)) return life;
    const extra = { ...present('name', given.text('name')), ...life.right };
    const body = await readBody(publicEndpoints.createMapping, given, terminal, extra);
    if (isLeft(body)) return body;
    return answered(api.createMapping({ body: body.right }), ({ data }) => ({
      data,
      text: `Mapping ${data.id} "${data.name}" is there, in version ${data.current_version}.`,
      note: `Make a graph of it: rowgraph instances create --mapping ${data.id} --wait`,
    }));
  },
};

const update: Action = {
  usage: 'update <mapping>',
  summary: 'Give the definitions a new version, or change name and description',
  options: [
    fileOption,
    { flags: '--change <text>', description: 'what changes, needed with new definitions' },
    { flags: '--name <name>', description: 'new name' },
    { flags: '--description <text>', description: 'new description' },
  ],
  run: async (session, given) => {
    const id = await findMapping(session, given.argument(0));
    if (isLeft(id)) return id;
    const extra = {
      ...present('name', given.text('name')),
      ...present('description', given.text('description')),
      ...present('change_description', given.text('change')),
    };
    if (given.text('file') === undefined && Object.keys(extra).length === 0) {
      return left(wrongUsage('Say what to change: -f <file> --change <text>, --name or --description.'));
    }
    const body = await readBody(publicEndpoints.updateMapping, given, session.terminal, extra);
    if (isLeft(body)) return body;
    return answered(session.api.updateMapping({ params: { id: id.right }, body: body.right }), ({ data }) => ({
      data,
      text: `Mapping ${data.id} is now in version ${data.current_version}.`,
    }));
  },
};

const copy: Action = {
  usage: 'copy <mapping> <name>',
  summary: 'Make a mapping of your own from the current version of another',
  run: async (session, given) => {
    const id = await findMapping(session, given.argument(0));
    if (isLeft(id)) return id;
    const input = { params: { id: id.right }, body: { name: given.argument(1) } };
    return answered(session.api.copyMapping(input), ({ data }) => ({
      data,
      text: `Mapping ${data.id} "${data.name}" is a copy of mapping ${id.right}.`,
    }));
  },
};

const remove: Action = {
  usage: 'delete <mapping>',
  summary: 'Delete a mapping that has no snapshots',
  options: [yesOption],
  run: async (session, given) => {
    const id = await findMapping(session, given.argument(0));
    if (isLeft(id)) return id;
    const sure = await confirm(session.terminal, given, `Delete mapping ${given.argument(0)} with all its versions?`);
    if (isLeft(sure)) return sure;
    return answered(session.api.deleteMapping({ params: { id: id.right } }), ({ data }) => ({
      data,
      text: `Mapping ${id.right} is deleted.`,
    }));
  },
};

const lifecycle: Action = {
  usage: 'lifecycle <mapping>',
  summary: 'Set how long a mapping lives',
  options: lifeOptions,
  run: async (session, given) => {
    const life = lifeOf(given);
    if (isLeft(life)) return life;
    const id = await findMapping(session, given.argument(0));
    if (isLeft(id)) return id;
    return answered(session.api.setMappingLifecycle({ params: { id: id.right }, body: life.right }), ({ data }) => ({
      data,
      text: `Mapping ${data.id} lives ${data.ttl ?? 'for ever'}, and ${data.inactivity_timeout} without use.`,
    }));
  },
};

const { list, show, versions, diff, tree, instances, snapshots } = mappingViews;

export const mappingCommands: ActionGroup = {
  name: 'mappings',
  summary: 'What of your tables becomes nodes and edges',
  actions: [list, show, create, update, copy, remove, lifecycle, versions, diff, tree, instances, snapshots],
};
