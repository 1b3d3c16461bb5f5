import { isLeft, right } from 'fp-ts/Either';
import { counted } from '../../../domain/kernel/counted';
import { type ResultOf } from '../../client';
import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type ActionGroup } from '../action';
import { command } from '../command';
import { answered } from '../failure';
import { recordOf, sectionOf, sizeText } from '../output';
import { bodyFileOption, lifeOptions, lifetimeText, option } from '../request-options';
import { cellText } from '../result-table';
import { checkDefinitions, checkOption } from './check-definitions';

const showMapping = command('getMapping', 'show <mapping>', 'Show a mapping with its definitions', {
  options: [
    option('--as-of <version>', 'version (default: the current)', { kind: 'integer' }),
    option('--as-file', 'print YAML for create and update'),
  ],
  examples: ['mappings show "Money flows" --as-file > money.yaml'],
  show: async ({ data: mapping }, { input, session: { api } }) => {
    const v = input.integer('as-of');
    const shown =
      v === undefined
        ? right(mapping.version)
        : await answered(api.getMappingVersion({ params: { id: mapping.id, v } }), ({ data }) => data);
    if (isLeft(shown)) return shown;
    const { node_definitions, edge_definitions } = shown.right;
    if (input.flag('as-file')) {
      const body = {
        name: mapping.name,
        description: mapping.description,
        node_definitions: node_definitions.map(({ label, ...node }) => ({ label, ...node })),
        edge_definitions: edge_definitions.map(({ type, ...edge }) => ({ type, ...edge })),
      };
      const { stringify } = await import('yaml');
      return right({ data: body, text: stringify(body, { lineWidth: 0 }).trimEnd() });
    }
    const record = recordOf(shown.right, {
      id: () => mapping.id,
      name: () => mapping.name,
      description: () => mapping.description,
      owner: () => mapping.owner_username,
      version: ({ version }) => `${version} of ${mapping.current_version}`,
      change: 'change_description',
      created: 'created_at',
      lifetime: () => mapping.ttl ?? 'unlimited',
      inactivity: () => mapping.inactivity_timeout,
    });
    const nodes = sectionOf('Nodes', node_definitions, {
      label: 'label',
      key: ({ primary_key }) => typed([primary_key]),
      properties: ({ properties }) => typed(properties),
      sql: 'sql',
    });
    const edges = sectionOf('Edges', edge_definitions, {
      type: 'type',
      from: ({ from_node, from_key }) => `${from_node} by ${from_key}`,
      to: ({ to_node, to_key }) => `${to_node} by ${to_key}`,
      properties: ({ properties }) => typed(properties),
      sql: 'sql',
    });
    return right({ data: v === undefined ? mapping : shown.right, record, sections: [nodes, edges] });
  },
});

const typed = (properties: readonly { readonly name: string; readonly type: string }[]): string =>
  properties.map(({ name, type }) => `${name} ${type}`).join(', ');

type Diff = ResultOf<typeof publicEndpoints.diffMappingVersions>;

const SIGNS = { added: '+', removed: '-', modified: '~' } as const;

/** A line for each changed definition, followed by its old and new fields. */
const diffText = ({ mapping_id, from_version, to_version, changes }: Diff): string => {
  const nodes = changes.nodes.flatMap((change) => changeLines(`node ${change.label}`, change));
  const edges = changes.edges.flatMap((change) => changeLines(`edge ${change.type}`, change));
  const title = `Mapping ${mapping_id}, version ${from_version} to ${to_version}`;
  return nodes.length + edges.length === 0 ? `${title}: the same` : [title, ...nodes, ...edges].join('\n');
};

type Change = (Diff['changes']['nodes'] | Diff['changes']['edges'])[number];

const changeLines = (name: string, { change_type, fields_changed = [], from, to }: Change): readonly string[] => [
  `${SIGNS[change_type]} ${name}`,
  ...fields_changed.flatMap((field) => [
    `    - ${field}: ${fieldText(from, field)}`,
    `    + ${field}: ${fieldText(to, field)}`,
  ]),
];

const fieldText = (definition: object | null, field: string): string => {
  const value: unknown =
    definition === null ? undefined : Object.entries(definition).find(([key]) => key === field)?.[1];
  return Array.isArray(value) ? value.map((one) => cellText(one)).join(', ') : cellText(value);
};

type Tree = ResultOf<typeof publicEndpoints.getMappingTree>;

/** A mapping with its versions, their snapshots and instances, each level indented. */
const treeText = ({ id, name, owner_username, versions, totals }: Tree): string =>
  [
    `${id} ${name} (of ${owner_username})`,
    ...branches(versions, ({ version, change_description, snapshots }) => [
      `version ${version}${change_description === null ? '' : `: ${change_description}`}`,
      ...branches(snapshots, (snapshot) => [
        `snapshot ${snapshot.id} ${snapshot.status}`,
        ...branches(snapshot.instances, (instance) => [`instance ${instance.id} ${instance.name} ${instance.status}`]),
      ]),
    ]),
    `${counted(totals.version_count, 'version')}, ${counted(totals.snapshot_count, 'snapshot')}, ${counted(totals.instance_count, 'instance')}`,
  ].join('\n');

const branches = <T>(items: readonly T[], lines: (item: T) => readonly string[]): readonly string[] =>
  items.flatMap((item, index) => {
    const isLast = index === items.length - 1;
    return lines(item).map((line, row) => (row === 0 ? (isLast ? '└─ ' : '├─ ') : isLast ? '   ' : '│  ') + line);
  });

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
      question: (input) => `Delete mapping ${input.args.join(', ')} with all versions?`,
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
