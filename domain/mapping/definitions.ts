import * as t from 'io-ts';
import { oneOf } from '../kernel/codecs';

/** Types a property can have in a graph. */
export const PropertyType = oneOf(
  'STRING',
  'INT64',
  'INT32',
  'INT16',
  'INT8',
  'DOUBLE',
  'FLOAT',
  'DATE',
  'TIMESTAMP',
  'BOOL',
  'BLOB',
  'UUID',
  'LIST',
  'MAP',
  'STRUCT',
);
export type PropertyType = t.TypeOf<typeof PropertyType>;

/** Types a node's primary key can have. */
export const PrimaryKeyType = oneOf('STRING', 'INT64', 'INT32', 'INT16', 'INT8', 'DATE', 'TIMESTAMP', 'UUID');
export type PrimaryKeyType = t.TypeOf<typeof PrimaryKeyType>;

export const PropertyDefinition = t.strict({ name: t.string, type: PropertyType });
export type PropertyDefinition = t.TypeOf<typeof PropertyDefinition>;

/** A node label and the query its nodes come from: one node per row, columns matched by name. */
export const NodeDefinition = t.strict({
  label: t.string,
  sql: t.string,
  primary_key: t.strict({ name: t.string, type: PrimaryKeyType }),
  properties: t.readonlyArray(PropertyDefinition),
});
export type NodeDefinition = t.TypeOf<typeof NodeDefinition>;

/** An edge type and the query its edges come from: one edge per row, ends found by the nodes' primary keys. */
export const EdgeDefinition = t.strict({
  type: t.string,
  sql: t.string,
  from_key: t.string,
  to_key: t.string,
  from_node: t.string,
  to_node: t.string,
  properties: t.readonlyArray(PropertyDefinition),
});
export type EdgeDefinition = t.TypeOf<typeof EdgeDefinition>;

/** The columns a node query must have, in the order they are exported. */
export const nodeColumns = (node: Pick<NodeDefinition, 'primary_key' | 'properties'>): readonly string[] => [
  node.primary_key.name,
  ...node.properties.map((property) => property.name),
];

/** The columns an edge query must have, in the order they are exported. */
export const edgeColumns = (edge: Pick<EdgeDefinition, 'from_key' | 'to_key' | 'properties'>): readonly string[] => [
  edge.from_key,
  edge.to_key,
  ...edge.properties.map((property) => property.name),
];

/** The form of node labels, properties and keys. */
export const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
export const NAME_WORDS = 'a letter, then letters, digits or _, 64 at most';
export const EDGE_TYPE = /^[A-Z][A-Z0-9_]{0,63}$/;
export const EDGE_TYPE_WORDS = 'a capital, then capitals, digits or _, 64 at most';
export const MAX_NAME_LENGTH = 64;
export const MAX_NODES = 100;
export const MAX_EDGES = 200;
export const MAX_PROPERTIES = 100;

const RESERVED = new Set(
  'NODE RELATIONSHIP MATCH WHERE RETURN CREATE DELETE SET REMOVE WITH ORDER LIMIT SKIP UNION CALL YIELD'.split(' '),
);

/** Words that labels, types and properties must not be called; keys may. */
export const isReserved = (name: string): boolean => RESERVED.has(name.toUpperCase());
