import { scalar, type ColumnType, type GraphProperty } from '../../graph-schema';
import { isoDay } from '../../moments';

/** The context for encoding values of a graph. */
export interface EncodingContext {
  readonly tables: ReadonlyMap<string, EncodedTable>;
  /** JSON text of an `_id`, as `"Label:key"`. */
  readonly idOf: (id: RawId) => string;
}

/** The representation of a table's nodes or edges in answers. */
export interface EncodedTable {
  /** The label or edge type. */
  readonly shownName: string;
  /** The key of a node is first. */
  readonly properties: readonly GraphProperty[];
}

/** Called for every value that could not be encoded exactly. */
export interface InexactSink {
  /** A value that is not a property of a node or relationship. */
  readonly value: () => void;
  readonly property: (key: string, type: ColumnType) => void;
}

/** Exact values of one entity's properties, by the keys of `PropertyNeeds`. */
export type ExactProperties = (key: string) => unknown;

export const noExactProperties: ExactProperties = () => undefined;

/** Encodes the values of a column as JSON. */
export class ValueEncoder {
  constructor(
    private readonly context: EncodingContext,
    private readonly inexact: InexactSink,
  ) {}

  /** JSON text of a value. */
  encode(value: unknown, type: ColumnType, exactAt: ExactProperties = noExactProperties): string {
    if (value === null || value === undefined) return 'null';
    switch (type.kind) {
      case 'scalar': {
        if (isRawId(value)) return this.context.idOf(value);
        const encoded = encodeScalar(value, type.name);
        if (!encoded.exact) this.inexact.value();
        return encoded.json;
      }
      case 'list': {
        const items = Array.isArray(value) ? value : [value];
        return `[${items.map((item, index) => this.encode(item, type.item, nth(exactAt, index))).join(',')}]`;
      }
      case 'map':
        return encodeObject(value, (_, item) => this.encode(item, type.value));
      case 'struct': {
        const types = new Map(type.fields.map((field) => [field.name, field.type]));
        return encodeObject(value, (name, item) => this.encode(item, types.get(name) ?? scalar('ANY')));
      }
      case 'node':
        return isRawEntity(value) ? this.node(value, exactAt) : 'null';
      case 'rel':
        return isRawRelationship(value) ? this.relationship(value, exactAt) : 'null';
      case 'path':
        return isRawPath(value) ? this.path(value, exactAt) : 'null';
    }
  }

  private node(node: RawEntity, exactAt: ExactProperties, part = ''): string {
    const head = [`"_id":${this.context.idOf(node._id)}`, `"_label":${JSON.stringify(this.shownName(node))}`];
    return `{${[...head, ...this.properties(node, exactAt, part)].join(',')}}`;
  }

  private relationship(rel: RawRelationship, exactAt: ExactProperties, part = ''): string {
    const [start, end] = [this.context.idOf(rel._src), this.context.idOf(rel._dst)];
    const type = this.shownName(rel);
    const head = [
      `"_id":${JSON.stringify(`${type}:${rel._id.offset}`)}`,
      `"_type":${JSON.stringify(type)}`,
      `"_start":${start}`,
      `"_end":${end}`,
      `"_src":${start}`,
      `"_dst":${end}`,
    ];
    return `{${[...head, ...this.properties(rel, exactAt, part)].join(',')}}`;
  }

  private shownName({ _label }: RawEntity): string {
    return this.context.tables.get(_label)?.shownName ?? _label;
  }

  private properties(entity: RawEntity, exactAt: ExactProperties, part: string): readonly string[] {
    return (this.context.tables.get(entity._label)?.properties ?? []).map((property) => {
      const key = part + property.name;
      const json = this.property(exactAt(key) ?? entity[property.name], property, key);
      return `${JSON.stringify(property.name)}:${json}`;
    });
  }

  private property(value: unknown, { type, wholeMilliseconds }: GraphProperty, key: string): string {
    if (value instanceof Date && wholeMilliseconds && !Number.isNaN(value.getTime())) return `"${value.toISOString()}"`;
    const onInexact = (): void => this.inexact.property(key, type);
    return new ValueEncoder(this.context, { value: onInexact, property: onInexact }).encode(value, type);
  }

  private path({ _nodes, _rels }: RawPath, exactAt: ExactProperties): string {
    const nodes = _nodes.map((node, at) => this.node(node, nth(exactAt, at), 'nodes/'));
    const rels = _rels.map((rel, at) => this.relationship(rel, nth(exactAt, at), 'rels/'));
    // A path starts and ends with a node; only the relationships of a variable-length pattern may start with a
    // relationship.
    const steps = Array.from({ length: Math.max(nodes.length, rels.length) }, (_, at) => [nodes[at], rels[at]]);
    const ordered = nodes.length < rels.length ? steps.map(([node, rel]) => [rel, node]) : steps;
    return `[${ordered.flat().filter(Boolean).join(',')}]`;
  }
}

const encodeObject = (value: unknown, encode: (name: string, item: unknown) => string): string => {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${encode(name, item)}`).join(',')}}`;
};

const nth = (exactAt: ExactProperties, index: number): ExactProperties => {
  if (exactAt === noExactProperties) return exactAt;
  return (key) => {
    const values = exactAt(key);
    return Array.isArray(values) ? (values[index] as unknown) : undefined;
  };
};

/** A node, relationship or path as returned by the binding. */
export interface RawId {
  readonly offset: number;
  readonly table: number;
}

export interface RawEntity extends Readonly<Record<string, unknown>> {
  readonly _label: string;
  readonly _id: RawId;
}

export interface RawRelationship extends RawEntity {
  readonly _src: RawId;
  readonly _dst: RawId;
}

export interface RawPath {
  readonly _nodes: readonly RawEntity[];
  readonly _rels: readonly RawRelationship[];
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

export const isRawId = (value: unknown): value is RawId =>
  isRecord(value) &&
  typeof value['offset'] === 'number' &&
  typeof value['table'] === 'number' &&
  // Properties of nodes may have these names, too.
  Object.keys(value).length === 2;

export const isRawEntity = (value: unknown): value is RawEntity =>
  isRecord(value) && typeof value['_label'] === 'string' && isRawId(value['_id']);

export const isRawRelationship = (value: unknown): value is RawRelationship =>
  isRawEntity(value) && isRawId(value['_src']) && isRawId(value['_dst']);

export const isRawPath = (value: unknown): value is RawPath =>
  isRecord(value) &&
  Array.isArray(value['_nodes']) &&
  value['_nodes'].every(isRawEntity) &&
  Array.isArray(value['_rels']) &&
  value['_rels'].every(isRawRelationship);

export const idText = ({ table, offset }: RawId): string => `${table}:${offset}`;

/** The JSON text of a rounded value looks exact: `exact` is false for it. */
export interface EncodedScalar {
  readonly json: string;
  readonly exact: boolean;
}

const exact = (json: string): EncodedScalar => ({ json, exact: true });

/**
 * JSON text of a value without parts. Values of types that the binding rounds are either raw, and marked if they may be
 * rounded, or cast to text in the engine, and exact.
 */
export const encodeScalar = (value: unknown, type: string): EncodedScalar => {
  if (value === null || value === undefined) return exact('null');
  if (typeof value === 'string') return encodeText(value, type);
  if (typeof value === 'boolean') return exact(String(value));
  if (typeof value === 'bigint') return exact(value.toString());
  if (typeof value === 'number') return encodeNumber(value, type);
  if (value instanceof Date) return encodeDate(value, type);
  if (Buffer.isBuffer(value)) return exact(`"${value.toString('base64')}"`);
  return exact(JSON.stringify(value));
};

/** JavaScript does not have dates beyond the year 275760. */
const encodeDate = (date: Date, type: string): EncodedScalar => {
  if (Number.isNaN(date.getTime())) return { json: 'null', exact: false };
  const text = date.toISOString();
  return type === 'DATE' ? exact(`"${text.replace(/T.*/, '')}"`) : { json: `"${text}"`, exact: false };
};

const encodeNumber = (value: number, type: string): EncodedScalar => {
  if (type === 'INTERVAL' || type.startsWith('DECIMAL')) return { json: String(value), exact: false };
  if (!Number.isFinite(value)) return exact(`"${value}"`);
  const rounded = type !== 'DOUBLE' && type !== 'FLOAT' && !Number.isSafeInteger(value);
  return { json: String(value), exact: !rounded };
};

const encodeText = (text: string, type: string): EncodedScalar => {
  if (/^(U?INT\d|SERIAL|DECIMAL)/.test(type))
    return { json: text, exact: /^-?\d+(\.\d+)?$/.test(text) && isWhole(text, type) };
  if (type === 'DATE' || type.startsWith('TIMESTAMP')) return exact(JSON.stringify(isoTime(text)));
  if (type === 'INTERVAL') return exact(JSON.stringify(isoDuration(text)));
  // If labels have one property name with different types, the engine converts all values to text.
  return { json: JSON.stringify(text), exact: !['DOUBLE', 'FLOAT', 'BOOL'].includes(type) };
};

const isWhole = (text: string, type: string): boolean => type.startsWith('DECIMAL') || !text.includes('.');

/**
 * Converts the engine's `2024-01-31` and `0044-03-15 (BC) 10:00:00.123456` in UTC to ISO 8601: milliseconds always,
 * further digits if not zero.
 */
const isoTime = (text: string): string => {
  const parts = /^(\d+)-(\d\d-\d\d)( \(BC\))?(?: (\d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00(?::00)?)?)?$/.exec(text);
  if (parts === null) return text;
  const [, year = '', monthAndDay = '', bc, time, fraction = ''] = parts;
  const day = isoDay(bc === undefined ? Number(year) : 1 - Number(year), monthAndDay);
  return time === undefined ? day : `${day}T${time}.${fraction.replace(/0+$/, '').padEnd(3, '0')}Z`;
};

/** Converts the engine's `1 year 2 months 3 days 04:05:06.7` to ISO 8601. */
const isoDuration = (text: string): string => {
  const days = [...text.matchAll(/(-?\d+) ([ymd])/g)].map(([, count = '', unit = '']) => count + unit.toUpperCase());
  const [, sign = '', hours, minutes, seconds] = /(-?)(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text) ?? [];
  const clock = [`${Number(hours ?? 0)}H`, `${Number(minutes ?? 0)}M`, `${Number(seconds ?? 0)}S`];
  const time = clock.filter((part) => !/^0[HMS]$/.test(part)).map((part) => sign + part);
  if (days.length + time.length === 0) return 'PT0S';
  return `P${days.join('')}${time.length === 0 ? '' : `T${time.join('')}`}`;
};
