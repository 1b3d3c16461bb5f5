import { Duration } from './temporal/duration';
import { Moment, type MomentType } from './temporal/moment';

/** A value of Cypher: an integer is a bigint, a float a number. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly Value[]
  | ReadonlyMap<string, Value>
  | GraphNode
  | GraphRelationship
  | GraphPath
  | Moment
  | Duration;

export type ValueMap = ReadonlyMap<string, Value>;

export class GraphNode {
  constructor(
    readonly id: number,
    readonly labels: readonly string[],
    readonly properties: ValueMap,
  ) {}
}

export class GraphRelationship {
  constructor(
    readonly id: number,
    readonly type: string,
    readonly start: GraphNode,
    readonly end: GraphNode,
    readonly properties: ValueMap,
  ) {}
}

/** One node more than relationships. */
export class GraphPath {
  constructor(
    readonly nodes: readonly GraphNode[],
    readonly relationships: readonly GraphRelationship[],
  ) {}

  /** Nodes and relationships in turn. */
  get parts(): readonly Value[] {
    return this.nodes.flatMap((node, at) => [node, this.relationships[at] ?? []].flat());
  }
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly relationships: readonly GraphRelationship[];
}

export const EMPTY_GRAPH: Graph = { nodes: [], relationships: [] };

/** True, false, or unknown. */
export type Truth = boolean | null;

export const isNumber = (value: Value): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isMap = (value: Value): value is ValueMap => value instanceof Map;

const MOMENT_KINDS: Readonly<Record<MomentType, string>> = {
  DATE: 'a date',
  TIME: 'a time',
  LOCALTIME: 'a local time',
  DATETIME: 'a date with a time and a zone',
  LOCALDATETIME: 'a local date with a time',
  TIMESTAMP: 'a timestamp',
};

/** The kind of a value, for messages. */
export const kindOf = (value: Value): string => {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'an integer';
  if (typeof value === 'number') return 'a float';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isList(value)) return 'a list';
  if (isMap(value)) return 'a map';
  if (value instanceof GraphNode) return 'a node';
  if (value instanceof Moment) return MOMENT_KINDS[value.type];
  if (value instanceof Duration) return 'a duration';
  return value instanceof GraphPath ? 'a path' : 'a relationship';
};
