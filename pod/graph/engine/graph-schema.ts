import { type ColumnType } from './column-type';

/** A property as it is stored. */
export interface GraphProperty {
  readonly name: string;
  /** The declared property type: what `/schema` shows. */
  readonly declaredType: string;
  /** The full type, with the parts of a LIST, MAP or STRUCT. */
  readonly type: ColumnType;
  /** Only for TIMESTAMP: no stored value has digits below the millisecond. */
  readonly wholeMilliseconds: boolean;
  /** Stored values that some engines need special care for. */
  readonly holds?: readonly SpecialValue[];
}

export type SpecialValue =
  | 'NaN'
  /** A UUID from `c0000000-…` on with a null next to it, also inside other values. */
  | 'great UUID';

export interface NodeTable {
  readonly label: string;
  readonly primaryKey: GraphProperty;
  /** Without the primary key. */
  readonly properties: readonly GraphProperty[];
}

export interface EdgeTable {
  readonly type: string;
  readonly fromNode: string;
  readonly toNode: string;
  /** An edge leads from a node to itself. */
  readonly hasLoops: boolean;
  readonly properties: readonly GraphProperty[];
}

/** The tables of the graph, known from the mapping and the load, never from sampling. */
export interface GraphSchema {
  readonly nodeTables: readonly NodeTable[];
  readonly edgeTables: readonly EdgeTable[];
}

/** The schema with one more property of a label, or with the property replaced. */
export const withNodeProperty = (schema: GraphSchema, label: string, property: GraphProperty): GraphSchema => ({
  ...schema,
  nodeTables: schema.nodeTables.map((table) =>
    table.label === label
      ? {
          ...table,
          properties: [...table.properties.filter(({ name }) => name !== property.name), property],
        }
      : table,
  ),
});

/** `"Label:key"` from a label and the JSON text of a key. */
export const nodeIdJson = (label: string, keyJson: string): string => {
  const key = keyJson.startsWith('"') ? keyJson.slice(1) : `${keyJson}"`;
  return `${JSON.stringify(`${label}:`).slice(0, -1)}${key}`;
};
