/** People who know each other, the nodes and edges of `nodes/Person` and `edges/KNOWS`. */
export const peopleWhoKnow = {
  node_definitions: [
    { label: 'Person', primary_key: { name: 'id', type: 'INT64' }, properties: [{ name: 'name', type: 'STRING' }] },
  ],
  edge_definitions: [
    {
      type: 'KNOWS',
      from_node: 'Person',
      to_node: 'Person',
      from_key: 'a',
      to_key: 'b',
      properties: [{ name: 'since', type: 'INT64' }],
    },
  ],
} as const;
