import { edgeSource } from './edge-source';
import { type Frame } from './frame';
import { type EdgeUse, relationshipType } from './pattern-parts';
import { type StepConditions } from './property-conditions';
import { simple } from './type';

/** The rows of a walk from a node: `b` its last node, `r` its relationships, `n` its nodes without the first one. */
export interface Walk {
  readonly start: string;
  readonly uses: readonly EdgeUse[];
  readonly lengths: readonly [min: number, max: number];
  /** Whether relationships can repeat. */
  readonly repeats: boolean;
  readonly conditions: StepConditions | null;
}

const EMPTY = 'CAST([] AS BIGINT[])';

/** Adds the next relationship after the node `w.b` of a walk, and returns it and its end. */
export const nextStep = (
  uses: readonly EdgeUse[],
  conditions: StepConditions | null,
  frame: Frame,
): { readonly id: string; readonly end: string } => {
  const alias = frame.context.name('e');
  const source = edgeSource(uses, 'left');
  frame.join('JOIN', source.sql, alias, `${alias}.${source.left} = w.b`);
  const id = `${alias}._id`;
  if (source.table !== null) frame.registerRow(id, 'relationship', source.table, alias);
  const relationship = simple(relationshipType(uses), id);
  for (const condition of conditions?.(relationship, frame) ?? []) frame.filter(condition);
  return { id, end: `${alias}.${source.right}` };
};

/** The same edges from the other end. */
export const reversed = (uses: readonly EdgeUse[]): readonly EdgeUse[] =>
  uses.map((use) => ({ table: use.table, reversed: !use.reversed }));

/** A query for all walks of a node. */
export const walks = (walk: Walk, frame: Frame): string => {
  const [min, max] = walk.lengths;
  const step = frame.subquery();
  step.join('CROSS JOIN', 'w', 'w');
  const { id, end } = nextStep(walk.uses, walk.conditions, step);
  if (max !== Infinity) step.filter(`len(w.r) < ${max}`);
  if (!walk.repeats) step.filter(`NOT list_contains(w.r, ${id})`);
  const first = `SELECT ${walk.start} AS b, ${EMPTY} AS r, ${EMPTY} AS n WHERE ${walk.start} IS NOT NULL`;
  const next = `SELECT ${end}, list_append(w.r, ${id}), list_append(w.n, ${end})${step.source}`;
  const rows = `SELECT b, r, n FROM w${min > 0 ? ` WHERE len(r) >= ${min}` : ''}`;
  return `WITH RECURSIVE w AS (${first} UNION ALL ${next}) ${rows}`;
};

/** A query for the nodes that walks of a node reach, from length 0 or 1, each once per length up to the maximum. */
export const reachedNodes = ({ start, uses, lengths: [min, max], conditions }: Walk, frame: Frame): string => {
  const step = frame.subquery();
  step.join('CROSS JOIN', 'w', 'w');
  const { end } = nextStep(uses, conditions, step);
  if (max !== Infinity) step.filter(`w.d < ${max}`);
  // Without a maximum only the start has another depth than the nodes after it.
  const depth = max === Infinity ? '1' : 'w.d + 1';
  const first = `SELECT ${start} AS b, 0 AS d WHERE ${start} IS NOT NULL`;
  const rows = `SELECT DISTINCT b FROM w${min > 0 ? ' WHERE d > 0' : ''}`;
  return `WITH RECURSIVE w AS (${first} UNION SELECT ${end}, ${depth}${step.source}) ${rows}`;
};
