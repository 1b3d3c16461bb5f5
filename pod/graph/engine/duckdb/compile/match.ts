import { lengthsOf } from '../../cypher/steps';
import { type Expression, type PathPattern, type StepPattern } from '../../cypher/tree';
import { type Frame } from './frame';
import { type Fixed, Match } from './match-pattern';
import { matchShortestPaths } from './shortest-paths';
import { unitedRows } from './united-rows';

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
  const parts = choices.map((fixed) => new Match(paths, fixed, frame.subquery(), where).added());
  frame.variables = new Map([...frame.variables, ...unitedRows(parts, 'UNION ALL', frame)]);
  return frame;
};

const MAX_LENGTH = 6;
const MAX_CHOICES = 12;

/** The lengths to write as single steps, one map for each combination; one empty map: a recursive query. */
const fixedLengths = (paths: readonly PathPattern[], reaching: ReadonlySet<StepPattern>): readonly Fixed[] => {
  const steps = paths.flatMap((path) => path.steps.filter((step) => step.length !== null && !reaching.has(step)));
  const ranges = steps.map((step) => [step, ...lengthsOf(step)] as const);
  return ranges.reduce<readonly Fixed[]>(
    (all, [step, min, max]) =>
      max <= MAX_LENGTH && all.length * (max - min + 1) <= MAX_CHOICES
        ? all.flatMap((fixed) =>
            Array.from({ length: Math.max(0, max - min + 1) }, (_, at) => new Map(fixed).set(step, min + at)),
          )
        : all,
    [new Map()],
  );
};
