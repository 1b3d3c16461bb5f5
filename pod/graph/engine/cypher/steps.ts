import { type EdgeTable, type GraphSchema } from '../graph-schema';
import {
  type Expression,
  type LabelTest,
  type Name,
  type NodePattern,
  type PathPattern,
  type Span,
  type StepPattern,
} from './tree';

/** A step of a path with the nodes at its ends, in the order of the text. */
export interface Step extends StepPattern {
  readonly left: NodePattern;
  readonly right: NodePattern;
}

/**
 * The steps of paths, except those of `shortestPath(…)`, which finds one path whether or not relationships may repeat.
 */
export const stepsOf = (paths: readonly PathPattern[]): readonly Step[] =>
  paths
    .filter(({ shortest }) => shortest === null)
    .flatMap(({ nodes, steps }) =>
      steps.flatMap((step, index) => {
        const [left, right] = [nodes[index], nodes[index + 1]];
        return left === undefined || right === undefined ? [] : [{ ...step, left, right }];
      }),
    );

/** The edge tables of the types of a step. */
export const edgeTablesOf = (
  { types }: Pick<StepPattern, 'types'>,
  { edgeTables }: GraphSchema,
): readonly EdgeTable[] =>
  types.length === 0 ? edgeTables : edgeTables.filter(({ type }) => types.some(({ text }) => text === type));

/** Both ends of an edge of a step, for each direction in which the step may follow it. */
export type Ends = readonly [NodePattern, NodePattern];

export const endsOf = ({ left, right, direction }: Step): readonly Ends[] => {
  if (direction === 'both')
    return [
      [left, right],
      [right, left],
    ];
  return [direction === 'right' ? [left, right] : [right, left]];
};

/** Whether a node with one label, or a relationship with one type, meets a test; null: any does. */
export const fitsLabels = (label: string, test: LabelTest | null): boolean => {
  if (test === null) return true;
  const isSame = ({ text }: Name): boolean => text === label;
  return test.of === 'any' ? test.names.some(isSame) : test.names.every(isSame);
};

/** The names of paths, and of their nodes and relationships. */
export const namesOfPaths = (paths: readonly PathPattern[]): readonly string[] =>
  paths.flatMap(({ name, nodes, steps }) =>
    [name, ...[...nodes, ...steps].map((part) => part.name)].flatMap((found) => found?.text ?? []),
  );

/** The minimum and maximum length of a step; NaN for a parameter. */
export const lengthsOf = ({ length }: StepPattern): readonly [number, number] => {
  const lengthOf = (bound: Expression | null, omitted: number): number =>
    bound === null ? omitted : bound.kind === 'number' ? Number(bound.text) : NaN;
  return [lengthOf(length?.min ?? null, 1), lengthOf(length?.max ?? null, Infinity)];
};

const MAX_CHARACTERS = 100;

/** A part of a text, short enough for a message. */
export const shownText = (text: string, { start, end }: Span): string =>
  end - start > MAX_CHARACTERS ? `${text.slice(start, start + MAX_CHARACTERS)}…` : text.slice(start, end);
