import { conditionsOf, variable } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { scopesOf } from '../../cypher/scopes';
import { shape } from '../../cypher/shape';
import { namesOfPaths } from '../../cypher/steps';
import { type Clause, type Expression, type Query } from '../../cypher/tree';
import { expressionsIn, usedNamesIn } from '../../cypher/walk';
import { isFalseWith } from './outer-nulls';

/** For such a query the pod selects or sorts the rows. */
export const subqueriesOfNulls: Quirk = {
  id: 'kuzu-subqueries-of-nulls',
  description:
    'A subquery that uses a node that OPTIONAL MATCH left null uses the node of another row, if its value selects or sorts rows.',
  shown: {
    graph:
      'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2})-[:E]->(a), (b)-[:F]->(:K {id: 4}), (:N {id: 5}), (:N {id: 6})-[:F]->(:K {id: 3})',
    query:
      'MATCH (n:N) OPTIONAL MATCH (n)-[:E]->(m:N) WITH n, COUNT { MATCH (m)-[:F]->(:K) } AS x ORDER BY x, n.id LIMIT 2 RETURN n.id',
    right: [[2], [5]],
    wrong: [[2], [1]],
  },
  rewrite: (query) => {
    withNullable(query, refuseSubqueries);
    return query;
  },
};

/** Calls `check` for each clause, with the nodes and relationships that may be null before it. */
export const withNullable = (query: Query, check: (clause: Clause, nullable: ReadonlySet<string>) => void): void => {
  const { before, after } = scopesOf(query);
  for (const clauses of query.parts) {
    let nullable: ReadonlySet<string> = new Set();
    for (const clause of clauses) {
      const known = before.get(clause);
      const matched = [...(after.get(clause)?.keys() ?? [])].filter((name) => known?.has(name) !== true);
      check(clause, nullable);
      nullable = nullableAfter(clause, nullable, matched);
    }
  }
};

/** The names that may be null after a clause. */
const nullableAfter = (
  clause: Clause,
  nullable: ReadonlySet<string>,
  matched: readonly string[],
): ReadonlySet<string> => {
  if (clause.kind === 'match' && clause.optional) return new Set([...nullable, ...matched]);
  if (clause.kind !== 'with' && clause.kind !== 'return') return nullable;
  const kept = clause.items.flatMap(({ value, alias }) =>
    value.kind === 'variable' && nullable.has(value.name) ? [alias?.text ?? value.name] : [],
  );
  return new Set(clause.items.some(({ value }) => value.kind === 'star') ? [...nullable, ...kept] : kept);
};

const refuseSubqueries = (clause: Clause, nullable: ReadonlySet<string>): void => {
  if (clause.kind !== 'match' && clause.kind !== 'with' && clause.kind !== 'return') return;
  // The values of the last clause are right unless they are sorted.
  if (clause.kind === 'return' && clause.orderBy.length === 0 && !clause.distinct) return;
  const own = clause.kind === 'match' ? namesOfPaths(clause.paths) : [...nullableAfter(clause, nullable, [])];
  const names = clause.kind === 'match' ? [...nullable].filter((name) => !own.includes(name)) : [...nullable, ...own];
  const conditions = clause.kind === 'return' ? [] : conditionsOf(clause.where);
  const unsafe = names.filter((name) => !conditions.some((condition) => excludesNull(condition, name)));
  const found = [...expressionsIn(clause)].find(
    (value) =>
      /^(subquery|pattern|pattern_comprehension)$/.test(value.kind) &&
      unsafe.some((name) => usedNamesIn(value).has(name)),
  );
  if (found === undefined) return;
  throw new QueryFault(
    'A subquery of a node that may be null is possible here for some thousand rows: add WHERE … IS NOT NULL before it.',
    found.start,
  );
};

/** Whether a condition is never true if a name is null. */
const excludesNull = (condition: Expression, name: string): boolean => {
  if (condition.kind === 'null_test')
    return condition.negated && shape(condition.of) === shape(variable(name, condition));
  if (condition.kind === 'pattern') return namesOfPaths([condition.path]).includes(name);
  if (condition.kind !== 'subquery') return isFalseWith(condition, shape(variable(name, condition)));
  const [first] = condition.query.parts[0] ?? [];
  return condition.word === 'EXISTS' && first?.kind === 'match' && namesOfPaths(first.paths).includes(name);
};
