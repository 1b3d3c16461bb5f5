import { setImmediate as letOthersRun } from 'node:timers/promises';
import { numberSet } from './number-set';
import { type SavedValues } from './saved-values';
import { addTo, addUp, sortedEnds, type EdgeEnds } from './sorted-ends';

/** Nodes for which the module makes room at once: matrices have as many rows as there is room for nodes. */
const NODES_AT_ONCE = 16_384;

export const matrixRows = (nodes: number): number => Math.max(1, Math.ceil(nodes / NODES_AT_ONCE)) * NODES_AT_ONCE;

/** A square matrix by its rows: where each begins, the columns in rising order, and numbers, or only that they are there. */
interface RowMatrix {
  readonly begins: Uint32Array;
  readonly columns: Uint32Array;
  /** Numbers of 8 bytes each; null: true everywhere. */
  readonly entries: Uint32Array | null;
}

/** Edges of one type with the same ends; the matrix holds the first of them. */
interface ParallelEdges {
  readonly from: number;
  readonly to: number;
  readonly edges: number[];
}

/** Says which nodes have a label: those that follow `first`. */
export const saveLabelMatrix = (values: SavedValues, rows: number, first: number, count: number): void =>
  saveMatrix(values, rows, {
    begins: filled(rows + 1, (row) => Math.min(Math.max(row - first, 0), count)),
    columns: filled(count, (at) => first + at),
    entries: null,
  });

/** Says which label each node has; `labels` by node. */
export const saveLabelsMatrix = (values: SavedValues, rows: number, labels: Uint32Array): void =>
  saveMatrix(values, rows, {
    begins: filled(rows + 1, (row) => Math.min(row, labels.length)),
    columns: labels,
    entries: null,
  });

/** Says which edge of a type joins which nodes; `first`: the number of the type's first edge. */
export const saveRelation = async (
  values: SavedValues,
  rows: number,
  joined: JoinedNodes,
  first: number,
): Promise<void> => {
  const { begins, columns, edges, parallel } = joined;
  const entries = new Uint32Array(2 * edges.length);
  for (let at = 0; at < edges.length; at++) entries[2 * at] = first + (edges[at] ?? 0);
  saveMatrix(values, rows, { begins, columns, entries });
  values.number(parallel.length);
  if (parallel.length === 0) return;
  values.number(parallel.length);
  for (const [at, { from, to, edges: numbers }] of parallel.entries()) {
    if (at % PAIRS_AT_ONCE === 0) await letOthersRun();
    values.number(from);
    values.number(to);
    values.bytes(numberSet(numbers.map((edge) => first + edge)));
  }
  // None is in what changed since.
  values.number(0);
};

/** Says which nodes are joined, by edges of whatever type. */
export const saveAdjacency = (values: SavedValues, rows: number, { begins, columns }: JoinedNodes): void =>
  saveMatrix(values, rows, { begins, columns, entries: null });

/** Which nodes edges join, by rows, with the first edge of each pair, and the pairs with more than one. */
export interface JoinedNodes {
  readonly begins: Uint32Array;
  readonly columns: Uint32Array;
  readonly edges: Uint32Array;
  readonly parallel: readonly ParallelEdges[];
}

export const joinedNodes = async (ends: EdgeEnds, rows: number): Promise<JoinedNodes> => {
  const { from, to, edges } = await sortedEnds(ends, rows);
  const begins = new Uint32Array(rows + 1);
  const parallel: ParallelEdges[] = [];
  let length = 0;
  for (let at = 0; at < edges.length; at++) {
    const start = from[at] ?? 0;
    const end = to[at] ?? 0;
    const edge = edges[at] ?? 0;
    if (length > 0 && from[length - 1] === start && to[length - 1] === end) {
      const known = parallel.at(-1);
      if (known?.from === start && known.to === end) known.edges.push(edge);
      else parallel.push({ from: start, to: end, edges: [edges[length - 1] ?? 0, edge] });
      continue;
    }
    // What has been read makes room.
    from[length] = start;
    to[length] = end;
    edges[length++] = edge;
    addTo(begins, start + 1, 1);
  }
  addUp(begins);
  return { begins, columns: to.subarray(0, length), edges: edges.subarray(0, length), parallel };
};

const filled = (length: number, value: (at: number) => number): Uint32Array => {
  const numbers = new Uint32Array(length);
  for (let at = 0; at < length; at++) numbers[at] = value(at);
  return numbers;
};

/** Pairs of nodes with parallel edges that are written before others run. */
const PAIRS_AT_ONCE = 10_000;
const CONTAINER_BYTES = 608;
const SPARSE = 2;
const HYPERSPARSE = 1;

/** A matrix of the module's: what it holds, and, empty, what was added and what was removed since. */
const saveMatrix = (values: SavedValues, rows: number, matrix: RowMatrix): void => {
  const type = matrix.entries === null ? 'GrB_BOOL' : 'GrB_UINT64';
  if (matrix.columns.length === 0) saveEmpty(values, rows, type);
  else saveFilled(values, rows, matrix, type);
  saveEmpty(values, rows, type);
  saveEmpty(values, rows, 'GrB_BOOL');
};

const saveFilled = (values: SavedValues, rows: number, { begins, columns, entries }: RowMatrix, type: string): void => {
  let rowsInUse = 0;
  for (let row = 0; row < rows; row++) if (begins[row] !== begins[row + 1]) rowsInUse++;
  values.bytes(container(rows, rowsInUse, columns.length, SPARSE, entries === null));
  if (entries === null) saveVector(values, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), type, 1);
  else saveVector(values, bytesOf(entries), type, columns.length);
  saveVector(values, NOTHING, 'GrB_INT32', 0);
  saveVector(values, bytesOf(begins), 'GrB_UINT32', begins.length);
  saveVector(values, bytesOf(columns), 'GrB_INT32', columns.length);
  saveVector(values, NOTHING, 'GrB_INT8', 0);
};

const saveEmpty = (values: SavedValues, rows: number, type: string): void => {
  values.bytes(container(rows, 0, 0, HYPERSPARSE, false));
  saveVector(values, NOTHING, type, 0);
  saveVector(values, Buffer.alloc(8), 'GrB_INT32', 0);
  saveVector(values, Buffer.alloc(8), 'GrB_UINT32', 1);
  saveVector(values, NOTHING, 'GrB_INT32', 0);
  saveVector(values, NOTHING, 'GrB_INT8', 0);
};

const NOTHING = Buffer.alloc(0);

/** GraphBLAS' description of a matrix; the addresses in it count for nothing. */
const container = (rows: number, rowsInUse: number, entries: number, format: number, iso: boolean): Buffer => {
  const bytes = Buffer.alloc(CONTAINER_BYTES);
  for (const [at, value] of [rows, rows, rowsInUse, -1, entries].entries())
    bytes.writeBigInt64LE(BigInt(value), at * 8);
  bytes.writeInt32LE(format, 128);
  bytes.writeUInt8(iso ? 1 : 0, 448);
  return bytes;
};

const saveVector = (values: SavedValues, bytes: Uint8Array, type: string, entries: number): void => {
  const length = values.bytes(bytes);
  values.text(type);
  values.number(entries);
  values.number(length);
  values.number(0);
};

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
