import { type Columns, itself, number, projection, variable } from '../../cypher/build';
import { lengthsOf } from '../../cypher/steps';
import { type Clause, type MatchClause, type StepPattern } from '../../cypher/tree';
import { namesAfter } from '../clauses/expand-clauses';
import { called } from '../clauses/lifted-subquery';
import { type FixedMatch, withFixedLengths } from './fixed-lengths';

const MAX_LENGTH = 8;
const MAX_ALTERNATIVES = 16;

/** Whether a MATCH can be expanded into one MATCH per length of its steps. */
export const canWriteOut = (clause: MatchClause, steps: readonly StepPattern[], known: readonly string[]): boolean => {
  const bounds = steps.map(lengthsOf);
  const count = bounds.reduce((product, [min, max]) => product * (max - min + 1), 1);
  const isPossible =
    bounds.every(([min, max]) => min <= max && max <= MAX_LENGTH) &&
    steps.every(
      ({ name, where, length }) =>
        where === null && length?.filter === null && (name === null || !known.includes(name.text)),
    );
  const isOne = count === 1 && steps.every(({ name }) => name === null) && bounds.every(([min]) => min > 0);
  return isPossible && count <= MAX_ALTERNATIVES && (isOne || !clause.optional);
};

/** The clauses that replace a MATCH; `known`: the names bound by earlier clauses. */
export const writtenOut = (
  clause: MatchClause,
  steps: readonly StepPattern[],
  known: readonly string[],
  newName: () => string,
): readonly Clause[] => {
  const matches = alternatives(steps).map((lengths) => withFixedLengths(clause, lengths, known, newName));
  const [only, ...others] = matches;
  if (only !== undefined && others.length === 0 && only.values.size === 0) return [only.clause];
  const added = namesAfter(clause, known).filter((text) => !known.includes(text));
  const result = newName();
  const parts = matches.map((match) => [match.clause, projection('return', columnsOf(match, added, result), clause)]);
  const unions = others.map(() => 'UNION ALL' as const);
  const names = [...known, ...(added.length === 0 ? [result] : added)];
  return [
    called({ parts, unions }, known, clause),
    // Without it, the next MATCH treats the names of a UNION as new ones.
    projection('with', itself(names, clause), clause),
  ];
};

const columnsOf = ({ clause, values }: FixedMatch, added: readonly string[], result: string): Columns =>
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
