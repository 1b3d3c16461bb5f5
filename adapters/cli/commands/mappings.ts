import { type ActionGroup } from '../action';
import { lifeOptions } from '../duration-option';
import { endpointCommand } from '../endpoint-command';
import { bodyFileOption, option } from '../request-options';
import { diffText } from './mapping-diff';
import { showMapping } from './mapping-show';
import { treeText } from './mapping-tree';

const list = endpointCommand('listMappings', {
  usage: 'list',
  summary: 'List mappings, newest first',
  columns: {
    id: 'id',
    name: 'name',
    owner: 'owner_username',
    version: 'current_version',
    snapshots: 'snapshot_count',
    created: 'created_at',
  },
});

const create = endpointCommand('createMapping', {
  usage: 'create',
  summary: 'Create a mapping from a file',
  options: [
    {
      ...bodyFileOption,
      required: 'Name the file with the definitions: -f <file>, or -f - for the standard input.',
    },
    option('--name <name>', 'instead of the name in the file'),
    ...lifeOptions,
  ],
  examples: [
    'mappings create -f money.yaml',
    'mappings show 1 --as-file | rowgraph mappings create -f - --name "My own"',
  ],
  show: ({ data }) => ({
    data,
    text: `Mapping ${data.id} "${data.name}" is there, in version ${data.current_version}.`,
    note: `Make a graph of it: rowgraph instances create --mapping ${data.id} --wait`,
  }),
});

const update = endpointCommand('updateMapping', {
  usage: 'update <mapping>',
  summary: 'Give the definitions a new version, or change name and description',
  options: [
    bodyFileOption,
    option('--change <text>', 'what changes, needed with new definitions', { field: 'change_description' }),
    option('--name <name>', 'new name'),
    option('--description <text>', 'new description'),
  ],
  unchanged: 'Say what to change: -f <file> --change <text>, --name or --description.',
  text: ({ id, current_version }) => `Mapping ${id} is now in version ${current_version}.`,
});

const copy = endpointCommand('copyMapping', {
  usage: 'copy <mapping> <name>',
  summary: 'Make a mapping of your own from the current version of another',
  arguments: ['id', 'name'],
  text: ({ id, name }, original) => `Mapping ${id} "${name}" is a copy of mapping ${original}.`,
});

const remove = endpointCommand('deleteMapping', {
  usage: 'delete <mapping>',
  question: (input) => `Delete mapping ${input.argument(0)} with all its versions?`,
  text: (_, id) => `Mapping ${id} is deleted.`,
});

const lifecycle = endpointCommand('setMappingLifecycle', {
  usage: 'lifecycle <mapping>',
  summary: 'Set how long a mapping lives',
  options: lifeOptions,
  text: ({ id, ttl, inactivity_timeout }) =>
    `Mapping ${id} lives ${ttl ?? 'for ever'}, and ${inactivity_timeout} without use.`,
});

const versions = endpointCommand('listMappingVersions', {
  usage: 'versions <mapping>',
  summary: 'List the versions, newest first',
  columns: { version: 'version', change: 'change_description', by: 'created_by_name', created: 'created_at' },
});

const diff = endpointCommand('diffMappingVersions', {
  usage: 'diff <mapping> <from> <to>',
  summary: 'What changed from one version to another',
  text: diffText,
});

const tree = endpointCommand('getMappingTree', {
  usage: 'tree <mapping>',
  summary: 'The versions with their snapshots and instances',
  text: treeText,
});

const instances = endpointCommand('listMappingInstances', {
  usage: 'instances <mapping>',
  summary: 'List the instances of all versions',
  columns: {
    id: 'id',
    name: 'name',
    owner: 'owner_username',
    kind: 'wrapper_type',
    status: 'status',
    snapshot: 'snapshot_id',
  },
});

const snapshots = endpointCommand('listMappingSnapshots', {
  usage: 'snapshots <mapping>',
  summary: 'List the snapshots of all versions',
  columns: {
    id: 'id',
    version: 'mapping_version',
    status: 'status',
    bytes: 'size_bytes',
    instances: 'instance_count',
    created: 'created_at',
  },
});

export const mappingCommands: ActionGroup = {
  name: 'mappings',
  summary: 'What of your tables becomes nodes and edges',
  actions: [list, showMapping, create, update, copy, remove, lifecycle, versions, diff, tree, instances, snapshots],
};
