import { property, variable } from '../../cypher/build';
import { make } from '../../cypher/template';
import { type Quirk } from '../../cypher/quirk';
import { namesOfPaths } from '../../cypher/steps';
import { type Expression } from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { inferredTypes } from '../../cypher/value-types';
import { changeExpressions } from '../../cypher/walk';
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
    const { before } = inferredTypes(query, schema);
    return changeExpressions(query, (value, original) => {
      if (value.kind !== 'subquery' || value.word !== 'COUNT' || original.kind !== 'subquery') return value;
      const matches = original.query.parts.flatMap(([first]) => (first?.kind === 'match' ? [first] : []));
      const names = new Set(namesOfPaths(matches.flatMap(({ paths }) => paths)));
      return matches
        .slice(0, 1)
        .flatMap((match) => [...(before.get(match) ?? [])])
        .filter(([name, { kind }]) => names.has(name) && /^(node|unknown)$/.test(kind))
        .reduce<Expression>((count, [name, type]) => withProperty(count, name, keyOf(type, schema)), value);
    });
  },
};

/** The name of a property that nodes of a type can have. */
const keyOf = (type: ValueType, { nodeTables }: GraphSchema): string | undefined =>
  nodeTables.find(({ label }) => type.kind !== 'node' || type.tables.includes(label))?.primaryKey.name;

const withProperty = (count: Expression, node: string, key: string | undefined): Expression => {
  if (key === undefined) return count;
  return make('_1 + CASE WHEN _2 IS NULL THEN 0 ELSE 0 END', count, count, property(variable(node, count), key));
};
