import { type Expression, type PathPattern, type PatternExpression } from '../../cypher/tree';
import { expressionsIn } from '../../cypher/walk';

export type Subquery = Extract<Expression, { kind: 'subquery' | 'pattern' | 'pattern_comprehension' }>;

/** The engine supports `shortestPath(…)` along an arrow as a value. */
export const isSubquery = (value: Expression): value is Subquery =>
  value.kind === 'subquery' ||
  value.kind === 'pattern_comprehension' ||
  (value.kind === 'pattern' &&
    (value.path.shortest !== 'one' || value.path.steps.some(({ direction }) => direction !== 'right')));

/**
 * A condition of WHERE that the engine can test: patterns within AND, OR and NOT. Null if that is impossible; a pattern
 * within XOR crashes the server. `names`: those bound before the patterns.
 */
export const nativeCondition = (value: Expression, names: readonly string[]): Expression | null => {
  if (!expressionsIn(value).some(isSubquery)) return value;
  const pattern = patternOf(value, names);
  if (pattern !== null) return isPlain(pattern.path) ? pattern : null;
  if (value.kind === 'unary' && value.operator === 'NOT') {
    const of = nativeCondition(value.of, names);
    return of === null ? null : { ...value, of };
  }
  if (value.kind !== 'binary' || (value.operator !== 'AND' && value.operator !== 'OR')) return null;
  const [left, right] = [nativeCondition(value.left, names), nativeCondition(value.right, names)];
  return left === null || right === null ? null : { ...value, left, right };
};

/** The pattern whose existence an expression tests. */
const patternOf = (value: Expression, names: readonly string[]): PatternExpression | null => {
  if (value.kind === 'pattern') return value.path.shortest === null ? value : null;
  if (value.kind !== 'subquery' || value.word !== 'EXISTS') return null;
  const [clause, ...more] = value.query.parts.flat();
  if (clause?.kind !== 'match' || clause.where !== null || more.length > 0) return null;
  const [path, ...others] = clause.paths;
  if (path === undefined || path.shortest !== null || path.steps.length === 0 || others.length > 0) return null;
  return withoutNewNames(path, names, value);
};

/** Null if a new name occurs twice, or in a condition. */
const withoutNewNames = (
  path: PathPattern,
  names: readonly string[],
  { start, end }: Expression,
): PatternExpression | null => {
  const parts = [...path.nodes, ...path.steps];
  const isNew = ({ name }: PathPattern['nodes'][number] | PathPattern['steps'][number]): boolean =>
    name !== null && !names.includes(name.text);
  const added = parts.filter(isNew).map(({ name }) => name?.text);
  const isUsed = expressionsIn(path).some((value) => value.kind === 'variable' && added.includes(value.name));
  if (isUsed || new Set(added).size < added.length) return null;
  const nodes = path.nodes.map((node) => (isNew(node) ? { ...node, name: null } : node));
  const steps = path.steps.map((step) => (isNew(step) ? { ...step, name: null } : step));
  return { kind: 'pattern', path: { ...path, name: null, nodes, steps }, start, end };
};

/**
 * The properties of a MATCH, but not these, are conditions that can be compared with a date or time. The engine computes
 * their values only if they are simple.
 */
const isPlain = ({ nodes, steps }: PathPattern): boolean =>
  nodes.every(({ labels, where }) => labels?.of !== 'any' && where === null) &&
  steps.every(({ name, where }) => name === null && where === null) &&
  expressionsIn([nodes, steps]).every((value) => SIMPLE.test(value.kind) && !isTime(value));

const SIMPLE = /^(map|list|literal|number|unary|parameter|variable|property)$/;

const isTime = (value: Expression): boolean => value.kind === 'parameter' && value.type?.kind === 'other';
