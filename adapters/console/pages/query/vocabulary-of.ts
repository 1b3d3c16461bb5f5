import { type useLanguage, type useSchema } from '../../api/queries';
import { type Vocabulary } from '../../language/cypher';

type Known<F extends (...input: never[]) => { readonly data: unknown }> = ReturnType<F>['data'];

/** The editor's proposals for a graph, from the answers of the instance so far. */
export const vocabularyOf = (schema: Known<typeof useSchema>, language: Known<typeof useLanguage>): Vocabulary => {
  const [nodes, edges] = [schema?.node_tables ?? [], schema?.edge_tables ?? []];
  const properties = [...nodes, ...edges].flatMap((table) => Object.keys(table.properties));
  return {
    labels: nodes.map(({ label }) => label),
    types: [...new Set(edges.map(({ type }) => type))],
    properties: [...new Set(properties)],
    ...(language ?? { functions: [], procedures: [], keywords: [] }),
  };
};
