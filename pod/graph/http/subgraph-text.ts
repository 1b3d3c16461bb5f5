import { setImmediate as nextTurn } from 'node:timers/promises';
import { type GraphAnswer } from '../engine/graph-engine';

/** Characters that are read before other requests get a turn: health checks are answered on the same thread. */
const CHARACTERS_PER_TURN = 64 * 1024;

/**
 * The nodes and edges anywhere in an answer, each once, as the JSON text of `{nodes, edges, …}`. An edge names its ends
 * `_from` and `_to` here. Ends that the query does not return are not added.
 */
export const subgraphText = async (answer: GraphAnswer, executionTimeMs: number): Promise<string> =>
  `{${await entitiesText([answer.rowsJson])},"execution_time_ms":${executionTimeMs},` +
  `"truncated":${answer.truncated}${answer.warnings === undefined ? '' : `,"warnings":${JSON.stringify(answer.warnings)}`}}`;

/** The same of the rows of several answers, as members of an object; `pause` lets other requests run. */
export const entitiesText = async (
  rows: readonly string[],
  pause: () => Promise<unknown> = nextTurn,
): Promise<string> => {
  const entities: Entities = { nodes: new Map(), edges: new Map() };
  for (const text of rows) await collectEntities(text, entities, pause);
  const { nodes, edges } = entities;
  return (
    `"nodes":[${[...nodes.values()].join(',')}],"edges":[${[...edges.values()].join(',')}],` +
    `"node_count":${nodes.size},"edge_count":${edges.size}`
  );
};

/** The texts of nodes and edges by their ids. */
interface Entities {
  readonly nodes: Map<string, string>;
  readonly edges: Map<string, string>;
}

/** An object or array that is being read. */
interface Container {
  readonly start: number;
  readonly isObject: boolean;
  readonly members: Member[];
  /** Where the next member or element begins. */
  from: number;
  /** Name of the member that is being read, as JSON text. */
  name: string;
}

/** Name and value as the text spells them: numbers stay exact. */
interface Member {
  readonly name: string;
  readonly value: string;
}

/** Reads valid JSON text once, from left to right, and collects the entities; those within an entity are part of it. */
const collectEntities = async (text: string, entities: Entities, pause: () => Promise<unknown>): Promise<void> => {
  const open: Container[] = [];
  let nextPause = CHARACTERS_PER_TURN;
  /** Number of containers around the entity that is being read, itself included; 0: none. */
  let entityDepth = 0;
  const endMember = (container: Container, at: number): void => {
    if (!container.isObject || at === container.from || (entityDepth > 0 && open.length > entityDepth)) return;
    // Other objects are known by their first two members.
    if (entityDepth === 0 && container.members.length >= 2) return;
    container.members.push({ name: container.name, value: text.slice(container.from, at) });
  };
  for (let at = 0; at < text.length; at++) {
    if (at >= nextPause) {
      await pause();
      nextPause = at + CHARACTERS_PER_TURN;
    }
    const container = open.at(-1);
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        open.push({ start: at, isObject: text.charAt(at) === '{', members: [], from: at + 1, name: '' });
        break;
      case ':': {
        if (container === undefined) break;
        container.name = text.slice(container.from, at);
        container.from = at + 1;
        if (entityDepth === 0 && isEntity(container)) entityDepth = open.length;
        break;
      }
      case ',':
        if (container === undefined) break;
        endMember(container, at);
        container.from = at + 1;
        break;
      case '}':
      case ']':
        if (container === undefined) break;
        endMember(container, at);
        if (entityDepth === open.length) {
          add(entities, container.members, text.slice(container.start, at + 1));
          entityDepth = 0;
        }
        open.pop();
        break;
    }
  }
};

/** Whether the first member of an object is a scalar `_id`, and the second one, whose name was just read, its kind. */
const isEntity = ({ name, members: [first, ...others] }: Container): boolean =>
  first?.name === '"_id"' &&
  others.length === 0 &&
  /^[^{[]/.test(first.value) &&
  (name === '"_label"' || name === '"_type"');

const RENAMED: Readonly<Record<string, string>> = { '"_start"': '"_from"', '"_end"': '"_to"' };
const LEFT_OUT = new Set(['"_src"', '"_dst"']);

const add = ({ nodes, edges }: Entities, members: readonly Member[], text: string): void => {
  const [{ value: id } = { value: '' }, kind] = members;
  if (kind?.name === '"_label"') return void nodes.set(id, text);
  const shown = members.filter(({ name }) => !LEFT_OUT.has(name));
  edges.set(id, `{${shown.map(({ name, value }) => `${RENAMED[name] ?? name}:${value}`).join(',')}}`);
};

/** Index of the closing quote of the string that opens at `start`. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first--;
    if ((end - first) % 2 === 0) return end;
  }
};
