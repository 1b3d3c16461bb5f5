import { fail, unsupported } from '../evaluation-fault';
import { GraphNode, GraphPath, GraphRelationship, isList, isMap, type Value } from '../values';
import { type FunctionTable, strict, wrong } from './function-table';

const ofList = (name: string, apply: (list: readonly Value[]) => Value): FunctionTable[string] =>
  strict((list = null) => (isList(list) ? apply(list) : wrong(name, list)));

const sizeOf = (value: Value): Value => {
  if (typeof value === 'string') return BigInt([...value].length);
  return isList(value) ? BigInt(value.length) : wrong('size', value);
};

const MAX_LENGTH = 100_000n;

const range = (from: Value, to: Value, step: Value): Value => {
  if (typeof from !== 'bigint' || typeof to !== 'bigint' || typeof step !== 'bigint')
    return wrong('range', from, to, step);
  if (step === 0n) return fail('a range with the step 0');
  if ((to - from) / step > MAX_LENGTH) return unsupported('a range that is too long');
  const items: bigint[] = [];
  for (let item = from; step > 0n ? item <= to : item >= to; item += step) items.push(item);
  return items;
};

const propertiesOf = (name: string, value: Value): ReadonlyMap<string, Value> => {
  if (isMap(value)) return value;
  return value instanceof GraphNode || value instanceof GraphRelationship ? value.properties : wrong(name, value);
};

const ofNode = (name: string, apply: (node: GraphNode) => Value): FunctionTable[string] =>
  strict((node = null) => (node instanceof GraphNode ? apply(node) : wrong(name, node)));

const ofRelationship = (name: string, apply: (relationship: GraphRelationship) => Value): FunctionTable[string] =>
  strict((found = null) => (found instanceof GraphRelationship ? apply(found) : wrong(name, found)));

const ofPath = (name: string, apply: (path: GraphPath) => Value): FunctionTable[string] =>
  strict((path = null) => (path instanceof GraphPath ? apply(path) : wrong(name, path)));

const idOf = (name: string, value: Value): number =>
  value instanceof GraphNode || value instanceof GraphRelationship ? value.id : wrong(name, value);

/** Functions of lists, maps, nodes, relationships and paths. */
export const listFunctions: FunctionTable = {
  SIZE: strict((value = null) => sizeOf(value)),
  HEAD: ofList('head', (list) => list[0] ?? null),
  LAST: ofList('last', (list) => list.at(-1) ?? null),
  TAIL: ofList('tail', (list) => list.slice(1)),
  REVERSE: strict((value = null) => {
    if (typeof value === 'string') return [...value].reverse().join('');
    return isList(value) ? [...value].reverse() : wrong('reverse', value);
  }),
  RANGE: strict((from = null, to = null, step = 1n) => range(from, to, step)),
  ISEMPTY: strict((value = null) => (isMap(value) ? value.size === 0 : sizeOf(value) === 0n)),
  COALESCE: (...values) => values.find((value) => value !== null) ?? null,
  EXISTS: (value = null) => (typeof value === 'boolean' ? value : value !== null),
  KEYS: strict((value = null) =>
    [...propertiesOf('keys', value)].flatMap(([key, item]) => (isMap(value) || item !== null ? [key] : [])),
  ),
  PROPERTIES: strict((value = null) => propertiesOf('properties', value)),
  LABELS: ofNode('labels', ({ labels }) => labels),
  ID: strict((value = null) => BigInt(idOf('id', value))),
  ELEMENTID: strict((value = null) => String(idOf('elementId', value))),
  TYPE: ofRelationship('type', ({ type }) => type),
  STARTNODE: ofRelationship('startNode', ({ start }) => start),
  ENDNODE: ofRelationship('endNode', ({ end }) => end),
  NODES: ofPath('nodes', ({ nodes }) => nodes),
  RELATIONSHIPS: ofPath('relationships', ({ relationships }) => relationships),
  LENGTH: ofPath('length', ({ relationships }) => BigInt(relationships.length)),
};
