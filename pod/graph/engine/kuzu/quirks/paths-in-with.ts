import { name } from '../../cypher/build';
import { withListedStars } from '../../cypher/listed-stars';
import { type Quirk } from '../../cypher/quirk';
import { changeClauses, pathsIn } from '../../cypher/walk';

export const pathsInWith: Quirk = {
  id: 'kuzu-paths-in-with',
  description: 'WITH of a path without AS is an error.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH p = (:N)-[:E]->(:N) WITH p RETURN length(p)',
    right: [[1]],
    wrong: 'error',
  },
  rewrite: (query) => {
    const paths = new Set(pathsIn(query).flatMap((path) => path.name?.text ?? []));
    if (paths.size === 0) return query;
    return changeClauses(withListedStars(query), (clause) => {
      if (clause.kind !== 'with') return clause;
      const items = clause.items.map((item) => {
        const { value, alias } = item;
        return alias === null && value.kind === 'variable' && paths.has(value.name)
          ? { ...item, alias: name(value.name, value) }
          : item;
      });
      return { ...clause, items };
    });
  },
};
