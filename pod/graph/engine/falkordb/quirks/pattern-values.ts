import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type Expression, type PatternExpression, type Query } from '../../cypher/tree';
import { changeClauses, changeExpressions, expressionsIn } from '../../cypher/walk';

/**
 * A pattern is a condition in WHERE only, and beneath AND, OR and NOT there; beneath XOR it ends the server. Any other
 * is the list of its paths, which counts as true even when it is empty. So a pattern in a column is compared by its size.
 * The name of a comprehension has the same value in its patterns for all items.
 */
export const patternValues: Quirk = {
  id: 'falkordb-pattern-values',
  description: 'A pattern outside of WHERE is always true.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) RETURN n.id, CASE WHEN (n)-[:E]->() THEN 1 ELSE 0 END ORDER BY n.id',
    right: [
      [1, 1],
      [2, 0],
    ],
    wrong: [
      [1, 1],
      [2, 1],
    ],
  },
  rewrite: (query) => (hasPattern(query) ? changeClauses(query, withSizes) : query),
};

const hasPattern = (query: Query): boolean =>
  [...expressionsIn(query)].some(({ kind }) => kind === 'pattern' || kind === 'pattern_comprehension');

/** `shortestPath(…)` is a path. */
const isCondition = (value: Expression): value is PatternExpression =>
  value.kind === 'pattern' && value.path.shortest === null;

const withSizes = (clause: Clause): Clause => {
  if (clause.kind === 'match') return { ...clause, where: condition(clause.where) };
  if (clause.kind !== 'with' && clause.kind !== 'return') return clause;
  const items = clause.items.map((item) => {
    if (isCondition(item.value))
      throw new QueryFault(`${NO_VALUE}: write [p = (a)-->(b) | p] for its paths.`, item.start);
    return { ...item, value: bySize(item.value) };
  });
  return { ...clause, items, where: condition(clause.where) };
};

const NO_VALUE = 'A pattern is a condition, not a value';

/** What may be a pattern in WHERE; one that is deeper is refused. */
const condition = (value: Expression | null): Expression | null => {
  if (value === null || isCondition(value)) return value;
  if (value.kind === 'call' && value.name.toUpperCase() === 'EXISTS' && value.arguments.some(isCondition)) {
    return value.arguments[0] ?? value;
  }
  if (value.kind === 'unary' && value.operator === 'NOT') return { ...value, of: condition(value.of) ?? value.of };
  if (value.kind === 'binary' && (value.operator === 'AND' || value.operator === 'OR')) {
    return { ...value, left: condition(value.left) ?? value.left, right: condition(value.right) ?? value.right };
  }
  const inside = [...expressionsIn(value)].find(isCondition);
  if (inside === undefined) return value;
  const advice = 'name it before, WITH *, size((a)-->(b)) AS n WHERE n > 0';
  throw new QueryFault(`FalkorDB accepts a pattern in WHERE only beneath AND, OR and NOT: ${advice}.`, inside.start);
};

const bySize = (value: Expression): Expression => {
  for (const inner of expressionsIn(value)) refuseLocalPatterns(inner);
  // What is counted stays, and is found again by its place.
  const counted = new Set(
    [...expressionsIn(value)].flatMap((inner) =>
      inner.kind === 'call' && inner.name.toUpperCase() === 'SIZE' ? inner.arguments.filter(isCondition) : [],
    ),
  );
  return changeExpressions(value, (inner) => {
    if (inner.kind === 'call' && inner.name.toUpperCase() === 'EXISTS') {
      const [only] = inner.arguments;
      return only?.kind === 'comparison' ? only : inner;
    }
    return isCondition(inner) && !counted.has(inner) ? moreThanNone(inner) : inner;
  });
};

const refuseLocalPatterns = (value: Expression): void => {
  if (value.kind !== 'comprehension' && value.kind !== 'quantifier' && value.kind !== 'reduction') return;
  for (const inner of expressionsIn(value)) {
    if (inner.kind !== 'pattern' && inner.kind !== 'pattern_comprehension') continue;
    if (!inner.path.nodes.some(({ name }) => name?.text === value.name.text)) continue;
    throw new QueryFault(`FalkorDB reads no pattern for each item of a list: ${EACH}.`, inner.start);
  }
};

const EACH = 'write UNWIND list AS x and OPTIONAL MATCH (x)-->(y)';

const moreThanNone = (pattern: PatternExpression): Expression => {
  const { start, end } = pattern;
  const size: Expression = { kind: 'call', name: 'size', distinct: false, arguments: [pattern], start, end };
  const none: Expression = { kind: 'number', text: '0', start, end };
  return { kind: 'comparison', first: size, rest: [{ operator: '>', right: none }], start, end };
};
