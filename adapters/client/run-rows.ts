import { type GRAPHDB_A_ENDPOINTS } from '../contracts/graph-pod/endpoints';
import { type ResultOf } from './sender';

/** The result of an algorithm on `graphdb_a`; its fields depend on the algorithm. */
export type AlgorithmResult = NonNullable<ResultOf<typeof GRAPHDB_A_ENDPOINTS.algorithmStatus>['result']>;

interface RunRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The values of nodes or edges as rows, highest value first. Null for paths and single values. */
export const runRowsOf = ({ values, predictions, edges }: AlgorithmResult): RunRows | null => {
  if (values !== undefined) return valueRows(values);
  const pairs = predictions ?? edges;
  if (pairs === undefined) return null;
  const columns = ['source', 'target', predictions === undefined ? 'weight' : 'score'];
  const cellsOf = (pair: object): Map<string, unknown> => new Map(Object.entries(pair));
  const rows = pairs.map((pair) => columns.map((column) => cellsOf(pair).get(column)));
  return { columns, rows: highestFirst(rows, 2) };
};

/** A row per node; several kinds of values (hubs and authorities) are columns. */
const valueRows = (values: Readonly<Record<string, unknown>>): RunRows => {
  const kinds = Object.entries(values);
  if (kinds.length === 0 || !kinds.every((kind): kind is [string, object] => isMap(kind[1])))
    return { columns: ['node', 'value'], rows: highestFirst(kinds, 1) };
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

/** Sorts names as text, and the numbers in them as numbers. */
export const byName = new Intl.Collator('en', { numeric: true });

/** NaN and missing values last; equal values sorted by the name of the node. */
export const highestFirst = (
  rows: readonly (readonly unknown[])[],
  column: number,
): readonly (readonly unknown[])[] => {
  const rank = (value: unknown): number => {
    const number = Number(value);
    return value === null || typeof value === 'object' || Number.isNaN(number) ? -Infinity : number;
  };
  const order = (one: RankedRow, other: RankedRow): number =>
    Number(other.rank > one.rank) - Number(one.rank > other.rank) || byName.compare(one.name, other.name);
  const ranked = rows.map((row) => ({ row, rank: rank(row[column]), name: String(row[0]) }));
  return ranked.sort(order).map(({ row }) => row);
};
