import { and, name, variable } from '../../cypher/build';
import { type Cure } from '../../cypher/cure';
import { QueryFault } from '../../cypher/query-fault';
import { scopesOf } from '../../cypher/scopes';
import { make } from '../../cypher/template';
import { type Expression, type StepPattern } from '../../cypher/tree';
import { changeMatches, pathsIn } from '../../cypher/walk';

/**
 * A relationship variable that an earlier clause bound matches any relationship. It is renamed, and a condition
 * requires that both are the same.
 */
export const boundRelationships: Cure = (query, { newName }) => {
  if (!pathsIn(query).some(({ steps }) => steps.some((step) => step.name !== null))) return query;
  const { before } = scopesOf(query);
  return changeMatches(query, (clause, original) => {
    const conditions: Expression[] = [];
    const renamed = (step: StepPattern): StepPattern => {
      const bound = step.name;
      if (bound === null || before.get(original)?.has(bound.text) !== true) return step;
      if (step.length !== null)
        throw new QueryFault(`${bound.text} has a value; choose another name for these relationships.`, bound.start);
      const own = name(newName(), bound);
      conditions.push(make('_1 = _2', bound, variable(own.text, bound), variable(bound.text, bound)));
      return { ...step, name: own };
    };
    const paths = clause.paths.map((path) => ({ ...path, steps: path.steps.map(renamed) }));
    return conditions.length === 0 ? clause : { ...clause, paths, where: and(clause.where, ...conditions) };
  });
};
