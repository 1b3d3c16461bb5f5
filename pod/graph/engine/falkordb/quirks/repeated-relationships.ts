import { and, name, subqueryOf, variable } from '../../cypher/build';
import { type Cure, type CureContext } from '../../cypher/cure';
import { type Step, stepsOf } from '../../cypher/steps';
import { stepsWithOneEdge } from '../../cypher/steps-with-one-edge';
import { make } from '../../cypher/template';
import { type Expression, type Name, type PathPattern } from '../../cypher/tree';
import { changeExpressions, changeMatches } from '../../cypher/walk';

/**
 * One MATCH can bind the same relationship more than once. So each pair of steps of one MATCH, or of one pattern in an
 * expression, that can bind the same one gets names and a condition. Steps of several lengths are paths in the engine;
 * they are expanded, or cause a warning.
 */
export const repeatedRelationships: Cure = (query, context) => {
  if (context.walks) return query;
  const matched = changeMatches(query, (clause) => {
    const { paths, condition } = conditioned(clause.paths, context);
    return condition === null ? clause : { ...clause, paths, where: and(clause.where, condition) };
  });
  return changeExpressions(matched, (value) => inExpression(value, context));
};

/** Null: no two steps can bind the same relationship. */
const conditioned = (paths: readonly PathPattern[], { schema, newName }: CureContext) => {
  const single = stepsWithOneEdge(stepsOf(paths), schema).filter((pair) => pair.every(({ length }) => length === null));
  const names = new Map<number, Name>();
  const relationship = (step: Step): Expression => {
    const { text } = step.name ?? names.get(step.start) ?? name(newName(), step);
    names.set(step.start, name(text, step));
    return variable(text, step);
  };
  const condition = and(
    ...single.map(([first, second]) => make('id(_1) <> id(_2)', second, relationship(first), relationship(second))),
  );
  const named = paths.map((path) => ({
    ...path,
    steps: path.steps.map((step) => ({ ...step, name: step.name ?? names.get(step.start) ?? null })),
  }));
  return { paths: named, condition };
};

/** A pattern that needs a condition becomes a subquery. */
const inExpression = (value: Expression, context: CureContext): Expression => {
  if (value.kind !== 'pattern' && value.kind !== 'pattern_comprehension') return value;
  const { paths, condition } = conditioned([value.path], context);
  const [path] = paths;
  if (condition === null || path === undefined) return value;
  if (value.kind === 'pattern_comprehension') return { ...value, path, where: and(value.where, condition) };
  return subqueryOf({ ...value, path }, condition);
};
