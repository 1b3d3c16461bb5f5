import { aggregatesIn } from './aggregates';
import { type Clause, type ProjectionClause, type Query } from './tree';
import { clausesIn, expressionsIn, isProjection } from './walk';

/** Aggregates whose result does not depend on repeated rows; with DISTINCT this is true for all others. */
const EXTREMES = new Set(['MIN', 'MAX']);
/** Functions that make equal rows differ. */
const RANDOM = new Set(['RAND', 'RANDOMUUID', 'GEN_RANDOM_UUID']);

/**
 * The clauses where the result may depend on the number of equal rows. It does not before DISTINCT, UNION, `min(x)`,
 * `count(DISTINCT x)` and similar ones, unless rows are counted or cut in between.
 */
export const countingClauses = (query: Query): ReadonlySet<Clause> => {
  const isRandom = expressionsIn(query).some((value) => value.kind === 'call' && RANDOM.has(value.name.toUpperCase()));
  return new Set(isRandom ? clausesIn(query) : counting(query, true));
};

const counting = (query: Query, resultCounts: boolean): readonly Clause[] => {
  const unionIsDistinct = query.unions.length > 0 && query.unions.every((union) => union === 'UNION');
  return query.parts.flatMap((clauses) => {
    const found: Clause[] = [];
    let counts = resultCounts && !unionIsDistinct;
    for (const clause of [...clauses].reverse()) {
      if (isProjection(clause)) counts = countsBefore(clause, counts);
      if (counts) found.push(clause);
      found.push(...countingInside(clause, counts));
    }
    return found;
  });
};

/** The clauses of subqueries; COUNT and COLLECT depend on the number of equal rows. */
const countingInside = (clause: Clause, counts: boolean): readonly Clause[] => {
  if (clause.kind === 'call_query') return counting(clause.query, counts);
  return expressionsIn(clause).flatMap((value) =>
    value.kind === 'subquery' ? counting(value.query, value.word !== 'EXISTS') : [],
  );
};

/** Whether a WITH or RETURN depends on the number of equal rows before it; `after`: whether the clauses after it do. */
const countsBefore = ({ distinct, items, skip, limit }: ProjectionClause, after: boolean): boolean => {
  const aggregates = items.flatMap(({ value }) => aggregatesIn(value));
  if (aggregates.some((call) => !call.distinct && !EXTREMES.has(call.name.toUpperCase()))) return true;
  if (aggregates.length > 0 || distinct) return false;
  return after || skip !== null || limit !== null;
};
