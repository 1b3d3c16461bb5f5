import { combinesRows } from '../cypher/aggregates';
import { number } from '../cypher/build';
import { lengthsOf } from '../cypher/steps';
import { type Clause, type MatchClause, type StepPattern } from '../cypher/tree';
import { isProjection } from '../cypher/walk';

/** The number of lists doubles with each step. */
const MAX_STEPS = 3;

/**
 * Lists of clauses that together find the rows of the clauses: a step of several lengths from 0 has length 0 in one,
 * and the others in another one. Only the clauses themselves without such a step, or if that is impossible.
 */
export const lengthsApart = (clauses: readonly Clause[], depth = 0): readonly (readonly Clause[])[] => {
  const at = clauses.findIndex((clause) => stepOf(clause) !== undefined);
  const [clause, later] = [clauses[at], clauses.slice(at + 1)];
  const step = clause === undefined ? undefined : stepOf(clause);
  if (clause?.kind !== 'match' || step?.length == null || !later.every(keepsRows)) return [clauses];
  if (depth === MAX_STEPS || !clauses.slice(0, at).every(isRepeatable)) return [clauses];
  const { length } = step;
  const [zero, one] = [number('0', length), number('1', length)];
  // A path without relationships satisfies every condition on them.
  const none = { ...step, types: [], properties: null, where: null, length: { ...length, min: zero, max: zero } };
  const some = { ...step, length: { ...length, min: one } };
  return (lengthsOf(step)[1] === 0 ? [none] : [none, some]).flatMap((changed) =>
    lengthsApart([...clauses.slice(0, at), withStep(clause, step, changed), ...later], depth + 1),
  );
};

/** Whether a clause finds the same rows each time it runs: with a LIMIT it may find others. */
const isRepeatable = (clause: Clause): boolean =>
  !isProjection(clause) || (clause.skip === null && clause.limit === null);

const stepOf = (clause: Clause): StepPattern | undefined =>
  clause.kind !== 'match' || clause.optional
    ? undefined
    : clause.paths
        .flatMap(({ shortest, steps }) => (shortest === null ? steps : []))
        .find((step) => {
          const [min, max] = lengthsOf(step);
          return step.length !== null && min === 0 && (max > 0 || step.types.length > 0);
        });

const withStep = (clause: MatchClause, step: StepPattern, changed: StepPattern): MatchClause => ({
  ...clause,
  paths: clause.paths.map((path) => ({ ...path, steps: path.steps.map((own) => (own === step ? changed : own)) })),
});

/** Whether the rows after a clause are those after it for each part of the rows before it. */
const keepsRows = (clause: Clause): boolean => {
  if (clause.kind === 'match' || clause.kind === 'unwind') return true;
  return isProjection(clause) && !combinesRows(clause) && isRepeatable(clause);
};
