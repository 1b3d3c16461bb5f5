import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { DOUBLE, DuckDBDataChunk, UINTEGER } from '@duckdb/node-api';
import { type DuckdbSession, sqlString } from '../duckdb/duckdb-session';
import { type KernelResult, type NodeValues, type PairScore, type ValueType } from './algorithm';
import { type ResultShape } from './algorithm-job';
import { type KeyOf } from './node-keys';
import { numberedTable } from './read-graph';

const PIECE = 64 * 1024;

/** Writes the JSON text of a result, with the keys of nodes. Infinities and NaN are text, as everywhere in the API. */
export const writeResult = (file: string, result: KernelResult, key: KeyOf, shape: ResultShape): Promise<void> =>
  pipeline(inPieces(resultText(result, (node) => JSON.stringify(key(node)), shape)), createWriteStream(file));

function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

const jsonNumber = (value: number): string => (Number.isFinite(value) ? String(value) : `"${value}"`);

/** The text in chunks; `key` returns JSON text. */
export function* resultText(result: KernelResult, key: KeyOf, shape: ResultShape): Generator<string> {
  const { native } = shape;
  const pairs = (rows: readonly PairScore[], measure: string): Generator<string> =>
    joined(
      '[',
      rows,
      ([a, b, value]) => `{"source":${key(a)},"target":${key(b)},"${measure}":${jsonNumber(value)}}`,
      ']',
    );
  switch (result.type) {
    case 'node_values':
    case 'node_maps':
      yield* nodeValuesText(result, key, shape);
      return;
    case 'scalar': {
      const value = typeof result.value === 'number' ? jsonNumber(result.value) : String(result.value);
      yield `{"type":"scalar","value":${value}}`;
      return;
    }
    case 'path':
    case 'order': {
      const length = Math.max(0, result.nodes.length - 1);
      const weight = jsonNumber(result.type === 'path' ? result.totalWeight : length);
      yield native ? '{"path":' : '{"type":"path","path":';
      yield* joined('[', Array.from(result.nodes), key, ']');
      yield native
        ? `,"total_weight":${weight},"hop_count":${length}}`
        : `,"length":${length},"total_weight":${weight}}`;
      return;
    }
    case 'edge_predictions':
      yield '{"type":"edge_predictions","predictions":';
      yield* pairs(result.scores, 'score');
      yield '}';
      return;
    case 'edges':
      yield '{"type":"edges","edges":';
      yield* pairs(result.edges, 'weight');
      yield `,"total_weight":${jsonNumber(result.edges.reduce((sum, [, , weight]) => sum + weight, 0))}}`;
      return;
  }
}

type NodeResult = Extract<KernelResult, { readonly type: 'node_values' | 'node_maps' }>;

function* nodeValuesText(result: NodeResult, key: KeyOf, shape: ResultShape): Generator<string> {
  const { top } = shape;
  yield '{"type":"node_values","values":';
  yield* ofEach(result, (values) => valuesText(values, key, shape));
  if (top !== null) {
    yield ',"order":';
    yield* ofEach(result, (values) => joined('[', topNodes(values, top), key, ']'));
    const [values] = result.type === 'node_values' ? [result.values] : Object.values(result.maps);
    yield `,"total":${values?.length ?? 0}`;
  }
  yield '}';
}

/** The text of the values, or an object with the text of each map. */
function* ofEach(result: NodeResult, text: (values: NodeValues) => Generator<string>): Generator<string> {
  if (result.type === 'node_values') {
    yield* text(result.values);
    return;
  }
  let separator = '{';
  for (const [name, values] of Object.entries(result.maps)) {
    yield `${separator}${JSON.stringify(name)}:`;
    yield* text(values);
    separator = ',';
  }
  yield '}';
}

function* joined<A>(open: string, items: Iterable<A>, text: (item: A) => string, close: string): Generator<string> {
  let separator = open;
  for (const item of items) {
    yield separator + text(item);
    separator = ',';
  }
  yield separator === open ? open + close : close;
}

const valuesText = (values: NodeValues, key: KeyOf, { valueType, top }: ResultShape): Generator<string> => {
  const text = valueType === 'BOOL' ? (value: number): string => String(value !== 0) : jsonNumber;
  const nodes = top === null ? values.keys() : topNodes(values, top);
  return joined('{', nodes, (node) => `${key(node)}:${text(values[node] ?? NaN)}`, '}');
};

const CHUNK_ROWS = 2048;
const SQL_TYPE: Readonly<Record<ValueType, string>> = { DOUBLE: 'DOUBLE', INT64: 'BIGINT', BOOL: 'BOOLEAN' };

/** Writes the value of every numbered node to one Parquet file per label, with the columns `key` and `value`. */
export const writeValues = async (
  session: DuckdbSession,
  values: NodeValues,
  valueType: ValueType,
  files: readonly string[],
): Promise<void> => {
  await session.run('CREATE TABLE computed(number UINTEGER, value DOUBLE)');
  const appender = await session.connection.createAppender('computed');
  for (let start = 0; start < values.length; start += CHUNK_ROWS) {
    const part = values.subarray(start, start + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create([UINTEGER, DOUBLE]);
    chunk.setColumns([Array.from(part, (_, row) => start + row), [...part]]);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  for (const [place, file] of files.entries()) {
    await session.run(
      `COPY (SELECT n.key, c.value::${SQL_TYPE[valueType]} AS value FROM ${numberedTable(place)} AS n ` +
        `JOIN computed AS c USING (number)) TO ${sqlString(file)} (FORMAT parquet)`,
    );
  }
};

/** Nodes with the highest values, highest first; nodes of equal values in the order of their keys. */
export const topNodes = (values: NodeValues, top: number): readonly number[] => {
  const rank = (value: number | undefined): number => (value === undefined || Number.isNaN(value) ? -Infinity : value);
  const sorted = Float64Array.from(values, rank).sort();
  const lowest = rank(sorted[Math.max(0, sorted.length - top)]);
  const [above, equal]: [number[], number[]] = [[], []];
  for (const [node, value] of values.entries()) {
    if (rank(value) > lowest) above.push(node);
    else if (rank(value) === lowest && equal.length < top) equal.push(node);
  }
  // Compared without subtraction: the difference of two infinities is NaN.
  above.sort((a, b) => Number(rank(values[a]) < rank(values[b])) - Number(rank(values[a]) > rank(values[b])) || a - b);
  return [...above, ...equal].slice(0, top);
};

/** The nodes in a result; null: all nodes, or too many to list. */
export const nodesOf = (result: KernelResult, top: number | null): readonly number[] | null => {
  switch (result.type) {
    case 'scalar':
      return [];
    case 'path':
      return result.nodes;
    case 'node_values':
      return top === null ? null : topNodes(result.values, top);
    case 'node_maps':
      return top === null ? null : Object.values(result.maps).flatMap((values) => topNodes(values, top));
    case 'order':
    case 'edge_predictions':
    case 'edges':
      return null;
  }
};
