import { name, projection, variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type ProjectionClause } from '../../cypher/tree';
import { changeClauseLists, changeExpressions, clausesIn } from '../../cypher/walk';

/**
 * A condition is tested as soon as its names have values, also before the rows are cut. So an additional WITH sets the
 * names.
 */
export const limitedRows: Quirk = {
  id: 'falkordb-limited-rows',
  description: 'A condition after SKIP or LIMIT is evaluated before the rows are limited.',
  shown: {
    query:
      'UNWIND [1, 2, 3] AS x WITH x ORDER BY x LIMIT 2 MATCH (n) WHERE x > 1 RETURN x UNION ALL UNWIND [1, 2, 3] AS x WITH x ORDER BY x LIMIT 2 WHERE x > 1 RETURN x',
    graph: 'CREATE (:N {id: 1})',
    right: [[2], [2]],
    wrong: [[2], [3], [2], [3]],
  },
  rewrite: (query, { newName }) => {
    if (![...clausesIn(query)].some(isLimited)) return query;
    return changeClauseLists(query, (clauses) =>
      clauses.flatMap((clause, at) =>
        isLimited(clause) && (clause.where !== null || hasCondition(clauses.slice(at + 1)))
          ? inTwo(clause, newName)
          : [clause],
      ),
    );
  },
};

const isLimited = (clause: Clause): clause is ProjectionClause =>
  clause.kind === 'with' && (clause.skip !== null || clause.limit !== null);

const hasCondition = (clauses: readonly Clause[]): boolean =>
  clauses.some((clause) => clause.kind !== 'unwind' && clause.kind !== 'return');

const inTwo = (clause: ProjectionClause, newName: () => string): readonly Clause[] => {
  const renamed = new Map<string, string>();
  const items = clause.items.map((item) => {
    const own = newName();
    renamed.set(item.alias?.text ?? (item.value.kind === 'variable' ? item.value.name : own), own);
    return { ...item, alias: name(own, item) };
  });
  const orderBy = changeExpressions(clause.orderBy, (value) => {
    const own = value.kind === 'variable' ? renamed.get(value.name) : undefined;
    return own === undefined ? value : variable(own, value);
  });
  const again = [...renamed].map(([text, own]) => [variable(own, clause), text] as const);
  return [
    { ...clause, items, orderBy, where: null },
    { ...projection('with', again, clause), where: clause.where },
  ];
};
