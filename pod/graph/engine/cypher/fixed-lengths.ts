import { list, name, number, variable } from './build';
import {
  type Expression,
  type MatchClause,
  type NodePattern,
  type PathPattern,
  type Span,
  type StepPattern,
} from './tree';
import { changeExpressions } from './walk';

type Match = Pick<MatchClause, 'paths' | 'where'>;

/** A MATCH in which each step of several lengths has a single length. */
export interface FixedMatch<M extends Match> {
  readonly clause: M;
  /** The lists of relationships by the names of the steps. */
  readonly values: ReadonlyMap<string, Expression>;
}

/**
 * Expands steps: `-[r*2]->` becomes `-[r1]->()-[r2]->` and the list of both. Only a step of length 0 remains one, without
 * its list. `lengths`: by the start of the steps.
 */
export const withFixedLengths = <M extends Match>(
  clause: M,
  lengths: ReadonlyMap<number, number>,
  newName: () => string,
): FixedMatch<M> => {
  const values = new Map<string, Expression>();
  const fixed = (step: StepPattern): readonly StepPattern[] => {
    const length = lengths.get(step.start);
    if (length === undefined) return [step];
    const names = Array.from({ length }, () => name(newName(), step));
    const relationships = names.map(({ text }) => variable(text, step));
    if (step.name !== null) values.set(step.name.text, list(relationships, step));
    return length === 0 ? [withoutLength(step)] : names.map((each) => ({ ...step, name: each, length: null }));
  };
  const paths = clause.paths.map((path): PathPattern => {
    const [first, ...others] = path.nodes;
    const steps = path.steps.map(fixed);
    const nodes = others.flatMap((node, at) => [...(steps[at]?.slice(1) ?? []).map(() => anonymous(node)), node]);
    return { ...path, nodes: first === undefined ? [] : [first, ...nodes], steps: steps.flat() };
  });
  const changed = changeExpressions({ ...clause, paths }, (value) =>
    value.kind === 'variable' ? (values.get(value.name) ?? value) : value,
  );
  return { clause: changed, values };
};

/** A path without relationships satisfies every condition on them. */
const withoutLength = (step: StepPattern): StepPattern => {
  const [none, { start, end }] = [number('0', step), step];
  return { ...step, name: null, types: [], properties: null, length: { min: none, max: none, start, end } };
};

const anonymous = ({ start, end }: Span): NodePattern => ({
  name: null,
  labels: null,
  properties: null,
  where: null,
  start,
  end,
});
