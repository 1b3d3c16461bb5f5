import { type Output, recordOf, tableOf } from '../output';
import { type Run, type RunResult } from './algorithms';

type Table = NonNullable<Output['table']>;

/** Rows of tables without --top. */
export const DEFAULT_TOP = 25;

/**
 * A run with its result: the highest values first, or the largest groups. CSV, TSV and JSON without `top` contain all
 * values.
 */
export const runOutput = (run: Run, top: number | undefined): Output => ({
  data: run.data,
  record: recordOf(run, {
    run: 'execution_id',
    algorithm: 'algorithm',
    status: 'status',
    progress: ({ progress }) => (progress === undefined ? undefined : `${Math.round(progress * 100)} %`),
    by: 'user_name',
    started: 'started_at',
    seconds: (one) => one.duration_seconds ?? one.elapsed_seconds,
    error: 'error',
    property: ({ result }) => result?.property_name,
    'nodes updated': ({ result }) => result?.nodes_updated,
    path: ({ result }) => result?.path?.join(' → '),
    length: ({ result }) => result?.length,
    hops: ({ result }) => result?.hop_count,
    'total weight': ({ result }) => result?.total_weight,
    value: ({ result }) => result?.value,
  }),
  ...(run.result === undefined ? {} : resultOf(run.result, run.isPartition ?? false, top)),
});

const resultOf = (result: RunResult, isPartition: boolean, top: number | undefined): Partial<Output> => {
  if (isPartition && result.values !== undefined) return groupOutput(result.values, top);
  const table = resultTableOf(result);
  if (table === null) return {};
  const name = table.columns[0] === 'node' ? 'Values' : 'Edges';
  const total = result.total ?? table.rows.length;
  return tableOutput(`${name} (${total}), highest first`, table, table, total, top);
};

const tableOutput = (
  title: string,
  table: Table,
  separated: Table,
  total: number,
  top: number = DEFAULT_TOP,
): Partial<Output> => {
  const rows = table.rows.slice(0, top);
  const rest = total - rows.length;
  const note = `${rest} more: set --top <n>; --csv, --tsv and --json without --top have all.`;
  return { separated, sections: [{ title, table: { ...table, rows } }], ...(rest > 0 ? { note } : {}) };
};

/**
 * Communities and components, the largest first. With `top`, CSV and TSV contain only the nodes of the largest groups.
 */
const groupOutput = (values: Readonly<Record<string, unknown>>, top: number | undefined): Partial<Output> => {
  const groups = new Map<unknown, string[]>();
  for (const [node, group] of Object.entries(values)) {
    const nodes = groups.get(group);
    if (nodes === undefined) groups.set(group, [node]);
    else nodes.push(node);
  }
  const sorted = [...groups]
    .map(([group, nodes]) => ({ group, nodes: nodes.sort(byName.compare) }))
    .sort(
      (one, other) => other.nodes.length - one.nodes.length || byName.compare(String(one.group), String(other.group)),
    );
  const table = tableOf(sorted, {
    group: 'group',
    nodes: ({ nodes }) => nodes.length,
    examples: ({ nodes }) => nodes.slice(0, EXAMPLES).join(', '),
  });
  const rows = sorted.slice(0, top).flatMap(({ group, nodes }) => nodes.map((node) => [node, group]));
  const separated = { columns: ['node', 'group'], rows };
  return tableOutput(`Groups (${sorted.length}), largest first`, table, separated, sorted.length, top);
};

const EXAMPLES = 3;
const byName = new Intl.Collator('en', { numeric: true });

/** Null for results without rows. */
const resultTableOf = ({ values, predictions, edges }: RunResult): Table | null => {
  if (values !== undefined) return valueTable(values);
  const pairs = predictions ?? edges;
  if (pairs === undefined) return null;
  const columns = ['source', 'target', predictions === undefined ? 'weight' : 'score'];
  const cellsOf = (pair: object): Map<string, unknown> => new Map(Object.entries(pair));
  const rows = pairs.map((pair) => columns.map((column) => cellsOf(pair).get(column)));
  return { columns, rows: highestFirst(rows, 2) };
};

/** A row per node; several kinds of values (hubs and authorities) are columns. */
const valueTable = (values: Readonly<Record<string, unknown>>): Table => {
  const kinds = Object.entries(values);
  if (kinds.length === 0 || !kinds.every((kind): kind is [string, object] => isMap(kind[1]))) {
    const table = tableOf(kinds, { node: ([node]) => node, value: ([, value]) => value });
    return { ...table, rows: highestFirst(table.rows, 1) };
  }
  const maps = kinds.map(([name, byNode]) => [name, new Map<string, unknown>(Object.entries(byNode))] as const);
  const nodes = [...new Set(maps.flatMap(([, byNode]) => [...byNode.keys()]))];
  const rows = nodes.map((node) => [node, ...maps.map(([, byNode]) => byNode.get(node))]);
  return { columns: ['node', ...maps.map(([name]) => name)], rows: highestFirst(rows, 1) };
};

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

interface RankedRow {
  readonly rank: number;
  readonly name: string;
}

/** NaN and missing values last; equal values sorted by the name of the node. */
const highestFirst = (rows: readonly (readonly unknown[])[], column: number): readonly (readonly unknown[])[] => {
  const rank = (value: unknown): number => {
    const number = Number(value);
    return value === null || typeof value === 'object' || Number.isNaN(number) ? -Infinity : number;
  };
  const order = (one: RankedRow, other: RankedRow): number =>
    Number(other.rank > one.rank) - Number(one.rank > other.rank) || byName.compare(one.name, other.name);
  const ranked = rows.map((row) => ({ row, rank: rank(row[column]), name: String(row[0]) }));
  return ranked.sort(order).map(({ row }) => row);
};
