import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { type KeyOf } from './node-keys';
import { topNodes } from './top-values';
import { type KernelResult, type NodeValues, type PairScore, type ValueType } from './algorithm';

interface ResultShape {
  readonly valueType: ValueType | null;
  /** A path in the words of the instance's own algorithm. */
  readonly native: boolean;
  /** How many of the values, highest first; null: all. */
  readonly top: number | null;
}

const PIECE = 64 * 1024;

/** Writes the JSON text of a result, nodes by their keys. Infinities and NaN are text, as everywhere in the API. */
export const writeResult = async (
  file: string,
  result: KernelResult,
  key: KeyOf,
  shape: ResultShape,
): Promise<void> => {
  const stream = createWriteStream(file);
  const ended = finished(stream);
  let buffer = '';
  for (const piece of resultText(result, (node) => JSON.stringify(key(node)), shape)) {
    buffer += piece;
    if (buffer.length < PIECE) continue;
    if (!stream.write(buffer)) await once(stream, 'drain');
    buffer = '';
  }
  stream.end(buffer);
  await ended;
};

const jsonNumber = (value: number): string => (Number.isFinite(value) ? String(value) : `"${value}"`);

/** The text in pieces; `key` answers JSON text. */
export function* resultText(
  result: KernelResult,
  key: KeyOf,
  { valueType, native, top }: ResultShape,
): Generator<string> {
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
      yield* nodeValuesText(result, key, { valueType, top });
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

function* nodeValuesText(
  result: NodeResult,
  key: KeyOf,
  { valueType, top }: Pick<ResultShape, 'valueType' | 'top'>,
): Generator<string> {
  yield '{"type":"node_values","values":';
  yield* ofEach(result, (values) => valuesText(values, key, valueType, top));
  if (top !== null) {
    yield ',"order":';
    yield* ofEach(result, (values) => joined('[', topNodes(values, top), key, ']'));
    const [values] = result.type === 'node_values' ? [result.values] : Object.values(result.maps);
    yield `,"total":${values?.length ?? 0}`;
  }
  yield '}';
}

/** The text of the values, or an object with the text of each of the maps. */
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

const valuesText = (
  values: NodeValues,
  key: KeyOf,
  valueType: ValueType | null,
  top: number | null,
): Generator<string> => {
  const text = valueType === 'BOOL' ? (value: number): string => String(value !== 0) : jsonNumber;
  const nodes = top === null ? values.keys() : topNodes(values, top);
  return joined('{', nodes, (node) => `${key(node)}:${text(values[node] ?? NaN)}`, '}');
};
