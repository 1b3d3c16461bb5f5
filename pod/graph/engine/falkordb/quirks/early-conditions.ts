import { and, conditionsOf, list, variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Expression, type ProjectionClause } from '../../cypher/tree';
import { changeClauses, expressionsIn, localNames, variablesIn } from '../../cypher/walk';

/**
 * A condition after WITH that is false and the same for all rows ends the query: an aggregate after it does not return
 * a row. So such a condition becomes an item of a list that contains a name.
 */
export const constantConditions: Quirk = {
  id: 'falkordb-constant-conditions',
  description: 'An aggregate after WITH … WHERE returns no row if the condition is a constant that is false.',
  shown: {
    query: 'UNWIND [1] AS x WITH x WHERE $wanted = 1 RETURN count(*)',
    parameters: { wanted: 0 },
    right: [[0]],
    wrong: [],
  },
  rewrite: (query) =>
    changeClauses(query, (clause) => (clause.kind === 'with' && clause.where !== null ? dependent(clause) : clause)),
};

const dependent = (clause: ProjectionClause): ProjectionClause => {
  const conditions = conditionsOf(clause.where);
  const [name] = clause.items.flatMap(
    ({ value, alias }) => alias?.text ?? (value.kind === 'variable' ? value.name : []),
  );
  if (name === undefined || !conditions.some(isConstant)) return clause;
  return { ...clause, where: and(...conditions.map((value) => (isConstant(value) ? needing(value, [name]) : value))) };
};

const isConstant = (value: Expression): boolean =>
  ![...expressionsIn(value)].some(({ kind }) => kind === 'variable' || kind === 'pattern');

/**
 * The engine tests a condition as soon as its names have values, but overlooks those that occur only after `x IN list`,
 * and treats them as null. So such a condition becomes an item of a list that contains these names.
 */
export const overlookedNames: Quirk = {
  id: 'falkordb-overlooked-names',
  description:
    'A condition with any(…), a list comprehension or reduce is evaluated before the variables in it are bound.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})-[:E]->(:N {id: 3})',
    query: 'MATCH (n:N)-->(m) WHERE any(x IN [2] WHERE n.id = x) OR m.id = 2 RETURN n.id ORDER BY n.id',
    right: [[1], [2]],
    wrong: [[1]],
  },
  rewrite: (query) =>
    changeClauses(query, (clause) =>
      'where' in clause && clause.where !== null ? { ...clause, where: complete(clause.where) } : clause,
    ),
};

/** Operands of AND, OR, XOR and NOT get a list each, because patterns must stay there. */
const complete = (value: Expression): Expression => {
  if (value.kind === 'unary' && value.operator === 'NOT') return { ...value, of: complete(value.of) };
  if (value.kind === 'binary' && LOGIC.has(value.operator)) {
    return { ...value, left: complete(value.left), right: complete(value.right) };
  }
  const names = overlooked(value);
  return names.length === 0 ? value : needing(value, names);
};

const LOGIC = new Set<string>(['AND', 'OR', 'XOR']);

const overlooked = (value: Expression): readonly string[] => {
  const found = new Set<string>();
  const locals = new Set<string>();
  for (const inner of expressionsIn(value)) {
    if (!('list' in inner)) continue;
    for (const name of localNames(inner)) locals.add(name);
    for (const name of variablesIn({ ...inner, list: null })) found.add(name);
  }
  return [...found].filter((name) => !locals.has(name));
};

const needing = (value: Expression, names: readonly string[]): Expression => {
  const items = [value, ...names.map((name) => variable(name, value))];
  return make('_1[0]', value, list(items, value));
};
