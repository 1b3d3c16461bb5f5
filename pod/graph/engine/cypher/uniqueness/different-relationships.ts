import { and, name, variable } from '../build';
import { type QuirkContext, type QuirkDemonstration } from '../quirk';
import { type Step, stepsOf } from '../steps';
import { subqueryOf } from '../subquery-of';
import { make } from '../template';
import { type Expression, type MatchClause, type Name, type PathPattern, type Query } from '../tree';
import { changeExpressions, changeMatches } from '../walk';
import { stepsWithOneEdge } from './steps-with-one-edge';

/** A step whose relationship has a name. */
export type NamedStep = Step & { readonly name: Name };

/** A condition that two steps do not share a relationship; null if the engine cannot express one. */
type Difference = (first: NamedStep, second: NamedStep) => Expression | null;

type Context = Pick<QuirkContext, 'schema' | 'newName'>;

/**
 * Adds a condition for each pair of steps of one MATCH, or of one pattern in an expression, that can bind the same
 * relationship. Such steps get names.
 */
export const withDifferentRelationships = (query: Query, context: Context, difference: Difference): Query => {
  const conditioned = (paths: readonly PathPattern[]) => conditionedPaths(paths, context, difference);
  const matched = changeMatches(query, (clause) => inMatch(clause, conditioned));
  return changeExpressions(matched, (value) => inExpression(value, conditioned));
};

/** Null: no two steps can bind the same relationship. */
type Conditioned = (
  paths: readonly PathPattern[],
) => { readonly paths: readonly PathPattern[]; readonly condition: Expression | null } | null;

const conditionedPaths = (
  paths: readonly PathPattern[],
  { schema, newName }: Context,
  difference: Difference,
): ReturnType<Conditioned> => {
  const pairs = stepsWithOneEdge(stepsOf(paths), schema);
  if (pairs.length === 0) return null;
  const names = new Map<number, Name>();
  const named = (step: Step): NamedStep => {
    const found = step.name ?? names.get(step.start) ?? name(newName(), step);
    names.set(step.start, found);
    return { ...step, name: found };
  };
  const condition = and(...pairs.map(([first, second]) => difference(named(first), named(second))));
  const renamed = paths.map((path) => ({
    ...path,
    steps: path.steps.map((step) => ({ ...step, name: step.name ?? names.get(step.start) ?? null })),
  }));
  return { paths: renamed, condition };
};

const inMatch = (clause: MatchClause, conditioned: Conditioned): MatchClause => {
  const found = conditioned(clause.paths);
  return found === null ? clause : { ...clause, paths: found.paths, where: and(clause.where, found.condition) };
};

/** A pattern that needs a condition becomes a subquery. */
const inExpression = (value: Expression, conditioned: Conditioned): Expression => {
  if (value.kind !== 'pattern' && value.kind !== 'pattern_comprehension') return value;
  const found = conditioned([value.path]);
  const [path] = found?.paths ?? [];
  if (found === null || path === undefined) return value;
  if (value.kind === 'pattern_comprehension') return { ...value, path, where: and(value.where, found.condition) };
  return subqueryOf({ ...value, path }, found.condition);
};

/** `id(a) <> id(b)` for two relationships with these names. */
export const differentIds = (first: NamedStep, second: NamedStep): Expression =>
  make('id(_1) <> id(_2)', second, variable(first.name.text, first), variable(second.name.text, second));

/** A demonstration that an engine lets a relationship occur several times in one MATCH. */
export const REPEATED: QuirkDemonstration = {
  graph: 'CREATE (:N {id: 1})-[:E]->(m:M {id: 2}), (:N {id: 3})-[:E]->(m)',
  query: 'MATCH (a:N)-[:E]->(:M)<-[:E]-(b:N) RETURN a.id, b.id ORDER BY a.id, b.id',
  right: [
    [1, 3],
    [3, 1],
  ],
  wrong: [
    [1, 1],
    [1, 3],
    [3, 1],
    [3, 3],
  ],
};
