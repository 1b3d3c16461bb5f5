import { type GraphAnswer } from '../engine/graph-engine';

/**
 * The nodes and edges anywhere in an answer, each once, as the JSON text of `{nodes, edges, …}`. An edge names its ends
 * `_from` and `_to` here. Ends that the query does not return are not added.
 */
export const subgraphText = (answer: GraphAnswer, executionTimeMs: number): string =>
  `{${entitiesText([answer.rowsJson])},"execution_time_ms":${executionTimeMs},` +
  `"truncated":${answer.truncated}${answer.warnings === undefined ? '' : `,"warnings":${JSON.stringify(answer.warnings)}`}}`;

/** The same of the rows of several answers, as members of an object. */
export const entitiesText = (rows: readonly string[]): string => {
  const nodes = new Map<string, string>();
  const edges = new Map<string, string>();
  const collect = (text: string): void => {
    const parts = jsonSlices(text);
    const [first, second] = parts;
    if (first?.name === '_id' && second?.name === '_label') nodes.set(first.text, text);
    else if (first?.name === '_id' && second?.name === '_type') edges.set(first.text, edgeText(parts));
    else for (const part of parts) collect(part.text);
  };
  rows.forEach(collect);
  return (
    `"nodes":[${[...nodes.values()].join(',')}],"edges":[${[...edges.values()].join(',')}],` +
    `"node_count":${nodes.size},"edge_count":${edges.size}`
  );
};

const RENAMED: Readonly<Record<string, string>> = { _start: '_from', _end: '_to' };
const LEFT_OUT = new Set(['_src', '_dst']);

const edgeText = (parts: readonly JsonSlice[]): string => {
  const kept = parts.filter(({ name }) => !LEFT_OUT.has(name));
  return `{${kept.map(({ name, text }) => `${JSON.stringify(RENAMED[name] ?? name)}:${text}`).join(',')}}`;
};

/** The members of a JSON object or the elements of an array as the text spells them: numbers stay exact. */
interface JsonSlice {
  /** Name of a member; empty for an element. */
  readonly name: string;
  readonly text: string;
}

/** Takes valid JSON text of an object or array apart by one level; anything else has no parts. */
const jsonSlices = (text: string): readonly JsonSlice[] => {
  const isObject = text.startsWith('{');
  if (!isObject && !text.startsWith('[')) return [];
  const slices: JsonSlice[] = [];
  let name = '';
  let from = 1;
  let depth = 0;
  for (let at = 1; at < text.length; at++) {
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        depth++;
        break;
      case ':':
        if (depth > 0 || !isObject) break;
        name = String(JSON.parse(text.slice(from, at)));
        from = at + 1;
        break;
      case ',':
        if (depth > 0) break;
        slices.push({ name, text: text.slice(from, at) });
        from = at + 1;
        break;
      case '}':
      case ']':
        if (depth-- > 0) break;
        if (at > from) slices.push({ name, text: text.slice(from, at) });
        break;
    }
  }
  return slices;
};

/** Index of the closing quote of the string that opens at `start`. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
};
