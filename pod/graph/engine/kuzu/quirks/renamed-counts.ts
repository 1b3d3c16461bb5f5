import { number } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type Expression, type ProjectionClause, type ProjectionItem } from '../../cypher/tree';
import { changeClauseLists } from '../../cypher/walk';

/**
 * The engine reads 1 for a `count(*)` that gets another name and is used once more in the same clause. As a sum it is not
 * just a name.
 */
export const renamedCounts: Quirk = {
  id: 'kuzu-renamed-counts',
  description: 'count(*) is 1 where a clause gives it another name and uses it once more.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) WITH count(*) AS k RETURN k AS x, k AS y',
    right: [[2, 2]],
    wrong: [[1, 1]],
  },
  rewrite: (query) => changeClauseLists(query, withSums),
};

const withSums = (clauses: readonly Clause[]): readonly Clause[] => {
  let counts: ReadonlySet<string> = new Set();
  return clauses.map((clause) => {
    if (clause.kind !== 'with' && clause.kind !== 'return') return clause;
    const before = counts;
    counts = countsAfter(clause, before);
    const items = clause.items.map((item) => (item.alias !== null && isCount(item, before) ? asSum(item) : item));
    return items.some((item, index) => item !== clause.items[index]) ? { ...clause, items } : clause;
  });
};

const countsAfter = ({ items }: ProjectionClause, before: ReadonlySet<string>): ReadonlySet<string> => {
  const named = items
    .filter((item) => isCount(item, before) || isCountOfRows(item.value))
    .flatMap(({ value, alias }) => alias?.text ?? (value.kind === 'variable' ? value.name : []));
  return new Set([...(items.some(({ value }) => value.kind === 'star') ? before : []), ...named]);
};

const isCount = ({ value }: ProjectionItem, counts: ReadonlySet<string>): boolean =>
  value.kind === 'variable' && counts.has(value.name);

const isCountOfRows = (value: Expression): boolean =>
  value.kind === 'call' && value.name.toUpperCase() === 'COUNT' && value.arguments[0]?.kind === 'star';

const asSum = (item: ProjectionItem): ProjectionItem => {
  const { start, end } = item;
  const value = { kind: 'binary', operator: '+', left: item.value, right: number('0', item), start, end } as const;
  return { ...item, value };
};
