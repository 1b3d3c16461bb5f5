import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Expression } from '../../cypher/tree';
import { changeClauseLists, changeExpressions } from '../../cypher/walk';

/** The number of rows is computed before the WITH, so that a condition on the result does not move into the join. */
export const existenceInWith: Quirk = {
  id: 'kuzu-existence-in-with',
  description:
    'A condition on a value with EXISTS { … } that WITH has named loses rows in which the subquery uses a null.',
  shown: {
    graph: "CREATE (:N {id: 1})-[:E]->(:N {id: 2}), (:N {id: 3, name: 'a'})-[:E]->(:N {id: 4, name: 'a'})",
    query:
      'MATCH (n:N) WITH n, [n.name] AS l WITH n, NOT EXISTS { MATCH (m:N)-[:E]->(n) WHERE m.name = list_extract(l, 1) } AS x WHERE x RETURN n.id ORDER BY n.id',
    right: [[1], [2], [3]],
    wrong: [[3]],
  },
  rewrite: (query) =>
    changeClauseLists(query, (clauses) =>
      clauses.map((clause) => {
        if (clause.kind !== 'with') return clause;
        const items = clause.items.map((item) =>
          item.value.kind === 'subquery' ? item : { ...item, value: withCounts(item.value) },
        );
        return { ...clause, items };
      }),
    ),
};

const withCounts = (whole: Expression): Expression =>
  changeExpressions(whole, (value) =>
    value.kind === 'subquery' && value.word === 'EXISTS' ? make('_1 > 0', value, { ...value, word: 'COUNT' }) : value,
  );
