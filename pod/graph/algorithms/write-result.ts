import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { type KernelResult, type NodeValues, type PairScore, type ValueType } from './algorithm';

interface ResultShape {
  readonly valueType: ValueType | null;
  /** A path in the words of the instance's own algorithm. */
  readonly native: boolean;
}

const PIECE = 64 * 1024;

/** Writes the JSON text of a result, nodes by their keys. Infinities and NaN are text, as everywhere in the API. */
export const writeResult = async (
  file: string,
  result: KernelResult,
  keys: readonly string[],
  shape: ResultShape,
): Promise<void> => {
  const stream = createWriteStream(file);
  const ended = finished(stream);
  let buffer = '';
  for (const piece of resultText(
    result,
    keys.map((key) => JSON.stringify(key)),
    shape,
  )) {
    buffer += piece;
    if (buffer.length < PIECE) continue;
    if (!stream.write(buffer)) await once(stream, 'drain');
    buffer = '';
  }
  stream.end(buffer);
  await ended;
};

const jsonNumber = (value: number): string => (Number.isFinite(value) ? String(value) : `"${value}"`);

/** The text in pieces; `keys` are JSON texts already. */
export function* resultText(
  result: KernelResult,
  keys: readonly string[],
  { valueType, native }: ResultShape,
): Generator<string> {
  const key = (node: number): string => keys[node] ?? 'null';
  const pairs = (rows: readonly PairScore[], measure: string): Generator<string> =>
    joined(
      '[',
      rows,
      ([a, b, value]) => `{"source":${key(a)},"target":${key(b)},"${measure}":${jsonNumber(value)}}`,
      ']',
    );
  switch (result.type) {
    case 'node_values':
      yield '{"type":"node_values","values":';
      yield* valuesText(result.values, keys, valueType);
      yield '}';
      return;
    case 'node_maps': {
      yield '{"type":"node_values","values":';
      let separator = '{';
      for (const [name, values] of Object.entries(result.maps)) {
        yield `${separator}${JSON.stringify(name)}:`;
        yield* valuesText(values, keys, valueType);
        separator = ',';
      }
      yield '}}';
      return;
    }
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

function* joined<A>(open: string, items: Iterable<A>, text: (item: A) => string, close: string): Generator<string> {
  let separator = open;
  for (const item of items) {
    yield separator + text(item);
    separator = ',';
  }
  yield separator === open ? open + close : close;
}

const valuesText = (values: NodeValues, keys: readonly string[], valueType: ValueType | null): Generator<string> => {
  const text = valueType === 'BOOL' ? (value: number): string => String(value !== 0) : jsonNumber;
  return joined('{', values.entries(), ([node, value]) => `${keys[node] ?? 'null'}:${text(value)}`, '}');
};
