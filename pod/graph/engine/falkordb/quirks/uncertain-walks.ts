import { CycleCheck } from '../../../algorithms/graph/topological-order';
import { type Columns, literal, number, projection, subqueryOf, variable } from '../../cypher/build';
import { countingClauses } from '../../cypher/counting-clauses';
import { type Cure, type CureContext } from '../../cypher/cure';
import { type FixedMatch, withFixedLengths } from '../../cypher/fixed-lengths';
import { namesAfter } from '../../cypher/names-after';
import { QueryFault } from '../../cypher/query-fault';
import { scopesOf } from '../../cypher/scopes';
import { edgeTablesOf, lengthsOf, shownText, stepsOf } from '../../cypher/steps';
import { stepsWithOneEdge } from '../../cypher/steps-with-one-edge';
import {
  type Clause,
  type Expression,
  type MatchClause,
  type PathPattern,
  type Query,
  type StepPattern,
} from '../../cypher/tree';
import { changeClauseLists, changeExpressions, changeMatches, clausesIn, partsOf, pathsIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';
import { called, optionalRows } from '../clauses/lifted-subquery';

/**
 * The engine follows paths of several lengths until they return to one of their nodes, and computes a single length as
 * a matrix product, which is wrong next to other steps. So each length is expanded into its own MATCH.
 */
export const uncertainWalks: Cure = (written, context) => {
  const original = withoutEmptyRanges(written);
  const query = withMatches(original, context);
  const matches = new Map(uncertainMatches(query, context).map((match) => [match.clause.start, match]));
  if (matches.size === 0) return original;
  return changeClauseLists(query, (clauses) =>
    clauses.flatMap((clause) => {
      const match = clause.kind === 'match' ? matches.get(clause.start) : undefined;
      if (clause.kind !== 'match' || match === undefined) return [clause];
      const { steps, known } = match;
      rejectObstacle(steps, known, context.text);
      return writtenOut(clause, steps, known, context.newName);
    }),
  );
};

/** `*3..2` has no paths: such a step gets a length that the engine accepts, in a MATCH that has no rows. */
const withoutEmptyRanges = (query: Query): Query => {
  if (!pathsIn(query).some(hasEmptyRange)) return query;
  const withSubqueries = changeExpressions(query, (value: Expression) =>
    (value.kind === 'pattern' || value.kind === 'pattern_comprehension') && hasEmptyRange(value.path)
      ? subqueryOf(value)
      : value,
  );
  return changeMatches(withSubqueries, (clause) =>
    clause.paths.some(hasEmptyRange) ? { ...clause, ...withoutRows(clause) } : clause,
  );
};

const hasEmptyRange = ({ steps, shortest }: PathPattern): boolean => shortest === null && steps.some(isEmptyRange);

const isEmptyRange = (step: StepPattern): boolean => {
  const [min, max] = lengthsOf(step);
  return min > max;
};

const withoutRows = ({ paths, start, end }: MatchClause): Pick<MatchClause, 'paths' | 'where'> => ({
  paths: paths.map((path) => ({ ...path, steps: path.steps.map(withLengthOne) })),
  where: literal(false, { start, end }),
});

const withLengthOne = (step: StepPattern): StepPattern => {
  const one = number('1', step);
  return isEmptyRange(step) ? { ...step, length: { min: one, max: one, start: step.start, end: step.end } } : step;
};

/** A MATCH with steps that the engine may answer wrongly. */
interface UncertainMatch {
  readonly clause: MatchClause;
  readonly steps: readonly StepPattern[];
  /** The names bound by earlier clauses. */
  readonly known: readonly string[];
}

const hasLengths = (part: object): boolean => partsOf(part).some((inner) => 'min' in inner && 'max' in inner);

const uncertainMatches = (query: Query, context: CureContext): readonly UncertainMatch[] => {
  if (!hasLengths(query)) return [];
  const counting = countingClauses(query);
  const { before } = scopesOf(query);
  return clausesIn(query).flatMap((clause) => {
    const steps = clause.kind === 'match' ? uncertainSteps(clause, counting.has(clause), context) : [];
    if (clause.kind !== 'match' || steps.length === 0) return [];
    return [{ clause, steps, known: [...(before.get(clause)?.keys() ?? [])] }];
  });
};

/** Converts patterns in expressions to subqueries if they have uncertain steps of several lengths. */
const withMatches = (query: Query, context: CureContext): Query => {
  if (!hasLengths(query)) return query;
  const isUncertain = (path: PathPattern, counts: boolean): boolean =>
    uncertainSteps({ paths: [path] }, counts, context).length > 0;
  return changeExpressions(query, (value: Expression) => {
    if (value.kind === 'pattern' && isUncertain(value.path, false)) return subqueryOf(value);
    if (value.kind === 'pattern_comprehension' && isUncertain(value.path, true)) return subqueryOf(value);
    return value;
  });
};

/**
 * The steps of several lengths that the engine may answer wrongly: it follows a path until that returns to one of its
 * nodes. This is sufficient if only the nodes reached in one direction matter.
 */
const uncertainSteps = (
  { paths }: Pick<MatchClause, 'paths'>,
  counts: boolean,
  { schema, walks }: Pick<CureContext, 'schema' | 'walks'>,
): readonly StepPattern[] => {
  const pairs = walks ? [] : stepsWithOneEdge(stepsOf(paths), schema).flat();
  const shared = new Set(pairs.map(({ start }) => start));
  return paths
    .filter(({ shortest }) => shortest === null)
    .flatMap(({ name, steps }) =>
      steps.filter(
        (step) =>
          step.length !== null &&
          (shared.has(step.start) || !isExactWithoutLimit(step, schema)) &&
          (counts || name !== null || step.name !== null || shared.has(step.start) || !findsAllEnds(step)),
      ),
    );
};

/** Whether a long step cannot return to one of its nodes, so that the engine finds all its paths. */
const isExactWithoutLimit = (step: StepPattern, schema: GraphSchema): boolean => {
  const [min, max] = lengthsOf(step);
  if (!(max > MAX_LENGTH) || min >= max || step.direction === 'both' || step.name !== null || step.where !== null)
    return false;
  const tables = edgeTablesOf(step, schema);
  const inside = tables.filter(({ fromNode, toNode }) => fromNode === toNode);
  const labels = schema.nodeTables.map(({ label }) => label);
  const between = new CycleCheck(labels.length, tables.length);
  for (const [from, label] of labels.entries())
    for (const { fromNode, toNode } of tables)
      if (fromNode === label && toNode !== label) between.add(from, labels.indexOf(toNode));
  return (
    inside.every(({ isAcyclic }) => isAcyclic) &&
    new Set(inside.map(({ fromNode }) => fromNode)).size === inside.length &&
    !between.hasCycle()
  );
};

/** Whether paths that end at the first repeated node reach every end. */
const findsAllEnds = (step: StepPattern): boolean => {
  const [min, max] = lengthsOf(step);
  return max <= 1 || min === 0 || (step.direction !== 'both' && min === 1);
};

const MAX_LENGTH = 8;
/** The engine needs a second to plan more. */
const MAX_ALTERNATIVES = 36;

const rejectObstacle = (steps: readonly StepPattern[], known: readonly string[], text: string): void => {
  const obstacle = obstacleOf(steps, known);
  const [step] = steps;
  if (obstacle === null || step === undefined) return;
  throw new QueryFault(
    `FalkorDB cannot find all paths of ${shownText(text, step)}, because ${obstacle}. It finds the DISTINCT nodes at the ` +
      'end of a step in one direction, with lengths from 0 or 1, without names for path and relationship. graphdb_a ' +
      'finds all paths.',
    step.start,
  );
};

/** Why a MATCH cannot be expanded into one MATCH per length of its steps; null if it can. */
const obstacleOf = (steps: readonly StepPattern[], known: readonly string[]): string | null => {
  const bounds = steps.map(lengthsOf);
  const count = bounds.reduce((product, [min, max]) => product * (max - min + 1), 1);
  if (!bounds.every(([, max]) => max <= MAX_LENGTH))
    return `its length is not limited; write lengths up to ${MAX_LENGTH}`;
  if (steps.some(({ where }) => where !== null))
    return 'it contains a condition; write the condition after the pattern';
  if (steps.some(({ name }) => name !== null && known.includes(name.text)))
    return 'its relationships are those of an earlier clause; give them another name and compare both';
  if (count <= MAX_ALTERNATIVES) return null;
  return `the variable lengths of one MATCH have ${count} combinations; write shorter ones, up to ${MAX_ALTERNATIVES} combinations`;
};

/** The clauses that replace a MATCH; `known`: the names bound by earlier clauses. */
const writtenOut = (
  clause: MatchClause,
  steps: readonly StepPattern[],
  known: readonly string[],
  newName: () => string,
): readonly Clause[] => {
  const matches = alternatives(steps).map((lengths) => withFixedLengths(clause, lengths, newName));
  const [only, ...others] = matches;
  if (only !== undefined && others.length === 0 && only.values.size === 0) return [only.clause];
  if (clause.optional) {
    const found = writtenOut({ ...clause, optional: false }, steps, known, newName);
    return optionalRows(found, [known, namesAfter(clause, known)], clause, newName);
  }
  const added = namesAfter(clause, known).filter((text) => !known.includes(text));
  const result = newName();
  const parts = matches.map((match) => [match.clause, projection('return', columnsOf(match, added, result), clause)]);
  const unions = others.map(() => 'UNION ALL' as const);
  return [called({ parts, unions }, known, clause)];
};

const columnsOf = ({ clause, values }: FixedMatch<MatchClause>, added: readonly string[], result: string): Columns =>
  added.length === 0
    ? [[number('1', clause), result]]
    : added.map((text) => [values.get(text) ?? variable(text, clause), text] as const);

/** Each combination of one length per step. */
const alternatives = ([step, ...others]: readonly StepPattern[]): readonly ReadonlyMap<number, number>[] => {
  if (step === undefined) return [new Map()];
  const [min, max] = lengthsOf(step);
  const lengths = Array.from({ length: max - min + 1 }, (_, more) => min + more);
  return alternatives(others).flatMap((rest) => lengths.map((length) => new Map(rest).set(step.start, length)));
};
