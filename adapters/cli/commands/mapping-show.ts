import { isLeft, right } from 'fp-ts/Either';
import { command } from '../command';
import { answered } from '../failure';
import { recordOf, sectionOf } from '../output';

export const showMapping = command('getMapping', 'show <mapping>', 'Show a mapping with its definitions', {
  options: [
    { flags: '--as-of <version>', description: 'version (default: the current)', kind: 'integer' },
    { flags: '--as-file', description: 'print YAML for create and update' },
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
