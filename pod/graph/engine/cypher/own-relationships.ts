import { and, name, variable } from './build';
import { type StarOrder, withListedStars } from './listed-stars';
import { QueryFault } from './query-fault';
import { type QuirkContext } from './quirk';
import { scopesOf } from './scopes';
import { type Expression, type Query, type StepPattern, type Variable } from './tree';
import { changeClauses, clausesIn, expressionsIn, pathsIn } from './walk';

/** A condition that two relationships are the same; `mayFindNothing`: whether it tests an OPTIONAL MATCH or a subquery. */
type Sameness = (own: Variable, bound: Variable, mayFindNothing: boolean) => Expression;

/** A query where each relationship that a clause before has found gets another name, and a condition that both are the same. */
export const withOwnRelationships = (
  asked: Query,
  { newName }: Pick<QuirkContext, 'newName'>,
  order: StarOrder,
  same: Sameness,
): Query => {
  if (!pathsIn(asked).some(({ steps }) => steps.some((step) => step.name !== null))) return asked;
  const query = withListedStars(asked, order);
  const { before } = scopesOf(query);
  const inner = new Set(
    [...expressionsIn(query)].flatMap((value) => (value.kind === 'subquery' ? [...clausesIn(value.query)] : [])),
  );
  const changed = changeClauses(query, (clause, original) => {
    if (clause.kind !== 'match') return clause;
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
  return changed === query ? asked : changed;
};
