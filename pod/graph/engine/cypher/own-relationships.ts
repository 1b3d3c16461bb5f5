import { and, name, variable } from './build';
import { QueryFault } from './query-fault';
import { type QuirkContext } from './quirk';
import { scopesOf } from './scopes';
import { type Expression, type Query, type StepPattern, type Variable } from './tree';
import { changeMatches, clausesIn, expressionsIn, pathsIn } from './walk';

/** A condition that two relationships are the same; `mayFindNothing`: whether it tests an OPTIONAL MATCH or a subquery. */
type Sameness = (own: Variable, bound: Variable, mayFindNothing: boolean) => Expression;

/** Renames each relationship that an earlier clause has bound, and adds a condition that both are the same. */
export const withOwnRelationships = (
  query: Query,
  { newName }: Pick<QuirkContext, 'newName'>,
  same: Sameness,
): Query => {
  if (!pathsIn(query).some(({ steps }) => steps.some((step) => step.name !== null))) return query;
  const { before } = scopesOf(query);
  const inner = new Set(
    [...expressionsIn(query)].flatMap((value) => (value.kind === 'subquery' ? [...clausesIn(value.query)] : [])),
  );
  return changeMatches(query, (clause, original) => {
    const conditions: Expression[] = [];
    const renamed = (step: StepPattern): StepPattern => {
      const bound = step.name;
      if (bound === null || before.get(original)?.has(bound.text) !== true) return step;
      if (step.length !== null)
        throw new QueryFault(`${bound.text} has a value; choose another name for these relationships.`, bound.start);
      const own = name(newName(), bound);
      const mayFindNothing = clause.optional || inner.has(original);
      conditions.push(same(variable(own.text, bound), variable(bound.text, bound), mayFindNothing));
      return { ...step, name: own };
    };
    const paths = clause.paths.map((path) => ({ ...path, steps: path.steps.map(renamed) }));
    return conditions.length === 0 ? clause : { ...clause, paths, where: and(clause.where, ...conditions) };
  });
};
