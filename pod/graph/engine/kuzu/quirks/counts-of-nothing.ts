import { property, variable } from '../../cypher/build';
import { make } from '../../cypher/template';
import { type Quirk } from '../../cypher/quirk';
import { scopesOf } from '../../cypher/scopes';
import { type Expression, type MatchClause, type Query, type SubqueryExpression } from '../../cypher/tree';
import { changeExpressions, clausesIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

/** Reading a property of the node keeps the row. */
export const countsOfNothing: Quirk = {
  id: 'kuzu-counts-of-nothing',
  description: 'COUNT { … } loses the nodes for which it is 0 where the query reads no property of them.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) WITH COUNT { MATCH (n)-[:E]->() } AS c RETURN c ORDER BY c',
    right: [[0], [1]],
    wrong: [[1]],
  },
  rewrite: (query, { schema }) => {
    const { before } = scopesOf(query);
    return changeExpressions(query, (value, original) => {
      if (value.kind !== 'subquery' || value.word !== 'COUNT' || original.kind !== 'subquery') return value;
      const names = new Set(
        matchesIn(original).flatMap((match) =>
          match.paths.flatMap(({ nodes }) =>
            nodes.flatMap(({ name }) => (before.get(match)?.has(name?.text ?? '') === true ? [name?.text ?? ''] : [])),
          ),
        ),
      );
      return [...names].reduce<Expression>(
        (count, name) => withProperty(count, name, keyOf(name, query, schema)),
        value,
      );
    });
  },
};

const matchesIn = ({ query }: SubqueryExpression): readonly MatchClause[] =>
  query.parts.flatMap(([first]) => (first?.kind === 'match' ? [first] : []));

/** The name of a property that nodes of a name can have. */
const keyOf = (text: string, query: Query, { nodeTables }: GraphSchema): string | undefined => {
  const nodes = [...clausesIn(query)].flatMap((clause) =>
    clause.kind === 'match' ? clause.paths.flatMap((path) => path.nodes) : [],
  );
  const labels = nodes.filter(({ name }) => name?.text === text).flatMap((node) => node.labels?.names ?? []);
  const possible = nodeTables.filter(({ label }) => labels.length === 0 || labels.some((name) => name.text === label));
  return possible[0]?.primaryKey.name;
};

const withProperty = (count: Expression, node: string, key: string | undefined): Expression => {
  if (key === undefined) return count;
  return make('_1 + CASE WHEN _2 IS NULL THEN 0 ELSE 0 END', count, count, property(variable(node, count), key));
};
