import { withFixedLengths } from '../../cypher/fixed-lengths';
import { lengthsOf } from '../../cypher/steps';
import { type Expression, type PathPattern, type StepPattern } from '../../cypher/tree';
import { type Frame, HIDDEN, withoutHidden } from './frame';
import { Match } from './match-pattern';
import { matchShortestPaths } from './shortest-paths';
import { unitedRows } from './united-rows';

/** Adds the rows that match paths and a condition, with their names, to a frame. */
export const compileMatch = (paths: readonly PathPattern[], where: Expression | null, frame: Frame): Frame => {
  if (paths.some(({ shortest }) => shortest !== null)) return matchShortestPaths(paths, where, frame);
  const steps = paths.flatMap((path) => path.steps.filter(({ length }) => length !== null));
  const before = steps.flatMap(({ name }) => {
    const variable = name === null ? null : frame.variable(name.text);
    return name === null || variable === null ? [] : [{ name, isNull: variable.type.kind === 'null' }];
  });
  for (const { name, isNull } of before)
    if (!isNull) frame.context.refuse(`${name.text} has a value already; give the relationships another name.`, name);
  const choices = fixedLengths(steps.filter((step) => !frame.context.reaching.has(step)));
  const [only] = choices;
  if (only === undefined || before.length > 0) {
    // A relationship matches nothing if its maximum length is below the minimum, or if it is null.
    const none = matched(paths, where, new Map(steps.map(({ start }) => [start, 1])), frame);
    none.filter('false');
    return none;
  }
  if (choices.length === 1) return matched(paths, where, only, frame);
  const parts = choices.map((lengths) => matched(paths, where, lengths, frame.subquery()));
  frame.variables = new Map([...frame.variables, ...unitedRows(parts, 'UNION ALL', frame)]);
  return frame;
};

/** The lengths to write as single steps, by the start of the steps. */
type Lengths = ReadonlyMap<number, number>;

const matched = (paths: readonly PathPattern[], where: Expression | null, lengths: Lengths, frame: Frame): Frame => {
  const { clause, values } = withFixedLengths({ paths, where }, lengths, () => frame.context.name(`${HIDDEN}step`));
  const rows = new Match(clause.paths, frame, clause.where).added();
  const lists = [...values].map(([name, list]) => [name, rows.expression(list)] as const);
  rows.variables = withoutHidden(new Map([...rows.variables, ...lists]), 'step');
  return rows;
};

const MAX_LENGTH = 6;
const MAX_CHOICES = 12;

/** The lengths to write as single steps, one map for each combination; one empty map: a recursive query. */
const fixedLengths = (steps: readonly StepPattern[]): readonly Lengths[] =>
  steps.reduce<readonly Lengths[]>(
    (all, step) => {
      const [min, max] = lengthsOf(step);
      const count = Math.max(0, max - min + 1);
      return max <= MAX_LENGTH && all.length * count <= MAX_CHOICES
        ? all.flatMap((lengths) => Array.from({ length: count }, (_, at) => new Map(lengths).set(step.start, min + at)))
        : all;
    },
    [new Map()],
  );
