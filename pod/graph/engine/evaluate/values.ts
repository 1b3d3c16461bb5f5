import { readMoment } from '../moments';

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
  | Moment;

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
}

/** A date, a date with a time of day, or a number of days. */
export class Moment {
  constructor(
    readonly type: 'DATE' | 'TIMESTAMP' | 'DURATION',
    /** `2024-05-01`; `2024-05-01T10:30:00.000Z`, perhaps with six digits; or `P30D`. */
    readonly iso: string,
    /** Whether an engine returned it, such as a property: engines compare these with texts, too. */
    readonly isRead = false,
  ) {}

  /** The date or time of a text; null for any other text. */
  static read(type: 'DATE' | 'TIMESTAMP', text: string): Moment | null {
    const found = readMoment(text, type === 'TIMESTAMP');
    if (found === null) return null;
    const iso = new Date(found.milliseconds).toISOString();
    if (type === 'DATE') return new Moment(type, iso.slice(0, -14));
    const more = found.microseconds === 0 ? '' : String(found.microseconds).padStart(3, '0');
    return new Moment(type, `${iso.slice(0, -1)}${more}Z`);
  }

  /** In the format of openCypher: without zone, and without zeros at its end. */
  toString(): string {
    return this.type !== 'TIMESTAMP' ? this.iso : this.iso.replace(/0*Z$/, '').replace(/\.$/, '').replace(/:00$/, '');
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

/** The kind of a value, for messages. */
export const kindOf = (value: Value): string => {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'an integer';
  if (typeof value === 'number') return 'a float';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isList(value)) return 'a list';
  if (isMap(value)) return 'a map';
  if (value instanceof GraphNode) return 'a node';
  if (value instanceof Moment) return 'a date or time';
  return value instanceof GraphPath ? 'a path' : 'a relationship';
};
