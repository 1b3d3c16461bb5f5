import { type GraphAnswer } from '../engine/graph-engine';
import { jsonSlices, type JsonSlice } from './json-slices';

/**
 * The nodes and edges anywhere in an answer, each once, as the JSON text of `{nodes, edges, …}`. An edge names its ends
 * `_from` and `_to` here. Ends that the query does not return are not added.
 */
export const subgraphText = (answer: GraphAnswer, executionTimeMs: number): string => {
  const nodes = new Map<string, string>();
  const edges = new Map<string, string>();
  const collect = (text: string): void => {
    const parts = jsonSlices(text);
    const [first, second] = parts;
    if (first?.name === '_id' && second?.name === '_label') nodes.set(first.text, text);
    else if (first?.name === '_id' && second?.name === '_type') edges.set(first.text, edgeText(parts));
    else for (const part of parts) collect(part.text);
  };
  collect(answer.rowsJson);
  return (
    `{"nodes":[${[...nodes.values()].join(',')}],"edges":[${[...edges.values()].join(',')}],` +
    `"node_count":${nodes.size},"edge_count":${edges.size},"execution_time_ms":${executionTimeMs},` +
    `"truncated":${answer.truncated}${answer.warnings === undefined ? '' : `,"warnings":${JSON.stringify(answer.warnings)}`}}`
  );
};

const RENAMED: Readonly<Record<string, string>> = { _start: '_from', _end: '_to' };
const LEFT_OUT = new Set(['_src', '_dst']);

const edgeText = (parts: readonly JsonSlice[]): string => {
  const kept = parts.filter(({ name }) => !LEFT_OUT.has(name));
  return `{${kept.map(({ name, text }) => `${JSON.stringify(RENAMED[name] ?? name)}:${text}`).join(',')}}`;
};
