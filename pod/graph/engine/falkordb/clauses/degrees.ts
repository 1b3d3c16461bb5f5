import { call, literal, number, variable } from '../../cypher/build';
import { type Names } from '../../cypher/names-after';
import { edgeTablesOf, type Ends, endsOf, fitsLabels, stepsOf } from '../../cypher/steps';
import { make } from '../../cypher/template';
import { type Expression, type Name, type NodePattern, type PathPattern, type StepPattern } from '../../cypher/tree';
import { replaceOutermost } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';
import { isSubquery } from './native-condition';

/**
 * The engine keeps the degrees of each node, so it need not search the matches of one relationship from a known node to
 * any node. `names`: those that have values.
 */
export const withDegrees = <P>(part: P, names: Names, schema: GraphSchema): P =>
  replaceOutermost(part, (value, locals) => {
    const counted = countedPath(value);
    const degree = counted === null ? null : degreeOf(counted, [...names, ...locals], schema, value);
    // The names of a subquery are known when its own clauses are changed.
    return degree ?? (isSubquery(value) ? value : null);
  });

interface CountedPath {
  readonly path: PathPattern;
  /** Whether the number of matches is the value, and not their existence. */
  readonly counts: boolean;
}

/** The path whose matches are the value of an expression. */
const countedPath = (value: Expression): CountedPath | null => {
  if (value.kind === 'pattern') return { path: value.path, counts: false };
  if (value.kind === 'subquery') {
    const [clause, ...others] = value.query.parts.flat();
    if (clause?.kind !== 'match' || others.length > 0 || value.word === 'COLLECT') return null;
    const [path, ...more] = clause.paths;
    const isOnly = path !== undefined && more.length === 0 && !clause.optional && clause.where === null;
    return isOnly ? { path, counts: value.word === 'COUNT' } : null;
  }
  const [of] = value.kind === 'call' && value.name.toUpperCase() === 'SIZE' ? value.arguments : [];
  return of?.kind === 'pattern_comprehension' && of.where === null ? { path: of.path, counts: true } : null;
};

const degreeOf = (
  { path, counts }: CountedPath,
  names: Names,
  schema: GraphSchema,
  place: Expression,
): Expression | null => {
  const isKnown = ({ name }: { readonly name: Name | null }): boolean => name !== null && names.includes(name.text);
  const [step, ...others] = stepsOf([path]);
  if (step === undefined || others.length > 0 || step.length !== null || isKnown(step)) return null;
  const [near, ...bothKnown] = [step.left, step.right].filter(isKnown);
  if (near?.name == null || near.labels !== null || bothKnown.length > 0) return null;
  if (![step, step.left, step.right].every(isFree)) return null;
  const node = variable(near.name.text, near);
  const isAny = step.types.length === 0 && (step.left.labels ?? step.right.labels) === null;
  const tablesOf = ([from, to]: Ends) =>
    edgeTablesOf(step, schema).filter(
      ({ fromNode, toNode }) => fitsLabels(fromNode, from.labels) && fitsLabels(toNode, to.labels),
    );
  if (counts && step.direction === 'both' && edgeTablesOf(step, schema).some(({ hasLoops }) => hasLoops)) return null;
  const degrees = endsOf(step).flatMap((ends) => {
    const types = [...new Set(tablesOf(ends).map(({ type }) => type))].map((type) => literal(type, place));
    if (types.length === 0 && !isAny) return [];
    return [call(ends[0] === near ? 'outdegree' : 'indegree', [node, ...(isAny ? [] : types)], place)];
  });
  const [first = number('0', place), ...more] = degrees;
  const degree = more.reduce<Expression>((all, next) => make('_1 + _2', place, all, next), first);
  return make(counts ? 'coalesce(_1, 0)' : 'coalesce(_1, 0) > 0', place, degree);
};

const isFree = ({ properties, where }: NodePattern | StepPattern): boolean => properties === null && where === null;
