import { type ColumnType } from '../column-type';
import { type GraphProperty } from '../graph-schema';
import { encodeScalar } from './encode-scalar';
import { isRawEntity, isRawId, isRawPath, isRawRelationship, isRecord } from './entity';
import { type RawEntity, type RawId, type RawRelationship } from './entity';

/** What encoding needs to know about the graph. */
export interface EncodingContext {
  /** Properties of a label or edge type, the key of a node first. */
  readonly propertiesOf: (table: string) => readonly GraphProperty[];
  /** JSON text of an `_id`, as `"Label:key"`. */
  readonly idOf: (id: RawId) => string;
}

/** Told about everything that could not be encoded exactly. */
export interface InexactSink {
  /** A value that is not a property of a node or relationship. */
  readonly value: () => void;
  readonly property: (key: string, type: ColumnType) => void;
}

/** Exact values of one entity's properties, by the keys of `PropertyNeeds`. */
export type ExactProperties = (key: string) => unknown;

export const noExactProperties: ExactProperties = () => undefined;

/** JSON text of a value as answers show it. */
export const encodeValue = (
  value: unknown,
  type: ColumnType,
  context: EncodingContext,
  inexact: InexactSink,
  exactAt: ExactProperties = noExactProperties,
): string => {
  if (value === null || value === undefined) return 'null';
  switch (type.kind) {
    case 'scalar': {
      if (isRawId(value)) return context.idOf(value);
      const encoded = encodeScalar(value, type.name);
      if (!encoded.exact) inexact.value();
      return encoded.json;
    }
    case 'list': {
      const items = Array.isArray(value) ? value : [value];
      return `[${items.map((item, index) => encodeValue(item, type.item, context, inexact, nth(exactAt, index))).join(',')}]`;
    }
    case 'map': {
      const entries = isRecord(value) ? Object.entries(value) : [];
      return encodeObject(entries, (_, item) => encodeValue(item, type.value, context, inexact));
    }
    case 'struct': {
      const fieldTypes = new Map(type.fields.map((field) => [field.name, field.type]));
      const entries = isRecord(value) ? Object.entries(value) : [];
      return encodeObject(entries, (name, item) =>
        encodeValue(item, fieldTypes.get(name) ?? { kind: 'scalar', name: 'ANY' }, context, inexact),
      );
    }
    case 'node':
      return isRawEntity(value) ? encodeNode(value, context, inexact, exactAt) : 'null';
    case 'rel':
      return isRawRelationship(value) ? encodeRelationship(value, context, inexact, exactAt) : 'null';
    case 'path':
      return encodePath(value, context, inexact, exactAt);
  }
};

const encodeNode = (
  node: RawEntity,
  context: EncodingContext,
  inexact: InexactSink,
  exactAt: ExactProperties,
  part = '',
): string => {
  const head = [`"_id":${context.idOf(node._id)}`, `"_label":${JSON.stringify(node._label)}`];
  return `{${[...head, ...encodeProperties(node, context, inexact, exactAt, part)].join(',')}}`;
};

const encodeRelationship = (
  rel: RawRelationship,
  context: EncodingContext,
  inexact: InexactSink,
  exactAt: ExactProperties,
  part = '',
): string => {
  const [start, end] = [context.idOf(rel._src), context.idOf(rel._dst)];
  const head = [
    `"_id":${JSON.stringify(`${rel._label}:${rel._id.offset}`)}`,
    `"_type":${JSON.stringify(rel._label)}`,
    `"_start":${start}`,
    `"_end":${end}`,
    `"_src":${start}`,
    `"_dst":${end}`,
  ];
  return `{${[...head, ...encodeProperties(rel, context, inexact, exactAt, part)].join(',')}}`;
};

const encodeProperties = (
  entity: RawEntity,
  context: EncodingContext,
  inexact: InexactSink,
  exactAt: ExactProperties,
  part: string,
): readonly string[] =>
  context.propertiesOf(entity._label).map((property) => {
    const needKey = part + property.name;
    const exactValue = exactAt(needKey);
    const value = exactValue ?? entity[property.name];
    const json = encodeProperty(value, property, context, () => inexact.property(needKey, property.type));
    return `${JSON.stringify(property.name)}:${json}`;
  });

const encodeProperty = (
  value: unknown,
  property: GraphProperty,
  context: EncodingContext,
  onInexact: () => void,
): string => {
  if (value instanceof Date && property.wholeMilliseconds) return `"${value.toISOString()}"`;
  return encodeValue(value, property.type, context, { value: onInexact, property: onInexact });
};

const encodePath = (
  value: unknown,
  context: EncodingContext,
  inexact: InexactSink,
  exactAt: ExactProperties,
): string => {
  if (!isRawPath(value)) return 'null';
  const nodes = value._nodes.map((node, at) => encodeNode(node, context, inexact, nth(exactAt, at), 'nodes/'));
  const rels = value._rels.map((rel, at) => encodeRelationship(rel, context, inexact, nth(exactAt, at), 'rels/'));
  // A path starts and ends with a node; the relationships of a variable-length pattern alone may start with one of them.
  const steps = Array.from({ length: Math.max(nodes.length, rels.length) }, (_, at) => [nodes[at], rels[at]]);
  const ordered = nodes.length < rels.length ? steps.map(([node, rel]) => [rel, node]) : steps;
  return `[${ordered.flat().filter(Boolean).join(',')}]`;
};

const encodeObject = (
  entries: readonly (readonly [string, unknown])[],
  encode: (name: string, value: unknown) => string,
): string => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${encode(name, value)}`).join(',')}}`;

const nth = (exactAt: ExactProperties, index: number): ExactProperties => {
  if (exactAt === noExactProperties) return exactAt;
  return (key) => {
    const values = exactAt(key);
    return Array.isArray(values) ? (values[index] as unknown) : undefined;
  };
};
