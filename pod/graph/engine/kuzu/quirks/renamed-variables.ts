import { name } from '../../cypher/build';
import { asciiUpper } from '../../cypher/cypher-tokens';
import { withListedStars } from '../../cypher/listed-stars';
import { type Quirk } from '../../cypher/quirk';
import { type Query } from '../../cypher/tree';
import { changeClauses, changeVariables } from '../../cypher/walk';

/** Of names that differ in case only, all but the first become others. */
export const renamedVariables: Quirk = {
  id: 'kuzu-names-in-other-case',
  description: 'Names of a query that differ in case only are taken for one.',
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
    const listed = withListedStars(query, 'as introduced');
    const changed = changeVariables(listed, (text) => renamed.get(text) ?? text);
    return listed === query ? changed : withTitles(changed, new Map([...renamed].map(([from, to]) => [to, from])));
  },
};

/** The columns of a `*` keep the names that they had. */
const withTitles = (query: Query, titles: ReadonlyMap<string, string>): Query =>
  changeClauses(query, (clause) => {
    if (clause.kind !== 'return') return clause;
    const items = clause.items.map((item) => {
      const title = item.value.kind === 'variable' && item.alias === null ? titles.get(item.value.name) : undefined;
      return title === undefined ? item : { ...item, alias: name(title, item) };
    });
    return { ...clause, items };
  });
