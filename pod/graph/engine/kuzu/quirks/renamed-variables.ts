import { asciiUpper } from '../../cypher/cypher-tokens';
import { type Quirk } from '../../cypher/quirk';
import { changeVariables } from '../../cypher/walk';

/** Of names that differ only in case, all but the first are renamed. */
export const renamedVariables: Quirk = {
  id: 'kuzu-names-in-other-case',
  description: 'Names that differ in case only are one name.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N)-[:E]->(N:N) RETURN n.id, N.id AS other',
    right: [[1, 2]],
    wrong: [],
  },
  rewrite: (query, { newName }) => {
    const first = new Map<string, string>();
    const renamed = new Map<string, string>();
    changeVariables(query, (text) => {
      const same = first.get(asciiUpper(text)) ?? text;
      first.set(asciiUpper(text), same);
      if (same !== text && !renamed.has(text)) renamed.set(text, newName());
      return text;
    });
    if (renamed.size === 0) return query;
    return changeVariables(query, (text) => renamed.get(text) ?? text);
  },
};
