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
  const zero = min === 0 ? '' : ` AND ${walk.start} <> ${target}`;
  const start = `FROM (SELECT 1) AS one WHERE ${walk.start} IS NOT NULL AND ${target} IS NOT NULL${zero}`;
  // Pairs of nodes are part of the key: several searches run at once.
  step.join('LEFT JOIN', 'recurring.w AS seen', `seen.s = w.s AND seen.t = w.t AND seen.b = ${end}`);
  step.join('LEFT JOIN', 'recurring.w AS last', 'last.s = w.s AND last.t = w.t AND last.b = w.t');
  step.filter(`seen.b IS NULL AND last.b IS NULL${max === Infinity ? '' : ` AND w.d < ${max}`}`);
  const once = `DISTINCT ON (w.s, w.t, ${end})`;
  const key = 'USING KEY (s, t, b)';
  if (which === 'one') {
    const first = `SELECT ${walk.start}, ${target}, ${walk.start}, 0, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT) ${start}`;
    const next = `SELECT ${once} w.s, w.t, ${end}, w.d + 1, ${id}, w.b${step.source}`;
    // From the target back to the start: each node has the relationship and the node before it.
    const last = `SELECT s, t, b, ${EMPTY}, ${EMPTY} FROM w WHERE b = t`;
    const before = 'list_prepend(w.e, k.r), list_prepend(k.b, k.n)';
    const back = `SELECT k.s, k.t, w.p, ${before} FROM k JOIN w ON w.s = k.s AND w.t = k.t AND w.b = k.b WHERE k.b <> k.s`;
    const paths = `k(s, t, b, r, n) AS (${last} UNION ALL ${back}) SELECT t AS b, r, n FROM k WHERE b = s`;
    return `WITH RECURSIVE w(s, t, b, d, e, p) ${key} AS (${first} UNION ${next}), ${paths}`;
  }
  const first = `SELECT ${walk.start}, ${target}, ${walk.start}, 0 ${start}`;
  const next = `SELECT ${once} w.s, w.t, ${end}, w.d + 1${step.source}`;
  const distances = `WITH RECURSIVE w(s, t, b, d) ${key} AS (${first} UNION ${next}) SELECT s, t, b, d FROM w`;
  const last = nextStep(walk, frame);
  last.frame.join(
    'JOIN',
    `(${distances}) AS l`,
    `l.s = w.s AND l.t = w.t AND l.b = ${last.end} AND l.d = len(w.r) + 1`,
  );
  const from = `SELECT ${walk.start} AS s, ${target} AS t, ${walk.start} AS b, ${EMPTY} AS r, ${EMPTY} AS n ${start}`;
  const more = `SELECT w.s, w.t, ${last.end}, list_append(w.r, ${last.id}), list_append(w.n, ${last.end})${last.frame.source}`;
  return `WITH RECURSIVE w AS (${from} UNION ALL ${more}) SELECT b, r, n FROM w WHERE b = t`;
};
