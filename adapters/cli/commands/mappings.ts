import { type ActionGroup } from '../action';
import { lifeOptions, lifetimeText } from '../duration-option';
import { command } from '../command';
import { sizeText } from '../output';
import { bodyFileOption, option } from '../request-options';
import { checkDefinitions, checkOption } from './check-definitions';
import { showMapping } from './mapping-show';
import { diffText, treeText } from './mapping-views';

export const mappingCommands: ActionGroup = {
  name: 'mappings',
  summary: 'Define which rows become nodes and edges',
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
        { ...bodyFileOption, required: '-f <file> is required: the definitions (-f - for the standard input).' },
        option('--name <name>', 'name (default: from the file)'),
        checkOption,
        ...lifeOptions,
      ],
      check: checkDefinitions,
      examples: [
        'mappings create -f money.yaml',
        'mappings show 1 --as-file | rowgraph mappings create -f - --name Own',
      ],
      show: ({ data }) => ({
        data,
        text: `Created mapping ${data.id} "${data.name}" (version ${data.current_version}).`,
        note: `Next: rowgraph instances create --mapping ${data.id} --wait`,
      }),
    }),
    command('updateMapping', 'update <mapping>', 'Change definitions (a new version), name or description', {
      options: [
        bodyFileOption,
        option('--change <text>', 'change note, required with -f', { field: 'change_description' }),
        checkOption,
        option('--name <name>', 'new name'),
        option('--description <text>', 'new description'),
      ],
      check: checkDefinitions,
      unchanged: 'One of these is required: -f <file> --change <text>, --name, --description.',
      text: ({ id, current_version }) => `Updated mapping ${id} (version ${current_version}).`,
    }),
    command('copyMapping', 'copy <mapping> <name>', 'Copy the current version to a new mapping', {
      arguments: ['id', 'name'],
      text: ({ id, name }, original) => `Created mapping ${id} "${name}", a copy of mapping ${original}.`,
    }),
    command('deleteMapping', 'delete <mapping...>', 'Delete mappings without snapshots', {
      question: (input) => `Delete mapping ${input.words.join(', ')} with all versions?`,
      text: (_, id) => `Deleted mapping ${id}.`,
    }),
    command('setMappingLifecycle', 'lifecycle <mapping>', 'Set the lifetime of a mapping', {
      options: lifeOptions,
      text: ({ id, ttl, inactivity_timeout: unused }) => lifetimeText('mapping', id, ttl, unused),
    }),
    command('listMappingVersions', 'versions <mapping>', 'List the versions, newest first', {
      columns: { version: 'version', change: 'change_description', by: 'created_by_name', created: 'created_at' },
    }),
    command('diffMappingVersions', 'diff <mapping> <from> <to>', 'Compare two versions', {
      text: diffText,
    }),
    command('getMappingTree', 'tree <mapping>', 'Show versions with their snapshots and instances', { text: treeText }),
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
        size: ({ size_bytes }) => sizeText(size_bytes),
        instances: 'instance_count',
        created: 'created_at',
      },
    }),
  ],
};
