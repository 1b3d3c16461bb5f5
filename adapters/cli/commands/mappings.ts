import { type ActionGroup } from '../action';
import { lifeOptions } from '../duration-option';
import { command } from '../command';
import { bodyFileOption, option } from '../request-options';
import { diffText } from './mapping-diff';
import { showMapping } from './mapping-show';
import { treeText } from './mapping-tree';

export const mappingCommands: ActionGroup = {
  name: 'mappings',
  summary: 'What of your tables becomes nodes and edges',
  actions: [
    command('listMappings', 'list', 'List mappings, newest first', {
      columns: {
        id: 'id',
        name: 'name',
        owner: 'owner_username',
        version: 'current_version',
        snapshots: 'snapshot_count',
        created: 'created_at',
      },
    }),
    showMapping,
    command('createMapping', 'create', 'Create a mapping from a file', {
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
    }),
    command('updateMapping', 'update <mapping>', 'Give the definitions a new version, or change name and description', {
      options: [
        bodyFileOption,
        option('--change <text>', 'what changes, needed with new definitions', { field: 'change_description' }),
        option('--name <name>', 'new name'),
        option('--description <text>', 'new description'),
      ],
      unchanged: 'Say what to change: -f <file> --change <text>, --name or --description.',
      text: ({ id, current_version }) => `Mapping ${id} is now in version ${current_version}.`,
    }),
    command('copyMapping', 'copy <mapping> <name>', 'Make a mapping of your own from the current version of another', {
      arguments: ['id', 'name'],
      text: ({ id, name }, original) => `Mapping ${id} "${name}" is a copy of mapping ${original}.`,
    }),
    command('deleteMapping', 'delete <mapping>', null, {
      question: (input) => `Delete mapping ${input.argument(0)} with all its versions?`,
      text: (_, id) => `Mapping ${id} is deleted.`,
    }),
    command('setMappingLifecycle', 'lifecycle <mapping>', 'Set how long a mapping lives', {
      options: lifeOptions,
      text: ({ id, ttl, inactivity_timeout }) =>
        `Mapping ${id} lives ${ttl ?? 'for ever'}, and ${inactivity_timeout} without use.`,
    }),
    command('listMappingVersions', 'versions <mapping>', 'List the versions, newest first', {
      columns: { version: 'version', change: 'change_description', by: 'created_by_name', created: 'created_at' },
    }),
    command('diffMappingVersions', 'diff <mapping> <from> <to>', 'What changed from one version to another', {
      text: diffText,
    }),
    command('getMappingTree', 'tree <mapping>', 'The versions with their snapshots and instances', { text: treeText }),
    command('listMappingInstances', 'instances <mapping>', 'List the instances of all versions', {
      columns: {
        id: 'id',
        name: 'name',
        owner: 'owner_username',
        kind: 'wrapper_type',
        status: 'status',
        snapshot: 'snapshot_id',
      },
    }),
    command('listMappingSnapshots', 'snapshots <mapping>', 'List the snapshots of all versions', {
      columns: {
        id: 'id',
        version: 'mapping_version',
        status: 'status',
        bytes: 'size_bytes',
        instances: 'instance_count',
        created: 'created_at',
      },
    }),
  ],
};
