import { and, conditionsOf } from '../../cypher/build';
import { namesOfPaths } from '../../cypher/steps';
import { type Expression, type NodePattern, type PathPattern } from '../../cypher/tree';
import { expressionsIn } from '../../cypher/walk';
import { compileFilter } from './condition';
import { closed, type Frame, HIDDEN, type Variable, withoutHidden } from './frame';
import { type NodePart, pathType, PatternParts, relationshipType, type StepPart } from './pattern-parts';
import { conditionsOfAll, mayFail, type StepConditions, stepConditions } from './property-conditions';
import { listOf, simple, typed } from './type';
import { nextStep, reversed } from './walk-steps';

/**
 * The rows of a MATCH with `shortestPath(…)` or `allShortestPaths(…)`: first the ends of these and all other paths, then
 * a search for each row.
 */
export const matchShortestPaths = (paths: readonly PathPattern[], where: Expression | null, frame: Frame): Frame => {
  const nameOf = (node: NodePattern): NodePattern =>
    node.name === null
      ? { ...node, name: { text: frame.context.name(`${HIDDEN}end`), start: node.start, end: node.end } }
      : node;
  const searches = paths.flatMap((path) =>
    path.shortest === null ? [] : [{ ...path, nodes: path.nodes.map(nameOf) }],
  );
  const ends = searches.flatMap((path) =>
    path.nodes.map((node) => ({ ...path, name: null, shortest: null, nodes: [node], steps: [] })),
  );
  const names = new Set(namesOfPaths(searches.map((path) => ({ ...path, nodes: [] }))));
  const inSteps = new Set(
    searches
      .flatMap(({ steps }) => steps.flatMap((step) => conditionsOfAll(step, searches, where)))
      .map(({ condition }) => condition),
  );
  const conditions = conditionsOf(where).filter((condition) => !inSteps.has(condition));
  for (const condition of conditions)
    for (const value of expressionsIn(condition))
      if (value.kind === 'variable' && names.has(value.name))
        frame.context.refuse(`Test ${value.name} after the search: WITH * WHERE ….`, condition);
  const first = and(...conditions.filter((condition) => !mayFail(condition)));
  const others = paths.filter(({ shortest }) => shortest === null);
  const matched = frame.compilers.match([...others, ...ends], first, frame);
  const rows = searches.reduce((before, path) => search(path, searches, where, before), matched);
  rows.variables = withoutHidden(rows.variables, 'end');
  // All rows must match before a condition may fail.
  for (const condition of conditions.filter(mayFail)) rows.filter(compileFilter(condition, rows));
  return rows;
};

/** Adds the paths of one pattern, whose ends are known. */
const search = (path: PathPattern, paths: readonly PathPattern[], where: Expression | null, frame: Frame): Frame => {
  const [step] = new PatternParts([path], frame).steps;
  if (step === undefined) return frame;
  const { pattern, left, right } = step;
  if ((step.lengths ?? [1, 1])[0] > 1) frame.context.refuse('A shortest path has the minimum length 0 or 1.', pattern);
  const node = (of: NodePart): Variable => {
    const [bound] = of.bound;
    const sql = bound === undefined ? 'NULL' : (bound.owner ?? frame).column(bound).sql;
    return { sql: `CAST(${sql} AS BIGINT)`, type: { kind: 'node', tables: of.tables }, isCertain: true };
  };
  const [start, target] = [`${HIDDEN}end start`, `${HIDDEN}end target`];
  const before = new Map([...frame.variables, [start, node(left)], [target, node(right)]]);
  let alias = '';
  const next = closed(frame, before, {
    rows: (rows, name, variables) => {
      alias = name;
      const createFrame = (): Frame => {
        const inside = frame.sibling();
        inside.variables = variables;
        return inside;
      };
      const columnOf = (end: string): string => variables.get(end)?.sql ?? 'NULL';
      const ends = { start: columnOf(start), target: columnOf(target) };
      const conditions = stepConditions(pattern, paths, where);
      return pathsOf({ step, isForAll: path.shortest === 'all', conditions, rows, alias, ...ends, createFrame });
    },
  });
  const startId = next.variables.get(start)?.sql;
  const variables = new Map(next.variables);
  if (pattern.name !== null)
    variables.set(pattern.name.text, simple(listOf(relationshipType(step.uses)), `${alias}.r`));
  const structSql = `{'n': [${startId}] || ${alias}.n, 'r': ${alias}.r}`;
  if (path.name !== null)
    variables.set(path.name.text, typed(pathType([left, right], [step], frame.context), structSql));
  next.variables = variables;
  return next;
};

/** Searches from the start and the target of each row. */
interface Search {
  readonly step: StepPart;
  readonly isForAll: boolean;
  readonly conditions: StepConditions | null;
  /** The rows, and the name by which their columns are read. */
  readonly rows: string;
  readonly alias: string;
  readonly start: string;
  readonly target: string;
  /** A frame with the columns of the rows as its names. */
  readonly createFrame: () => Frame;
}

const EMPTY = 'CAST([] AS BIGINT[])';
const BOTH = '(VALUES (true), (false)) AS v(x)';
const MEETING = 'f.i = g.i AND f.b = g.b AND f.x AND NOT g.x';

/**
 * The rows `f` with `r`, the relationships of a path, and `n`, its nodes without the first one. Two breadth-first
 * searches meet: `w` has for each row `i` and direction `x` the nodes `b`, their distance `d` and the steps `p` to them.
 * From the nodes where they meet, `k` follows these steps in both directions.
 */
const pathsOf = (search: Search): string => {
  const { alias, start, target, isForAll } = search;
  const [min, max] = search.step.lengths ?? [1, 1];
  const numbered = `SELECT *, row_number() OVER () AS i FROM (${search.rows}) AS ${alias}`;
  // Because of the list DuckDB expects few rows: it would build hash tables of all relationships otherwise.
  const ends = `SELECT unnest(list({'i': i, 's': ${start}, 't': ${target}}), recursive := true) FROM f AS ${alias}`;
  const zero = min === 0 ? 's IS NOT NULL AND t IS NOT NULL' : 's <> t';
  const noSteps = 'CAST([] AS STRUCT(e BIGINT, b BIGINT)[])';
  const first = `SELECT i, x, CASE WHEN x THEN s ELSE t END, 0, ${noSteps} FROM (${ends}) CROSS JOIN ${BOTH} WHERE ${zero}`;
  const steps = [nextLevel(search, true, Math.ceil(max / 2)), nextLevel(search, false, Math.floor(max / 2))];
  const previous = "{'e': o.e, 'b': o.p}";
  const next = [
    `SELECT o.i, o.x, o.b, o.d, ${isForAll ? `list(${previous})` : `[min(${previous})]`} FROM (${steps.join(' UNION ALL ')}) AS o`,
    'LEFT JOIN recurring.w AS seen ON seen.i = o.i AND seen.x = o.x AND seen.b = o.b',
    `LEFT JOIN (SELECT DISTINCT f.i FROM recurring.w AS f JOIN recurring.w AS g ON ${MEETING}) AS met ON met.i = o.i`,
    'WHERE seen.i IS NULL AND met.i IS NULL GROUP BY o.i, o.x, o.b, o.d',
  ].join(' ');
  const best = isForAll
    ? 'f.d + g.d = min(f.d + g.d) OVER (PARTITION BY f.i) AND f.d = (f.d + g.d + 1) // 2'
    : 'row_number() OVER (PARTITION BY f.i ORDER BY f.d + g.d, f.b) = 1';
  const middle = `SELECT f.i, f.b FROM w AS f JOIN w AS g ON ${MEETING} QUALIFY ${best}`;
  const reached = 'SELECT k.*, unnest(w.p) AS p FROM k JOIN w ON w.i = k.i AND w.x = k.x AND w.b = k.b';
  const relationships = 'CASE WHEN x THEN list_prepend(p.e, r) ELSE list_append(r, p.e) END';
  const nodes = 'CASE WHEN x THEN list_prepend(b, n) ELSE list_append(n, p.b) END';
  return [
    `WITH RECURSIVE f AS MATERIALIZED (${numbered}), w(i, x, b, d, p) USING KEY (i, x, b) AS (${first} UNION ${next}), m AS (${middle}),`,
    `k(i, x, m, b, r, n) AS (SELECT i, x, b, b, ${EMPTY}, ${EMPTY} FROM m CROSS JOIN ${BOTH} UNION ALL`,
    `SELECT i, x, m, p.b, ${relationships}, ${nodes} FROM (${reached}))`,
    `SELECT ${alias}.*, f.r || g.r AS r, f.n || g.n AS n FROM f AS ${alias}`,
    `JOIN k AS f ON f.i = ${alias}.i AND f.x AND f.b = ${start}`,
    `JOIN k AS g ON g.i = ${alias}.i AND NOT g.x AND g.b = ${target} AND g.m = f.m`,
  ].join(' ');
};

/** The nodes beside those of the last level, while both searches have a last level and have not gone half the way. */
const nextLevel = (search: Search, isForward: boolean, depth: number): string => {
  const { uses } = search.step;
  const frame = search.createFrame();
  frame.join('CROSS JOIN', 'w', 'w');
  frame.join('JOIN', '(SELECT DISTINCT i, x FROM w)', 'o', 'o.i = w.i AND o.x <> w.x');
  if (search.conditions !== null) frame.join('JOIN', 'f', search.alias, `${search.alias}.i = w.i`);
  const { id, end } = nextStep(isForward ? uses : reversed(uses), search.conditions, frame);
  frame.filter(isForward ? 'w.x' : 'NOT w.x');
  if (depth !== Infinity) frame.filter(`w.d < ${depth}`);
  return `SELECT w.i, w.x, ${end} AS b, w.d + 1 AS d, ${id} AS e, w.b AS p${frame.source}`;
};
