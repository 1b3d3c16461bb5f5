import { combinesRows } from '../../cypher/aggregates';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Expression, type ProjectionItem } from '../../cypher/tree';
import { valueTypes } from '../../cypher/value-types';
import { changeClauses, changeExpressions, clausesIn } from '../../cypher/walk';

/** Whether a value is a key, which may also have another name, or an id. */
const mayBeKey = (value: Expression): boolean =>
  /^(property|variable)$/.test(value.kind) || (value.kind === 'call' && /^id$/i.test(value.name));

/** The same value, which the engine does not take for a property. */
const computedAgain = (value: Expression): Expression => make('coalesce(_1, null)', value, value);

/** The engine compares the rows by the key only, as if all came from the first part. */
export const keysInUnions: Quirk = {
  id: 'kuzu-keys-in-unions',
  description: 'UNION loses rows if its first part returns the key and other properties of a node.',
  shown: {
    graph: 'CREATE (:N {id: 1, size: 2})',
    query: 'MATCH (n:N) RETURN n.id AS a, n.size AS b UNION MATCH (n:N) RETURN n.id AS a, n.size + 1 AS b',
    right: [
      [1, 2],
      [1, 3],
    ],
    wrong: [[1, 2]],
  },
  rewrite: (query, { schema }) => {
    const [first = [], ...others] = query.parts;
    const last = first.at(-1);
    if (!query.unions.includes('UNION') || last?.kind !== 'return' || last.items.length < 2) return query;
    const typeOf = valueTypes(query, schema);
    const computed = (item: ProjectionItem): ProjectionItem => {
      const { value } = item;
      if (!mayBeKey(value) || /^(node|relationship|path)$/.test(typeOf(value).kind)) return item;
      return { ...item, value: computedAgain(value) };
    };
    return { ...query, parts: [[...first.slice(0, -1), { ...last, items: last.items.map(computed) }], ...others] };
  },
};

/** The engine compares nodes of all labels by their key only. */
export const keysOfSeveralLabels: Quirk = {
  id: 'kuzu-keys-of-several-labels',
  description: 'DISTINCT and grouping treat nodes of different labels as equal if their keys are equal.',
  shown: {
    graph: 'CREATE (:N {id: 1, size: 2}), (:M {id: 1, size: 3})',
    query: 'MATCH (n) RETURN DISTINCT n.id, n.size ORDER BY n.size',
    right: [
      [1, 2],
      [1, 3],
    ],
    wrong: [[1, 2]],
  },
  rewrite: (query, { schema }) => {
    const isCombined = [...clausesIn(query)].some(
      (clause) => (clause.kind === 'with' || clause.kind === 'return') && combinesRows(clause),
    );
    if (!isCombined) return query;
    const typeOf = valueTypes(query, schema);
    const keys = new Set(schema.nodeTables.map(({ primaryKey }) => primaryKey.name));
    return changeClauses(query, (clause) => {
      if (clause.kind !== 'with' && clause.kind !== 'return') return clause;
      const [items, orderBy] = changeExpressions([clause.items, clause.orderBy] as const, (value, original) => {
        if (original.kind !== 'property' || !keys.has(original.name.text)) return value;
        const type = typeOf(original.of);
        return type.kind === 'node' && type.tables.length === 1 ? value : computedAgain(value);
      });
      return { ...clause, items, orderBy };
    });
  },
};
