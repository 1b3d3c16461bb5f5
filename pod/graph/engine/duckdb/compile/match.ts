import { lengthsOf } from '../../cypher/steps';
import { type Expression, type PathPattern, type StepPattern } from '../../cypher/tree';
import { type Frame, isEntity, type Variable } from './frame';
import { type Fixed, Match } from './match-pattern';
import { matchShortestPaths } from './shortest-paths';
import { NULL, unify } from './type';

/** Adds the rows that match paths and a condition, with their names, to a frame. */
export const compileMatch = (paths: readonly PathPattern[], where: Expression | null, frame: Frame): Frame => {
  if (paths.some(({ shortest }) => shortest !== null)) return matchShortestPaths(paths, where, frame);
  const choices = fixedLengths(paths, frame.context.reaching);
  const [only] = choices;
  if (only === undefined) {
    // A relationship whose maximum length is below the minimum matches nothing.
    const single = new Map(paths.flatMap(({ steps }) => steps.map((step) => [step, 1] as const)));
    const none = new Match(paths, single, frame, where).added();
    none.filter('false');
    return none;
  }
  if (choices.length === 1) return new Match(paths, only, frame, where).added();
  return union(
    choices.map((fixed) => {
      const part = frame.subquery();
      return new Match(paths, fixed, part, where).added();
    }),
    frame,
  );
};

const MAX_LENGTH = 6;
const MAX_CHOICES = 12;

/** The lengths to write as single steps, one map for each combination; one empty map: a recursive query. */
const fixedLengths = (paths: readonly PathPattern[], reaching: ReadonlySet<StepPattern>): readonly Fixed[] => {
  const steps = paths.flatMap((path) => path.steps.filter((step) => step.length !== null && !reaching.has(step)));
  const ranges = steps.map((step) => [step, ...lengthsOf(step)] as const);
  const choices = ranges.reduce<readonly Fixed[]>(
    (all, [step, min, max]) =>
      max <= MAX_LENGTH && all.length * (max - min + 1) <= MAX_CHOICES
        ? all.flatMap((fixed) =>
            Array.from({ length: Math.max(0, max - min + 1) }, (_, at) => new Map(fixed).set(step, min + at)),
          )
        : all,
    [new Map()],
  );
  return choices;
};

/** Each part has the same variables. */
const union = (parts: readonly Frame[], frame: Frame): Frame => {
  const { context } = frame;
  const alias = context.name('t');
  const [first] = parts;
  const names = [...(first?.variables.keys() ?? [])].map((name) => ({
    name,
    type: parts.map((part) => part.variables.get(name)?.type ?? NULL.type).reduce(unify),
    column: context.name('c'),
  }));
  const selects = parts.map((part) => {
    const columns = names.map(({ name, column }) => `${part.variables.get(name)?.sql ?? 'NULL'} AS ${column}`);
    return `SELECT ${columns.length === 0 ? '1 AS one' : columns.join(', ')}${part.source}`;
  });
  frame.join(
    'CROSS JOIN',
    `${frame.isEmpty && frame.parent === null ? '' : 'LATERAL '}(${selects.join(' UNION ALL ')}) AS ${alias}`,
  );
  const variables = names.map(({ name, type, column }): readonly [string, Variable] => [
    name,
    { sql: `${alias}.${column}`, type, isSimple: true, ...(isEntity(type) ? { isCertain: true } : {}) },
  ]);
  frame.variables = new Map([...frame.variables, ...variables]);
  return frame;
};
