import { and, variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Expression, type ProjectionClause } from '../../cypher/tree';
import { changeClauses, expressionsIn } from '../../cypher/walk';

/**
 * A condition after WITH that is the same for all rows and false ends the query: an aggregate after it gives no row. So
 * such a condition is the second item of a list whose first one is a name.
 */
export const constantConditions: Quirk = {
  id: 'falkordb-constant-conditions',
  description: 'An aggregate after a WITH whose condition is false for all rows gives no row.',
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
  const conditions = operandsOfAnd(clause.where);
  const [name] = clause.items.flatMap(
    ({ value, alias }) => alias?.text ?? (value.kind === 'variable' ? value.name : []),
  );
  if (name === undefined || !conditions.some(isConstant)) return clause;
  return { ...clause, where: and(...conditions.map((value) => (isConstant(value) ? withName(value, name) : value))) };
};

const operandsOfAnd = (value: Expression | null): readonly Expression[] => {
  if (value === null) return [];
  if (value.kind !== 'binary' || value.operator !== 'AND') return [value];
  return [...operandsOfAnd(value.left), ...operandsOfAnd(value.right)];
};

const isConstant = (value: Expression): boolean =>
  ![...expressionsIn(value)].some(({ kind }) => kind === 'variable' || kind === 'pattern');

const withName = (value: Expression, name: string): Expression => {
  const { start, end } = value;
  const of: Expression = { kind: 'list', items: [variable(name, value), value], start, end };
  return { kind: 'index', of, at: { kind: 'number', text: '1', start, end }, start, end };
};
