import { operandsOf } from '../../cypher/aggregates';
import { allNames, and, conditionsOf, list, projection, variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Scope, scopesOf } from '../../cypher/scopes';
import { shape } from '../../cypher/shape';
import { make } from '../../cypher/template';
import { type Clause, type Expression } from '../../cypher/tree';
import { type TypeOf, valueTypes } from '../../cypher/value-types';
import { changeExpressions, clausesIn, expressionsIn } from '../../cypher/walk';

/**
 * The engine joins by the values from outside, and nulls do not join. A list that contains a null joins, so each such
 * value is put into a list.
 */
export const outerNulls: Quirk = {
  id: 'kuzu-outer-nulls',
  description: 'The condition of an OPTIONAL MATCH or a subquery is false if it uses an outer value that is null.',
  shown: {
    graph: "CREATE (:N {id: 1})-[:E]->(:N {id: 2, name: 'b'})",
    query: 'MATCH (a:N {id: 1}) OPTIONAL MATCH (a)-[:E]->(b:N) WHERE a.name IS NULL RETURN b.id',
    right: [[2]],
    wrong: [[null]],
  },
  rewrite: (query, { schema, newName }) => {
    const typeOf = valueTypes(query, schema);
    const scopes = scopesOf(query);
    const counts = new Map<string, number>();
    const boxOf = ([key, value]: readonly [string, Expression]): readonly [string, Boxed] => {
      const copies = (counts.get(key) ?? 0) + 1;
      counts.set(key, copies);
      return [key, { list: list(Array<Expression>(copies).fill(value), value), called: newName() }];
    };
    const parts = query.parts.map((clauses) =>
      clauses.flatMap((clause): readonly Clause[] => {
        const before = scopes.before.get(clause) ?? new Map();
        const isOptional = clause.kind === 'match' && clause.optional;
        const scope = isOptional || clause.kind !== 'match' ? before : (scopes.after.get(clause) ?? before);
        const found = isOptional
          ? outerValues([clause], scope, typeOf, isFalseWith)
          : outerValues(subqueriesIn(clause), scope, typeOf, () => false);
        if (found.size === 0) return [clause];
        return inLists(clause, new Map([...found].map(boxOf)));
      }),
    );
    // Each cure adds a clause.
    return parts.flat().length > query.parts.flat().length ? { ...query, parts } : query;
  },
};

const subqueriesIn = (part: object): readonly Clause[] =>
  [...expressionsIn(part)].flatMap((value) => (value.kind === 'subquery' ? [...clausesIn(value.query)] : []));

/** The values from outside that may be null when a condition of some clauses is true, by their shapes. */
const outerValues = (
  clauses: readonly Clause[],
  scope: Scope,
  typeOf: TypeOf,
  isHarmless: typeof isFalseWith,
): ReadonlyMap<string, Expression> => {
  const found = new Map<string, Expression>();
  for (const clause of clauses) {
    if (clause.kind !== 'match' && clause.kind !== 'with') continue;
    for (const value of valuesIn(clause.where, scope, typeOf)) {
      if (clause.where !== null && !isHarmless(clause.where, shape(value))) found.set(shape(value), value);
    }
  }
  return found;
};

const valuesIn = (value: Expression | null, scope: Scope, typeOf: TypeOf): readonly Expression[] => {
  if (value === null) return [];
  const root = value.kind === 'property' ? value.of : value;
  if (root.kind !== 'variable') return operandsOf(value).flatMap((operand) => valuesIn(operand, scope, typeOf));
  const isEntity = /^(node|relationship|path)$/.test(typeOf(value).kind);
  return scope.has(root.name) && !isEntity ? [value] : [];
};

const STRICT = /^(IN|STARTS WITH|ENDS WITH|CONTAINS|=~|XOR|[-+*/%^])$/;

/** Whether an expression is null if a part of it is null. */
const isNullWith = (value: Expression, key: string): boolean => {
  if (shape(value) === key) return true;
  const operands = operandsOf(value).map((operand) => isNullWith(operand, key));
  if (value.kind === 'binary') {
    if (value.operator === 'IN')
      return operands[0] === true && value.right.kind === 'list' && value.right.items.length > 0;
    return STRICT.test(value.operator) ? operands.includes(true) : !operands.includes(false);
  }
  const isStrict = value.kind === 'comparison' ? value.rest.length === 1 : /^(property|unary|cast)$/.test(value.kind);
  return isStrict && operands.includes(true);
};

/** Whether a condition is never true if a part of it is null. */
export const isFalseWith = (condition: Expression, key: string): boolean => {
  if (condition.kind !== 'binary') return isNullWith(condition, key);
  const { operator, left, right } = condition;
  if (operator === 'AND') return isFalseWith(left, key) || isFalseWith(right, key);
  if (operator === 'OR') return isFalseWith(left, key) && isFalseWith(right, key);
  return operator === 'IN' ? isNullWith(left, key) : isNullWith(condition, key);
};

/** A value in a list. Equal lists in two clauses crash the engine, so a later one repeats the value. */
interface Boxed {
  readonly list: Expression;
  readonly called: string;
}

const inLists = (clause: Clause, boxed: ReadonlyMap<string, Boxed>): readonly Clause[] => {
  const lists = projection(
    'with',
    [...boxed.values()].map(({ list: value, called }) => [value, called]),
    clause,
  );
  const before = { ...lists, items: [allNames(clause), ...lists.items] };
  const fromLists = <P>(part: P): P =>
    changeExpressions(part, (value) => {
      const found = boxed.get(shape(value));
      return found === undefined ? value : make('list_extract(_1, 1)', value, variable(found.called, value));
    });
  const inSubqueries = <P>(part: P): P =>
    changeExpressions(part, (value) => (value.kind === 'subquery' ? fromLists(value) : value));
  if (clause.kind === 'with' && subqueriesIn({ where: clause.where }).length > 0)
    return [
      { ...clause, where: null },
      { ...before, where: inSubqueries(clause.where) },
    ];
  if (clause.kind !== 'match') return [before, inSubqueries(clause)];
  if (clause.optional) return [before, fromLists(clause)];
  const conditions = conditionsOf(clause.where);
  const later = conditions.filter((condition) => subqueriesIn(condition).length > 0);
  const where = and(...conditions.filter((condition) => !later.includes(condition)));
  return [
    { ...clause, where },
    { ...before, where: and(...inSubqueries(later)) },
  ];
};
