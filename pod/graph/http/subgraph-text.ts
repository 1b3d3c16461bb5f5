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

/** A node or an edge that is being read. */
interface Entity {
  readonly id: string;
  readonly isNode: boolean;
  readonly start: number;
  /** Number of containers around its members. */
  readonly depth: number;
  /** Its members as the text spells them: numbers stay exact. */
  readonly members: string[];
  /** Where the next member begins. */
  from: number;
}

/** The beginning of an entity: an object whose first member is a scalar `_id`, and the second one its kind. */
const ENTITY = /\{"_id":("(?:[^"\\]|\\.)*"|[^"{[,]+),"(_label|_type)":/y;

/** Reads valid JSON text once, from left to right, and collects the entities; those within an entity are part of it. */
const collectEntities = async (text: string, entities: Entities, pause: () => Promise<unknown>): Promise<void> => {
  const punctuation = /["{}[\],]/g;
  let nextPause = CHARACTERS_PER_TURN;
  let depth = 0;
  let entity = null as Entity | null;
  for (let match = punctuation.exec(text); match !== null; match = punctuation.exec(text)) {
    const at = match.index;
    const isOpening = match[0] === '{' || match[0] === '[';
    if (at >= nextPause) {
      await pause();
      nextPause += CHARACTERS_PER_TURN;
    }
    if (match[0] === '"') punctuation.lastIndex = endOfString(text, at) + 1;
    else if (isOpening) {
      depth++;
      entity ??= entityAt(text, at, depth);
    } else {
      if (entity?.depth === depth) {
        entity.members.push(text.slice(entity.from, at));
        entity.from = at + 1;
      }
      if (match[0] === ',') continue;
      if (entity?.depth === depth) {
        add(entities, entity, text.slice(entity.start, at + 1));
        entity = null;
      }
      depth--;
    }
  }
};

const entityAt = (text: string, start: number, depth: number): Entity | null => {
  ENTITY.lastIndex = start;
  const [, id, kind] = ENTITY.exec(text) ?? [];
  return id === undefined ? null : { id, isNode: kind === '_label', start, depth, members: [], from: start + 1 };
};

const add = ({ nodes, edges }: Entities, { id, isNode, members }: Entity, text: string): void => {
  if (isNode) return void nodes.set(id, text);
  const shown = members.filter((member) => !/^"_(?:src|dst)":/.test(member));
  const renamed = shown.map((member) => member.replace(/^"_start":/, '"_from":').replace(/^"_end":/, '"_to":'));
  edges.set(id, `{${renamed.join(',')}}`);
};

/** Index of the closing quote of the string that opens at `start`. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first--;
    if ((end - first) % 2 === 0) return end;
  }
};
