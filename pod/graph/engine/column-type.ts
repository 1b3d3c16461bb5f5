/** The type of a value in a graph. Scalars have the name of a property type, else the engine's name. */
export type ColumnType =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'list'; readonly item: ColumnType }
  | { readonly kind: 'map'; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly kind: 'struct'; readonly fields: readonly StructField[] }
  | { readonly kind: 'node' }
  | { readonly kind: 'rel' }
  | { readonly kind: 'path' };

export interface StructField {
  readonly name: string;
  readonly type: ColumnType;
}

export const scalar = (name: string): ColumnType => ({ kind: 'scalar', name });

const PROPERTY_TYPES = new Set('STRING INT64 INT32 INT16 INT8 DOUBLE FLOAT DATE TIMESTAMP BOOL BLOB UUID'.split(' '));

/** The name `column_types` uses: a property type, NODE, REL, PATH, or ANY for everything else. */
export const answerTypeName = (type: ColumnType): string => {
  if (type.kind !== 'scalar') return type.kind.toUpperCase();
  if (PROPERTY_TYPES.has(type.name)) return type.name;
  if (type.name.startsWith('TIMESTAMP')) return 'TIMESTAMP';
  return type.name === 'SERIAL' ? 'INT64' : 'ANY';
};
