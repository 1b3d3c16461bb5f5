/** A node, relationship or path as the binding hands it out. */
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
