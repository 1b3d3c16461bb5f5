import { type Expression } from '../../cypher/tree';
import { edgeSource } from './edge-source';
import { type Frame } from './frame';
import { type EdgeUse } from './pattern-parts';
import { type Value } from './type';

/** The rows of a walk from a node: `b` its last node, `r` its relationships, `n` its nodes without the first one. */
export interface Walk {
  readonly start: string;
  readonly uses: readonly EdgeUse[];
  readonly lengths: readonly [min: number, max: number];
  /** Whether relationships can repeat. */
  readonly repeats: boolean;
  /** Conditions of each relationship, in a frame that reads it. */
  readonly conditions: (relationship: Value, frame: Frame) => readonly string[];
}

const EMPTY = 'CAST([] AS BIGINT[])';

/** The next step of a walk `w`. */
const nextStep = (
  { uses, conditions }: Walk,
  frame: Frame,
): { readonly frame: Frame; readonly id: string; readonly end: string } => {
  const alias = frame.context.name('e');
  const source = edgeSource(uses, 'left');
  const step = frame.subquery();
  step.join('CROSS JOIN', 'w');
  step.join('JOIN', `${source.sql} AS ${alias}`, `${alias}.${source.left} = w.b`);
  const id = `${alias}._id`;
  if (source.table !== null) step.registerRow(id, 'relationship', source.table, alias);
  const tables = [...new Set(uses.map(({ table }) => table))];
  const relationship: Value = { sql: id, type: { kind: 'relationship', tables }, isSimple: true };
  for (const condition of conditions(relationship, step)) step.filter(condition);
  return { frame: step, id, end: `${alias}.${source.right}` };
};

/** A query for all walks of a node. */
export const walks = (walk: Walk, frame: Frame): string => {
  const [min, max] = walk.lengths;
  const { frame: step, id, end } = nextStep(walk, frame);
  if (max !== Infinity) step.filter(`len(w.r) < ${max}`);
  if (!walk.repeats) step.filter(`NOT list_contains(w.r, ${id})`);
  const first = `SELECT ${walk.start} AS b, ${EMPTY} AS r, ${EMPTY} AS n WHERE ${walk.start} IS NOT NULL`;
  const next = `SELECT ${end}, list_append(w.r, ${id}), list_append(w.n, ${end})${step.source}`;
  const rows = `SELECT b, r, n FROM w${min > 0 ? ` WHERE len(r) >= ${min}` : ''}`;
  return `WITH RECURSIVE w AS (${first} UNION ALL ${next}) ${rows}`;
};

/**
 * A query for the shortest walks between two nodes, by levels of breadth-first search: each node keeps its distance,
 * and for `one` a single walk to it.
 */
export const shortestWalks = (walk: Walk, target: string, which: 'one' | 'all', frame: Frame): string => {
  const [min, max] = walk.lengths;
  const { frame: step, id, end } = nextStep(walk, frame);
  const limit = max === Infinity ? '' : ` AND w.d < ${max}`;
  const isStart = `${walk.start} IS NOT NULL AND ${target} IS NOT NULL`;
  const zero = min === 0 ? '' : ` AND ${walk.start} <> ${target}`;
  const unseen = `NOT EXISTS (SELECT 1 FROM recurring.w AS s WHERE s.b = ${end})`;
  const open = `NOT EXISTS (SELECT 1 FROM recurring.w AS s WHERE s.b = ${target})`;
  step.filter(`${unseen} AND ${open}${limit}`);
  if (which === 'one') {
    const first = `SELECT ${walk.start} AS b, 0 AS d, ${EMPTY} AS r, ${EMPTY} AS n WHERE ${isStart}${zero}`;
    const next = `SELECT ${end}, w.d + 1, list_append(w.r, ${id}), list_append(w.n, ${end})${step.source}`;
    return `WITH RECURSIVE w(b, d, r, n) USING KEY (b) AS (${first} UNION ${next}) SELECT b, r, n FROM w WHERE b = ${target}`;
  }
  const distances = `SELECT ${walk.start} AS b, 0 AS d WHERE ${isStart}${zero} UNION SELECT ${end}, w.d + 1${step.source}`;
  const last = nextStep(walk, frame);
  last.frame.join('JOIN', 'distances AS s', `s.b = ${last.end} AND s.d = len(w.r) + 1`);
  const first = `SELECT ${walk.start} AS b, ${EMPTY} AS r, ${EMPTY} AS n WHERE ${isStart}${zero}`;
  const next = `SELECT ${last.end}, list_append(w.r, ${last.id}), list_append(w.n, ${last.end})${last.frame.source}`;
  const paths = `WITH RECURSIVE w AS (${first} UNION ALL ${next}) SELECT b, r, n FROM w WHERE b = ${target}`;
  return `WITH distances AS MATERIALIZED (WITH RECURSIVE w(b, d) USING KEY (b) AS (${distances}) SELECT b, d FROM w) ${paths}`;
};

export type StepCondition = (expression: Expression, relationship: Value, frame: Frame) => string;
