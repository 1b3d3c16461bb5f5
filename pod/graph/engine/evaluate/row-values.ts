import { Temporal } from 'temporal-polyfill';
import { JSON_TOKEN } from '../../../../domain/kernel/json-token';
import { isFloat, storedType, type ValueType } from '../cypher/value-type';
import { type GraphAnswer } from '../graph-engine';
import { type GraphSchema, propertiesByTable } from '../graph-schema';
import { type Row } from './context';
import { fail, unsupported } from './evaluation-fault';
import { Duration } from './temporal/duration';
import { Moment, storedMoment, TEMPORAL_TYPES } from './temporal/moment';
import { temporalValue } from './temporal/temporal-functions';
import { GraphNode, GraphPath, GraphRelationship, isList, isMap, type Value } from './values';

/** A JSON value with marked texts and numbers. */
type Marked = unknown;

/** Rows as JSON, where a text begins with `s` and a number is a text that begins with `n`, so that it is exact. */
export const markedRows = (rowsJson: string): readonly (readonly Marked[])[] => {
  const marked = rowsJson.replace(JSON_TOKEN, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`,
  );
  const rows: unknown = JSON.parse(marked);
  return Array.isArray(rows) ? rows.filter(Array.isArray) : [];
};

/** The Cypher value of a parameter. */
export const parameterValue = (json: unknown): Value => {
  if (json === null || json === undefined) return null;
  if (typeof json === 'boolean' || typeof json === 'string' || typeof json === 'bigint') return json;
  if (typeof json === 'number') return json;
  if (Array.isArray(json)) return json.map(parameterValue);
  if (typeof json === 'object')
    return new Map(Object.entries(json).map(([key, item]) => [key, parameterValue(item)] as const));
  return unsupported(`a ${typeof json}`);
};

/** Decodes the values of an engine's answer, and encodes values in the same way. */
export class RowValues {
  /** Nodes and relationships by their ids. */
  readonly #known = new Map<string, GraphNode | GraphRelationship>();
  readonly #json = new WeakMap<GraphNode | GraphRelationship, string>();

  readonly #ofNodes: ReturnType<typeof propertiesByTable>;
  readonly #ofRelationships: ReturnType<typeof propertiesByTable>;

  constructor(schema: GraphSchema) {
    this.#ofNodes = propertiesByTable(schema, 'node');
    this.#ofRelationships = propertiesByTable(schema, 'relationship');
  }

  /** The rows of an answer; `columns`: the names and types of its columns. */
  rows({ rowsJson }: GraphAnswer, columns: readonly (readonly [name: string, type: ValueType])[]): readonly Row[] {
    return markedRows(rowsJson).map(
      (cells) => new Map(columns.map(([name, type], at) => [name, this.#value(cells[at], type)])),
    );
  }

  #value(json: Marked, type: ValueType): Value {
    if (json === null || json === undefined || typeof json === 'boolean') return json ?? null;
    if (typeof json === 'string') return scalarOf(json, type);
    if (type.kind === 'list' && Array.isArray(json)) return json.map((item) => this.#value(item, type.item));
    if (type.kind === 'path' && Array.isArray(json)) return this.#path(json);
    if (type.kind === 'node' || type.kind === 'relationship') return this.#entity(json);
    return unsupported(`values of ${type.kind}`);
  }

  #path(parts: readonly Marked[]): GraphPath {
    const nodes = parts.filter((_, at) => at % 2 === 0).map((part) => this.#entity(part));
    const relationships = parts.filter((_, at) => at % 2 === 1).map((part) => this.#entity(part));
    return new GraphPath(
      nodes.filter((node) => node instanceof GraphNode),
      relationships.filter((found) => found instanceof GraphRelationship),
    );
  }

  #entity(json: Marked): GraphNode | GraphRelationship {
    const fields = new Map(Object.entries(json ?? {}).map(([key, field]) => [key.slice(1), field] as const));
    const id = keyOf(fields.has('_label'), fields.get('_id'));
    const found = this.#known.get(id) ?? this.#made(fields, this.#known.size + 1);
    this.#known.set(id, found);
    this.#json.set(found, unmarked(json));
    return found;
  }

  #made(fields: ReadonlyMap<string, Marked>, id: number): GraphNode | GraphRelationship {
    const label = fields.get('_label');
    const name = String(label ?? fields.get('_type')).slice(1);
    const stored = (label === undefined ? this.#ofRelationships : this.#ofNodes).get(name) ?? [];
    const values = stored.map((property) => {
      const value = this.#value(fields.get(property.name), storedType(property.type));
      return [property.name, value] as const;
    });
    const properties = new Map(values.filter(([, value]) => value !== null));
    if (label !== undefined) return new GraphNode(id, [name], properties);
    return new GraphRelationship(id, name, this.#end(fields.get('_start')), this.#end(fields.get('_end')), properties);
  }

  /** A node that is part of the answer, too. */
  #end(id: unknown): GraphNode {
    const found = this.#known.get(keyOf(true, id));
    return found instanceof GraphNode ? found : new GraphNode(0, [], new Unread());
  }

  /** JSON text of a value. */
  text(value: Value): string {
    if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
    if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `"${value}"`;
    if (typeof value === 'string') return JSON.stringify(value);
    if (isList(value)) return `[${value.map((item) => this.text(item)).join(',')}]`;
    if (isMap(value))
      return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${this.text(item)}`).join(',')}}`;
    if (value instanceof Moment) return JSON.stringify(value.answerText);
    if (value instanceof Duration) return JSON.stringify(String(value));
    if (value instanceof GraphPath) return this.text(value.parts);
    return this.#json.get(value) ?? fail('a node that was not read');
  }
}

/** A label and an edge type may have the same name. */
const keyOf = (isNode: boolean, id: unknown): string => `${isNode} ${JSON.stringify(id)}`;

/** The properties of a node that was not read. */
class Unread extends Map<string, Value> {
  override get(): never {
    return unsupported('a node that was not read');
  }
  override [Symbol.iterator](): never {
    return this.get();
  }
}

const scalarOf = (marked: string, type: ValueType): Value => {
  const text = marked.slice(1);
  const { kind } = type;
  if (type.kind === 'float') {
    // The property may be an integer in some tables, and one that a float cannot hold.
    const isInexact = /^-?\d+$/.test(text) && BigInt(text) !== BigInt(Number(text));
    if (isInexact) return unsupported('an integer beyond 2^53 beside floats');
    return isFloat(type) || /[.a-z]/i.test(text) ? Number(text) : unsupported('a number that may be an integer');
  }
  if (marked.startsWith('n')) {
    if (kind === 'integer') return BigInt(text);
    return /^-?\d+$/.test(text) ? unsupported('a number that may be a float') : Number(text);
  }
  if (kind === 'text') return text;
  if (kind === 'other' && /^(DATE$|TIMESTAMP)/.test(type.name) && /^\d{4}-/.test(text))
    return storedMoment(type.name === 'DATE' ? 'DATE' : 'TIMESTAMP', text);
  if (kind === 'other' && COMPUTED_TIMES.has(type.name)) return temporalValue(type.name, [text], EPOCH);
  return unsupported(`values of ${kind === 'other' ? type.name : kind}`);
};

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);

/** Types of columns that only the pod computes. */
export const COMPUTED_TIMES: ReadonlySet<string> = new Set([
  ...TEMPORAL_TYPES.filter((type) => type !== 'DATE'),
  'DURATION',
]);

/** JSON text without the marks. */
const unmarked = (json: Marked): string => {
  if (typeof json === 'string') return json.startsWith('n') ? json.slice(1) : JSON.stringify(json.slice(1));
  if (Array.isArray(json)) return `[${json.map(unmarked).join(',')}]`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json ?? null);
  return `{${Object.entries(json)
    .map(([key, item]) => `${JSON.stringify(key.slice(1))}:${unmarked(item)}`)
    .join(',')}}`;
};

/** The type of a column from its values, as in `GraphAnswer`. */
export const columnType = (values: readonly Value[]): string => {
  const [only = 'ANY', ...others] = new Set(values.flatMap((value) => (value === null ? [] : [typeName(value)])));
  return others.length > 0 ? 'ANY' : only;
};

const typeName = (value: Value): string => {
  if (typeof value === 'boolean') return 'BOOL';
  if (typeof value === 'bigint') return 'INT64';
  if (typeof value === 'number') return 'DOUBLE';
  if (typeof value === 'string') return 'STRING';
  if (isList(value)) return 'LIST';
  if (value instanceof Moment) return value.type;
  if (value instanceof Duration) return 'DURATION';
  if (value instanceof GraphNode) return 'NODE';
  if (value instanceof GraphRelationship) return 'REL';
  return value instanceof GraphPath ? 'PATH' : 'MAP';
};
