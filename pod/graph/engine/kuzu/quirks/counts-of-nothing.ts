import { allNames, list, projection, property, unwind, variable } from '../../cypher/build';
import { make } from '../../cypher/template';
import { type Quirk } from '../../cypher/quirk';
import { type Scope, scopesOf } from '../../cypher/scopes';
import { shape } from '../../cypher/shape';
import { namesOfPaths } from '../../cypher/steps';
import { type Clause, type Expression } from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { inferredTypes } from '../../cypher/value-types';
import { changeClauseLists, changeExpressions, replaceOutermost, variablesIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

/** Reading a property of the node keeps the row. */
export const countsOfNothing: Quirk = {
  id: 'kuzu-counts-of-nothing',
  description: 'COUNT { … } omits the nodes whose count is 0 if the query reads none of their properties.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) WITH COUNT { MATCH (n)-[:E]->() } AS c RETURN c ORDER BY c',
    right: [[0], [1]],
    wrong: [[1]],
  },
  rewrite: (query, { schema, newName }) => {
    const { before } = inferredTypes(query, schema);
    const counted = changeExpressions(query, (value, original) => {
      if (value.kind !== 'subquery' || value.word !== 'COUNT' || original.kind !== 'subquery') return value;
      const matches = original.query.parts.flatMap(([first]) => (first?.kind === 'match' ? [first] : []));
      const names = new Set(namesOfPaths(matches.flatMap(({ paths }) => paths)));
      return matches
        .slice(0, 1)
        .flatMap((match) => [...(before.get(match) ?? [])])
        .filter(([name, { kind }]) => names.has(name) && /^(node|unknown)$/.test(kind))
        .reduce<Expression>((count, [name, type]) => withProperty(count, name, keyOf(type, schema)), value);
    });
    const scopes = scopesOf(counted).before;
    return changeClauseLists(counted, (clauses) =>
      clauses.flatMap((clause) => countedBefore(clause, scopes.get(clause), newName)),
    );
  },
};

/** Cured together with them: an element of an UNWIND is not computed again. */
export const countsInExpressions: Quirk = {
  id: 'kuzu-counts-in-expressions',
  description:
    "An expression of COUNT { … } repeats rows in later clauses if the subquery's WHERE uses an outer variable.",
  shown: {
    graph:
      'CREATE (:N {id: 1, size: 3})-[:E]->(:M {id: 1}), (:N {id: 2, size: 3}), (n:N {id: 3, size: 4})-[:E]->(:M {id: 2}), (n)-[:E]->(:M {id: 3})',
    query: 'MATCH (n:N) RETURN COUNT { MATCH (n)-[:E]->(m) WHERE m.id < n.size } + 1 AS c, n.size ORDER BY c',
    right: [
      [1, 3],
      [2, 3],
      [3, 4],
    ],
    wrong: [
      [1, 3],
      [2, 3],
      [3, 4],
      [3, 4],
    ],
  },
};

const countedBefore = (clause: Clause, scope: Scope | undefined, newName: () => string): readonly Clause[] => {
  if ((clause.kind !== 'with' && clause.kind !== 'return') || scope === undefined) return [clause];
  const added: Clause[] = [];
  const names = new Map<string, string>();
  const changed = replaceOutermost({ ...clause, where: null }, (value, locals) => {
    if (value.kind !== 'subquery' || value.word !== 'COUNT' || locals.length > 0) return null;
    if (![...variablesIn(value.query)].some((text) => scope.has(text))) return null;
    const called = names.get(shape(value)) ?? newName();
    if (!names.has(shape(value))) {
      const count = newName();
      const named = projection('with', [[value, count]], clause);
      added.push({ ...named, items: [allNames(clause), ...named.items] });
      added.push(unwind(list([variable(count, clause)], clause), called, clause));
      names.set(shape(value), called);
    }
    return variable(called, value);
  });
  return added.length === 0 ? [clause] : [...added, { ...changed, where: clause.where }];
};

/** The name of a property that nodes of a type can have. */
const keyOf = (type: ValueType, { nodeTables }: GraphSchema): string | undefined =>
  nodeTables.find(({ label }) => type.kind !== 'node' || type.tables.includes(label))?.primaryKey.name;

const withProperty = (count: Expression, node: string, key: string | undefined): Expression => {
  if (key === undefined) return count;
  return make('_1 + CASE WHEN _2 IS NULL THEN 0 ELSE 0 END', count, count, property(variable(node, count), key));
};
