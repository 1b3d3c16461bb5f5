import { isLeft, right } from 'fp-ts/Either';
import { type Action, type Given, pageOptions, pageQuery, present } from '../action';
import { answered } from '../answered';
import { type Session } from '../connection';
import { findMapping } from '../find-one';
import { listOutput, type Output, tableOf } from '../output';
import { listOptions, listQuery } from '../resource-list';
import { diffLines } from './mapping-diff';
import { treeLines } from './mapping-tree';

const list: Action = {
  usage: 'list',
  summary: 'List mappings, newest first',
  options: listOptions(['name', 'created_at', 'current_version']),
  run: async ({ api }, given) => {
    const common = await listQuery(api, given);
    if (isLeft(common)) return common;
    const query = { ...common.right, ...present('sort_by', sortOf(given)) };
    return answered(api.listMappings({ query }), (answer) =>
      listOutput(answer, [
        ['id', ({ id }) => id],
        ['name', ({ name }) => name],
        ['owner', ({ owner_username }) => owner_username],
        ['version', ({ current_version }) => current_version],
        ['snapshots', ({ snapshot_count }) => snapshot_count],
        ['created', ({ created_at }) => created_at],
      ]),
    );
  },
};

const SORT_ORDERS = ['name', 'created_at', 'current_version'] as const;
const sortOf = (given: Given) => SORT_ORDERS.find((name) => name === given.text('sort'));

const show: Action = {
  usage: 'show <mapping>',
  summary: 'One mapping with its definitions',
  options: [
    { flags: '--as-of <version>', description: 'an earlier version', kind: 'integer' },
    { flags: '--as-file', description: 'as JSON that create and update take' },
  ],
  examples: ['mappings show "Money flows" --as-file > money.json'],
  run: async (session, given) => {
    const { api } = session;
    const id = await findMapping(session, given.argument(0));
    if (isLeft(id)) return id;
    const version = given.integer('as-of');
    const mapping = await answered(api.getMapping({ params: { id: id.right } }), ({ data }) => data);
    if (isLeft(mapping)) return mapping;
    const shown =
      version === undefined
        ? right(mapping.right.version)
        : await answered(api.getMappingVersion({ params: { id: id.right, v: version } }), ({ data }) => data);
    if (isLeft(shown)) return shown;
    const { name, description } = mapping.right;
    const { node_definitions, edge_definitions } = shown.right;
    if (given.flag('as-file')) {
      const body = { name, description, node_definitions, edge_definitions };
      return right({ data: body, text: JSON.stringify(body, null, 2) });
    }
    return right({
      data: version === undefined ? mapping.right : shown.right,
      record: [
        ['id', mapping.right.id],
        ['name', name],
        ['description', description],
        ['owner', mapping.right.owner_username],
        ['version', `${shown.right.version} of ${mapping.right.current_version}`],
        ['change', shown.right.change_description],
        ['created', shown.right.created_at],
        ['lives', mapping.right.ttl ?? 'for ever'],
        ['inactivity', mapping.right.inactivity_timeout],
      ],
      sections: [
        {
          title: 'Nodes',
          table: tableOf(node_definitions, [
            ['label', ({ label }) => label],
            ['key', ({ primary_key }) => `${primary_key.name} ${primary_key.type}`],
            ['properties', ({ properties }) => typed(properties)],
            ['sql', ({ sql }) => sql],
          ]),
        },
        {
          title: 'Edges',
          table: tableOf(edge_definitions, [
            ['type', ({ type }) => type],
            ['from', ({ from_node, from_key }) => `${from_node} by ${from_key}`],
            ['to', ({ to_node, to_key }) => `${to_node} by ${to_key}`],
            ['properties', ({ properties }) => typed(properties)],
            ['sql', ({ sql }) => sql],
          ]),
        },
      ],
    });
  },
};

const typed = (properties: readonly { readonly name: string; readonly type: string }[]): string =>
  properties.map(({ name, type }) => `${name} ${type}`).join(', ');

/** A command that shows something of one mapping. */
const ofMapping = (
  usage: string,
  summary: string,
  read: (session: Session, id: number, given: Given) => ReturnType<typeof answered<unknown, Output>>,
): Action => ({
  usage,
  summary,
  options: usage.includes('diff') || usage.includes('tree') ? [] : pageOptions,
  run: async (session, given) => {
    const id = await findMapping(session, given.argument(0));
    return isLeft(id) ? id : read(session, id.right, given);
  },
});

const versions = ofMapping('versions <mapping>', 'List the versions, newest first', ({ api }, id, given) =>
  answered(api.listMappingVersions({ params: { id }, query: pageQuery(given) }), (answer) =>
    listOutput(answer, [
      ['version', ({ version }) => version],
      ['change', ({ change_description }) => change_description],
      ['by', ({ created_by_name }) => created_by_name],
      ['created', ({ created_at }) => created_at],
    ]),
  ),
);

const diff = ofMapping('diff <mapping> <from> <to>', 'What changed from one version to another', ({ api }, id, given) =>
  answered(api.diffMappingVersions({ params: { id, v1: given.argument(1), v2: given.argument(2) } }), ({ data }) => ({
    data,
    text: diffLines(data).join('\n'),
  })),
);

const tree = ofMapping('tree <mapping>', 'The versions with their snapshots and instances', ({ api }, id) =>
  answered(api.getMappingTree({ params: { id } }), ({ data }) => ({ data, text: treeLines(data).join('\n') })),
);

const instances = ofMapping('instances <mapping>', 'List the instances of all versions', ({ api }, id, given) =>
  answered(api.listMappingInstances({ params: { id }, query: pageQuery(given) }), (answer) =>
    listOutput(answer, [
      ['id', (instance) => instance.id],
      ['name', ({ name }) => name],
      ['owner', ({ owner_username }) => owner_username],
      ['kind', ({ wrapper_type }) => wrapper_type],
      ['status', ({ status }) => status],
      ['snapshot', ({ snapshot_id }) => snapshot_id],
    ]),
  ),
);

const snapshots = ofMapping('snapshots <mapping>', 'List the snapshots of all versions', ({ api }, id, given) =>
  answered(api.listMappingSnapshots({ params: { id }, query: pageQuery(given) }), (answer) =>
    listOutput(answer, [
      ['id', (snapshot) => snapshot.id],
      ['version', ({ mapping_version }) => mapping_version],
      ['status', ({ status }) => status],
      ['bytes', ({ size_bytes }) => size_bytes],
      ['instances', ({ instance_count }) => instance_count],
      ['created', ({ created_at }) => created_at],
    ]),
  ),
);

/** Commands that only look at mappings. */
export const mappingViews = { list, show, versions, diff, tree, instances, snapshots };
