/** A property as it is stored. */
export interface GraphProperty {
  readonly name: string;
  /** The declared property type, shown in `/schema`. */
  readonly declaredType: string;
  /** The full type, with the parts of a LIST, MAP or STRUCT. */
  readonly type: ColumnType;
  /** Only for TIMESTAMP: all stored values are whole milliseconds. */
  readonly wholeMilliseconds: boolean;
  /** Stored values that need special care in some engines. */
  readonly holds?: readonly SpecialValue[];
}

export type SpecialValue =
  /** NaN or infinity. */
  | 'not finite'
  /** An integer from 2^53 on. */
  | 'great integer'
  /** An integer beyond 32 bits. */
  | 'large integer'
  /** A key that is an empty or long text, begins or ends with a blank, or is an integer from 2^53 on. */
  | 'unusual key';

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
  /** Whether an edge connects a node to itself. */
  readonly hasLoops: boolean;
  /** Its edges form no cycle; omitted if this is not known. */
  readonly isAcyclic?: boolean;
  readonly properties: readonly GraphProperty[];
}

/** The tables of the graph, from the mapping and the load, never from sampling. */
export interface GraphSchema {
  readonly nodeTables: readonly NodeTable[];
  readonly edgeTables: readonly EdgeTable[];
}

export const EMPTY_SCHEMA: GraphSchema = { nodeTables: [], edgeTables: [] };

/** The properties of the tables of nodes, keys first, or of relationships, by labels or edge types. */
export const propertiesByTable = (
  { nodeTables, edgeTables }: GraphSchema,
  kind: 'node' | 'relationship',
): ReadonlyMap<string, readonly GraphProperty[]> =>
  new Map(
    kind === 'node'
      ? nodeTables.map(({ label, primaryKey, properties }) => [label, [primaryKey, ...properties]])
      : edgeTables.map(({ type, properties }) => [type, properties]),
  );

/** The properties of all tables. */
export const allProperties = (schema: GraphSchema): readonly GraphProperty[] =>
  (['node', 'relationship'] as const).flatMap((kind) => [...propertiesByTable(schema, kind).values()].flat());

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

/** The schema with the edge types whose edges form no cycle. */
export const withAcyclicTypes = (schema: GraphSchema, types: ReadonlySet<string>): GraphSchema => ({
  ...schema,
  edgeTables: schema.edgeTables.map((table) => ({ ...table, isAcyclic: types.has(table.type) })),
});

/** `"Label:key"` from a label and the JSON text of a key. */
export const nodeIdJson = (label: string, keyJson: string): string => {
  const key = keyJson.startsWith('"') ? keyJson.slice(1) : `${keyJson}"`;
  return `${JSON.stringify(`${label}:`).slice(0, -1)}${key}`;
};

/** The type of a stored value. Scalars have the name of a property type. */
export type ColumnType =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'list'; readonly item: ColumnType }
  | { readonly kind: 'map'; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly kind: 'struct'; readonly fields: readonly { readonly name: string; readonly type: ColumnType }[] };

export const scalar = (name: string): ColumnType => ({ kind: 'scalar', name });
