import { type Multigraph } from '../../pod/graph/engine/counting/multigraph';
import {
  type Condition,
  isAggregate,
  type Match,
  type NodePattern,
  type Part,
  type PathPattern,
  type PatternQuery,
  type Projection,
  type StepPattern,
  type Value,
} from './pattern-query';

/** By name: the id of a node, the weight of an edge, the length of a path. */
type Row = Readonly<Record<string, number | null>>;

/** A query with more rows than this takes too long. */
const MAX_ROWS = 20_000;

/** The rows of a query by exhaustive search; null if there are too many intermediate rows. */
export const bruteForce = (
  graph: Multigraph,
  { branches, unionAll }: PatternQuery,
  walks: boolean,
): readonly (number | null)[][] | null => {
  const results: (number | null)[][] = [];
  for (const parts of branches) {
    let rows: readonly Row[] | null = [{}];
    for (const part of parts) rows = rows === null ? null : partRows({ ...graph, walks }, part, rows);
    if (rows === null) return null;
    const columns = parts.at(-1)?.projection.items.map(({ alias }) => alias) ?? [];
    results.push(...rows.map((row) => columns.map((column) => row[column] ?? null)));
  }
  return branches.length > 1 && !unionAll ? [...new Map(results.map((row) => [row.join(), row])).values()] : results;
};

/** `walks`: an edge may occur several times in one MATCH. */
type Asked = Multigraph & { readonly walks: boolean };

const partRows = (graph: Asked, { matches, projection }: Part, before: readonly Row[]): readonly Row[] | null => {
  let rows = before;
  for (const match of matches) {
    const found = rows.flatMap((row) => matchRows(graph, match, row));
    if (found.length > MAX_ROWS) return null;
    rows = found;
  }
  return project(projection, rows);
};

const matchRows = (graph: Asked, { optional, paths, conditions, joinedBy }: Match, before: Row): readonly Row[] => {
  let found: readonly Found[] = [{ row: before, used: [] }];
  for (const path of paths) found = found.flatMap((each) => pathRows(graph, path, each));
  const rows = found.map(({ row }) => row);
  const holds = (row: Row) => (condition: Condition) => conditionHolds(graph, condition, row);
  const kept =
    conditions.length === 0
      ? rows
      : rows.filter((row) => (joinedBy === 'AND' ? conditions.every(holds(row)) : conditions.some(holds(row))));
  if (kept.length > 0 || !optional) return kept;
  const names = paths.flatMap(({ name, from, steps }) => [
    name,
    from.name,
    ...steps.flatMap((step) => [step.name, step.to.name]),
  ]);
  return [{ ...Object.fromEntries(names.map((name) => [name, null])), ...before }];
};

/** A partial match, with the weights of its edges. */
interface Found {
  readonly row: Row;
  readonly used: readonly number[];
}

const pathRows = (graph: Asked, { name, from, steps }: PathPattern, before: Found): readonly Found[] => {
  let found = graph.nodes.flatMap(({ id }) => {
    const row = withNode(graph, from, id, before.row);
    return row === null ? [] : [{ ...before, row, at: id, length: 0 }];
  });
  for (const step of steps) {
    found = found.flatMap(({ row, used, at, length }) =>
      ways(graph, step, at, used).flatMap((way) => {
        const next = withNode(graph, step.to, way.end, { ...row, [step.name]: way.weight });
        const { end, edges } = way;
        return next === null ? [] : [{ row: next, used: [...used, ...edges], at: end, length: length + edges.length }];
      }),
    );
  }
  return found.map(({ row, used, length }) => ({ row: { ...row, [name]: length }, used }));
};

const withNode = (
  { nodes }: Multigraph,
  { name, label, id: wanted }: NodePattern,
  id: number,
  row: Row,
): Row | null => {
  if (wanted !== null && wanted !== id) return null;
  if (label !== null && nodes.find((node) => node.id === id)?.label !== label) return null;
  if (name in row) return row[name] === id ? row : null;
  return { ...row, [name]: id };
};

interface Way {
  readonly end: number;
  readonly weight: number | null;
  /** Weights. */
  readonly edges: readonly number[];
}

/** The possible steps from a node; `used`: the edges of the same MATCH. */
const ways = (graph: Asked, step: StepPattern, from: number, used: readonly number[]): readonly Way[] => {
  const [least, most] = step.length ?? [1, 1];
  const all: Way[] = [];
  let ends: readonly Way[] = [{ end: from, weight: null, edges: [] }];
  for (let length = 0; length <= most; length++) {
    if (length >= least) all.push(...ends);
    ends = ends.flatMap(({ end, edges }) =>
      edgesFrom(graph, step, end)
        .filter(({ w }) => graph.walks || !(used.includes(w) || edges.includes(w)))
        .map((edge) => ({ end: edge.end, weight: step.length === null ? edge.w : null, edges: [...edges, edge.w] })),
    );
  }
  return all;
};

const edgesFrom = ({ edges }: Multigraph, { types, direction, weight }: StepPattern, node: number) =>
  edges.flatMap(({ type, from, to, w }) => {
    if ((types.length > 0 && !types.includes(type)) || (weight !== null && weight !== w)) return [];
    const ends = [
      ...(direction !== 'in' && from === node ? [to] : []),
      ...(direction !== 'out' && to === node ? [from] : []),
    ];
    // A loop is one edge, whatever its direction.
    return [...new Set(ends)].map((end) => ({ end, w }));
  });

const conditionHolds = (graph: Asked, condition: Condition, row: Row): boolean => {
  if (condition.kind === 'pattern') {
    const from = row[condition.from] ?? null;
    const isThere =
      from !== null &&
      ways(graph, condition.step, from, []).some(({ end }) => withNode(graph, condition.step.to, end, row) !== null);
    return isThere !== condition.negated;
  }
  const left = row[condition.left] ?? null;
  const right = typeof condition.right === 'number' ? condition.right : (row[condition.right] ?? null);
  if (left === null || right === null) return false;
  if (condition.operator === '=') return left === right;
  return condition.operator === '<' ? left < right : left !== right;
};

const project = ({ distinct, items, limit }: Projection, rows: readonly Row[]): readonly Row[] => {
  const keys = items.filter(({ value }) => !isAggregate(value));
  const groups = new Map<string, Row[]>();
  const groupOf = (row: Row): string => keys.map(({ value }) => valueIn(value, [row])).join();
  if (keys.length === items.length)
    rows.forEach((row, index) => groups.set(distinct ? groupOf(row) : String(index), [row]));
  else {
    if (keys.length === 0) groups.set('', []);
    for (const row of rows) groups.set(groupOf(row), [...(groups.get(groupOf(row)) ?? []), row]);
  }
  const projected = [...groups.values()].map((group) =>
    Object.fromEntries(items.map(({ value, alias }) => [alias, valueIn(value, group)])),
  );
  if (limit === null) return projected;
  const compare = (a: Row, b: Row): number =>
    items.map(({ alias }) => (a[alias] ?? 0) - (b[alias] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return projected.sort(compare).slice(0, limit);
};

const valueIn = (value: Value, group: readonly Row[]): number | null => {
  if (value.kind === 'count(*)') return group.length;
  if (value.kind !== 'aggregate') return group[0]?.[value.name] ?? null;
  const all = group.map((row) => row[value.of.name] ?? null).filter((item) => item !== null);
  const values = value.distinct ? [...new Set(all)] : all;
  if (value.function === 'count') return values.length;
  if (value.function === 'sum') return values.reduce((sum, item) => sum + item, 0);
  if (values.length === 0) return null;
  return value.function === 'min' ? Math.min(...values) : Math.max(...values);
};
