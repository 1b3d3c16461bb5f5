import { literal } from '../../cypher/build';
import { isKnown, mayHaveNull, refuseListsWithNull } from '../../cypher/lists-with-null';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Binary, type Expression, type Query } from '../../cypher/tree';
import { changeExpressions, clausesIn, variablesIn } from '../../cypher/walk';

/** Also for values that may be null: the engine compares with the previous value in memory in place of the null. */
export const nullInLists: Quirk = {
  id: 'kuzu-null-in-lists',
  description: 'x IN a list with null returns false, or even true, instead of null.',
  shown: { query: 'RETURN 3 IN [1, null]', right: [[null]], wrong: [[false]] },
  rewrite: (query) => {
    const named = listsWithNull(query);
    return changeExpressions(query, (value) =>
      value.kind === 'binary' && value.operator === 'IN' ? oneOf(value, named) : value,
    );
  },
};

/** The names that a WITH gives to lists that may have null. */
const listsWithNull = (query: Query): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const clause of clausesIn(query)) {
    if (clause.kind !== 'with') continue;
    for (const { value, alias } of clause.items) {
      const isOne = mayHaveNull(value) || [...variablesIn(value)].some((name) => names.has(name));
      if (isOne && alias !== null) names.add(alias.text);
    }
  }
  return names;
};

const oneOf = (value: Binary, named: ReadonlySet<string>): Expression => {
  const { left: x, right: list } = value;
  if (list.kind === 'literal' && list.value === null) return list;
  if (list.kind !== 'list') return ofComputed(value, named);
  if (list.items.length === 0) return literal(false, value);
  const constants = list.items.filter(isKnown);
  const found = constants.length > 0 ? { ...value, right: { ...list, items: constants } } : null;
  return (
    list.items
      .filter((item) => !isKnown(item))
      .reduce<Expression | null>(
        (before, element) =>
          before === null ? make('_1 = _2', value, x, element) : make('_3 OR _1 = _2', value, x, element, before),
        found,
      ) ?? value
  );
};

/** A property is a list without nulls in most graphs. */
const ofComputed = (value: Binary, named: ReadonlySet<string>): Expression => {
  if (!mayHaveNull(value.right) && ![...variablesIn(value.right)].some((name) => named.has(name))) return value;
  throw new QueryFault(
    'x IN a computed list that may have null is possible for some thousand rows: write the values after IN.',
    value.start,
  );
};

/** Literals; a parameter without items is written as one. */
const NOT_EMPTY: ReadonlySet<Expression['kind']> = new Set(['list', 'literal', 'parameter'] as const);

export const nullInEmptyLists: Quirk = {
  id: 'kuzu-null-in-empty-lists',
  description: 'null IN an empty list is null instead of false.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) WHERE n.id > 2 WITH collect(n.id) AS list MATCH (n:N) RETURN nullif(n.id, n.id) IN list',
    right: [[false], [false]],
    wrong: [[null], [null]],
  },
  rewrite: (query) =>
    changeExpressions(query, (value) => {
      if (value.kind !== 'binary' || value.operator !== 'IN' || isKnown(value.left)) return value;
      const { left: x, right: list } = value;
      return NOT_EMPTY.has(list.kind) ? value : make('_1 IN _2 AND size(_2) > 0', value, x, list);
    }),
};

export const nullInEqualLists: Quirk = {
  id: 'kuzu-null-in-equal-lists',
  description: 'Lists with null at the same position are equal.',
  shown: { query: 'RETURN [1, null] = [1, null]', right: [[null]], wrong: [[true]] },
  rewrite: refuseListsWithNull,
};
