import { type useSchema } from '../../api/queries';
import { type Vocabulary } from '../../language/cypher';

/** What the editor proposes for a graph; nothing until its schema is known. */
export const vocabularyOf = (schema: ReturnType<typeof useSchema>['data']): Vocabulary => {
  const [nodes, edges] = [schema?.node_tables ?? [], schema?.edge_tables ?? []];
  const properties = [...nodes, ...edges].flatMap((table) => Object.keys(table.properties));
  return {
    labels: nodes.map(({ label }) => label),
    types: [...new Set(edges.map(({ type }) => type))],
    properties: [...new Set(properties)],
  };
};
